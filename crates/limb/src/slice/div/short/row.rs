//! A row of a division, `acc += digit * b mod B^(N - 2)` for a divisor of N limbs, each length compiled on its own: no
//! loop, and no jump that a processor has to predict.

use crate::base::Base;
use crate::slice::mul::rows::{are_fast, multiple};

/// Rows in assembly, on a processor that has the instructions.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Rows(());

impl Rows {
    /// `None` where rows are not faster in assembly.
    #[inline(always)]
    pub(in super::super) fn new() -> Option<Self> {
        are_fast().then_some(Self(()))
    }

    /// The sum takes the place of acc; returns the limb above.
    #[inline(always)]
    pub(in super::super) fn add<B: Base, const N: usize>(self, acc: &mut [B], b: &[B], digit: B) -> B {
        assert!(N >= 2 && acc.len() == N - 2 && b.len() == N - 2, "the limbs of a row");
        #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
        if let (Some(b), Some(&[digit])) = (B::as_words(b), B::as_words(&[digit]))
            && let Some(acc) = B::as_words_mut(acc)
        {
            // SAFETY: the processor has the instructions, and the lengths are checked.
            #[allow(unsafe_code, reason = "assembly")]
            return B::from_word(unsafe { assembly::add::<N>(acc.as_mut_ptr(), b.as_ptr(), digit) });
        }
        multiple::add(acc, b, digit)
    }
}

#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
mod assembly {
    //! As in `mul/rows/adx/multiple.rs`: two chains of carries, which `mulx` and `mov` leave alone.
    #![allow(unsafe_code, reason = "assembly and its pointers")]

    use core::arch::asm;

    use crate::invariant::broken_invariant;

    /// A limb; the high half of the product before is in `previous`.
    macro_rules! limb {
        ($high:literal $previous:literal $at:literal) => {
            concat!(
                "mulx {",
                $high,
                "}, {low}, qword ptr [{b} + ",
                $at,
                "]\nadcx {low}, {",
                $previous,
                "}\nadox {low}, qword ptr [{acc} + ",
                $at,
                "]\nmov qword ptr [{acc} + ",
                $at,
                "], {low}\n"
            )
        };
    }

    /// Limbs at these places; the last high half is in `even` if they are even.
    macro_rules! limbs {
        () => { "" };
        ($at:literal) => { limb!("odd" "even" $at) };
        ($at:literal $next:literal $($more:literal)*) => {
            concat!(limb!("odd" "even" $at), limb!("even" "odd" $next), limbs!($($more)*))
        };
    }

    macro_rules! sixteen {
        () => { limbs!(0 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120) };
    }

    macro_rules! row {
        ($acc:ident $b:ident $digit:ident, $last:literal: 16 + $($at:literal)*) => {
            row!($acc $b $digit, $last: (concat!(sixteen!(), limbs!($($at)*))))
        };
        ($acc:ident $b:ident $digit:ident, $last:literal: $($at:literal)*) => {
            row!($acc $b $digit, $last: (limbs!($($at)*)))
        };
        ($acc:ident $b:ident $digit:ident, $last:literal: ($limbs:expr)) => {{
            let above;
            // SAFETY: reads b, reads and writes acc, at the places, which the caller has.
            unsafe {
                asm!(
                    "xor {even:e}, {even:e}",
                    $limbs,
                    "mov {low:e}, 0",
                    concat!("adcx {", $last, "}, {low}"),
                    concat!("adox {", $last, "}, {low}"),
                    concat!("mov {low}, {", $last, "}"),
                    acc = in(reg) $acc, b = in(reg) $b, in("rdx") $digit,
                    low = out(reg) above, even = out(reg) _, odd = out(reg) _,
                    options(nostack),
                )
            }
            above
        }};
    }

    /// # Safety
    /// Both pointers have N - 2 words; the processor has `mulx`, `adcx` and `adox`.
    #[inline(always)]
    pub(super) unsafe fn add<const N: usize>(acc: *mut u64, b: *const u64, digit: u64) -> u64 {
        match N {
            2 => 0,
            3 => row!(acc b digit, "odd": 0),
            4 => row!(acc b digit, "even": 0 8),
            5 => row!(acc b digit, "odd": 0 8 16),
            6 => row!(acc b digit, "even": 0 8 16 24),
            7 => row!(acc b digit, "odd": 0 8 16 24 32),
            8 => row!(acc b digit, "even": 0 8 16 24 32 40),
            9 => row!(acc b digit, "odd": 0 8 16 24 32 40 48),
            10 => row!(acc b digit, "even": 0 8 16 24 32 40 48 56),
            11 => row!(acc b digit, "odd": 0 8 16 24 32 40 48 56 64),
            12 => row!(acc b digit, "even": 0 8 16 24 32 40 48 56 64 72),
            13 => row!(acc b digit, "odd": 0 8 16 24 32 40 48 56 64 72 80),
            14 => row!(acc b digit, "even": 0 8 16 24 32 40 48 56 64 72 80 88),
            15 => row!(acc b digit, "odd": 0 8 16 24 32 40 48 56 64 72 80 88 96),
            16 => row!(acc b digit, "even": 0 8 16 24 32 40 48 56 64 72 80 88 96 104),
            17 => row!(acc b digit, "odd": 0 8 16 24 32 40 48 56 64 72 80 88 96 104 112),
            18 => row!(acc b digit, "even": 0 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120),
            19 => row!(acc b digit, "odd": 16 + 128),
            20 => row!(acc b digit, "even": 16 + 128 136),
            21 => row!(acc b digit, "odd": 16 + 128 136 144),
            22 => row!(acc b digit, "even": 16 + 128 136 144 152),
            23 => row!(acc b digit, "odd": 16 + 128 136 144 152 160),
            24 => row!(acc b digit, "even": 16 + 128 136 144 152 160 168),
            25 => row!(acc b digit, "odd": 16 + 128 136 144 152 160 168 176),
            26 => row!(acc b digit, "even": 16 + 128 136 144 152 160 168 176 184),
            27 => row!(acc b digit, "odd": 16 + 128 136 144 152 160 168 176 184 192),
            28 => row!(acc b digit, "even": 16 + 128 136 144 152 160 168 176 184 192 200),
            29 => row!(acc b digit, "odd": 16 + 128 136 144 152 160 168 176 184 192 200 208),
            30 => row!(acc b digit, "even": 16 + 128 136 144 152 160 168 176 184 192 200 208 216),
            31 => row!(acc b digit, "odd": 16 + 128 136 144 152 160 168 176 184 192 200 208 216 224),
            32 => row!(acc b digit, "even": 16 + 128 136 144 152 160 168 176 184 192 200 208 216 224 232),
            33 => row!(acc b digit, "odd": 16 + 128 136 144 152 160 168 176 184 192 200 208 216 224 232 240),
            34 => {
                row!(acc b digit, "even": 16 + 128 136 144 152 160 168 176 184 192 200 208 216 224 232 240 248)
            }
            _ => broken_invariant("a row has up to thirty-two limbs"),
        }
    }
}
