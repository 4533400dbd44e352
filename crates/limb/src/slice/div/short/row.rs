//! A row of a division, `acc += digit * b mod B^(N - 2)` for a divisor of N limbs, each length compiled on its own: no
//! loop, and no jump that a processor has to predict.

use crate::base::Base;
#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
use crate::slice::mul::rows::order::{Order, order};
use crate::slice::mul::rows::{are_fast, multiple};

/// Rows in assembly, on a processor that has the instructions.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Rows {
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    order: Order,
}

impl Rows {
    /// `None` where rows are not faster in assembly.
    #[inline(always)]
    pub(in super::super) fn new() -> Option<Self> {
        if !are_fast() {
            return None;
        }
        Some(Self {
            #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
            order: order(),
        })
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
            return B::from_word(unsafe {
                assembly::add::<N>(self.order, acc.as_mut_ptr(), b.as_ptr(), digit)
            });
        }
        multiple::add(acc, b, digit)
    }
}

#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
mod assembly {
    //! As in `mul/rows/adx/multiple.rs`: two chains of carries, which `mulx` and `mov` leave alone.
    #![allow(unsafe_code, reason = "assembly and its pointers")]

    use core::arch::asm;

    use super::Order;
    use crate::invariant::broken_invariant;

    /// A limb, in an order of additions; the high half of the product before is in `previous`.
    macro_rules! limb {
        (low_first $high:literal $previous:literal $at:literal) => {
            concat!(
                "mulx {",
                $high,
                "}, {low}, qword ptr [{b} + ",
                $at,
                "]\n",
                "adcx {low}, {",
                $previous,
                "}\n",
                "adox {low}, qword ptr [{acc} + ",
                $at,
                "]\n",
                "mov qword ptr [{acc} + ",
                $at,
                "], {low}\n",
            )
        };
        (high_first $high:literal $previous:literal $at:literal) => {
            concat!(
                "mov {sum}, qword ptr [{acc} + ",
                $at,
                "]\n",
                "mulx {",
                $high,
                "}, {low}, qword ptr [{b} + ",
                $at,
                "]\n",
                "adcx {sum}, {",
                $previous,
                "}\n",
                "adox {sum}, {low}\n",
                "mov qword ptr [{acc} + ",
                $at,
                "], {sum}\n",
            )
        };
    }

    /// Limbs at these places; the last high half is in `even` if they are even.
    macro_rules! limbs {
        ($order:tt) => { "" };
        ($order:tt $at:literal) => { limb!($order "odd" "even" $at) };
        ($order:tt $at:literal $next:literal $($more:literal)*) => {
            concat!(limb!($order "odd" "even" $at), limb!($order "even" "odd" $next), limbs!($order $($more)*))
        };
    }

    macro_rules! row {
        ($order:tt $pointers:tt $last:literal: 16 + $($at:literal)*) => {
            row!($order $pointers $last:
                (concat!(
                    limbs!($order 0 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120),
                    limbs!($order $($at)*),
                ))
            )
        };
        ($order:tt $pointers:tt $last:literal: $($at:literal)*) => {
            row!($order $pointers $last: (limbs!($order $($at)*)))
        };
        ($order:tt [$acc:ident $b:ident $digit:ident] $last:literal: ($limbs:expr)) => {{
            let above;
            // SAFETY: reads b, reads and writes acc, at the places, which the caller has.
            unsafe {
                asm!(
                    "xor {even:e}, {even:e}",
                    $limbs,
                    "mov {sum:e}, 0",
                    concat!("adcx {", $last, "}, {sum}"),
                    concat!("adox {", $last, "}, {sum}"),
                    concat!("mov {low}, {", $last, "}"),
                    acc = in(reg) $acc, b = in(reg) $b, in("rdx") $digit,
                    low = out(reg) above, sum = out(reg) _, even = out(reg) _, odd = out(reg) _,
                    options(nostack),
                )
            }
            above
        }};
    }

    /// The row of N - 2 limbs.
    macro_rules! rows {
        ($order:tt $n:ident $pointers:tt) => {
            match $n {
                2 => 0,
                3 => row!($order $pointers "odd": 0),
                4 => row!($order $pointers "even": 0 8),
                5 => row!($order $pointers "odd": 0 8 16),
                6 => row!($order $pointers "even": 0 8 16 24),
                7 => row!($order $pointers "odd": 0 8 16 24 32),
                8 => row!($order $pointers "even": 0 8 16 24 32 40),
                9 => row!($order $pointers "odd": 0 8 16 24 32 40 48),
                10 => row!($order $pointers "even": 0 8 16 24 32 40 48 56),
                11 => row!($order $pointers "odd": 0 8 16 24 32 40 48 56 64),
                12 => row!($order $pointers "even": 0 8 16 24 32 40 48 56 64 72),
                13 => row!($order $pointers "odd": 0 8 16 24 32 40 48 56 64 72 80),
                14 => row!($order $pointers "even": 0 8 16 24 32 40 48 56 64 72 80 88),
                15 => row!($order $pointers "odd": 0 8 16 24 32 40 48 56 64 72 80 88 96),
                16 => row!($order $pointers "even": 0 8 16 24 32 40 48 56 64 72 80 88 96 104),
                17 => row!($order $pointers "odd": 0 8 16 24 32 40 48 56 64 72 80 88 96 104 112),
                18 => row!($order $pointers "even": 0 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120),
                19 => row!($order $pointers "odd": 16 + 128),
                20 => row!($order $pointers "even": 16 + 128 136),
                21 => row!($order $pointers "odd": 16 + 128 136 144),
                22 => row!($order $pointers "even": 16 + 128 136 144 152),
                23 => row!($order $pointers "odd": 16 + 128 136 144 152 160),
                24 => row!($order $pointers "even": 16 + 128 136 144 152 160 168),
                25 => row!($order $pointers "odd": 16 + 128 136 144 152 160 168 176),
                26 => row!($order $pointers "even": 16 + 128 136 144 152 160 168 176 184),
                27 => row!($order $pointers "odd": 16 + 128 136 144 152 160 168 176 184 192),
                28 => row!($order $pointers "even": 16 + 128 136 144 152 160 168 176 184 192 200),
                29 => row!($order $pointers "odd": 16 + 128 136 144 152 160 168 176 184 192 200 208),
                30 => row!($order $pointers "even": 16 + 128 136 144 152 160 168 176 184 192 200 208 216),
                31 => row!($order $pointers "odd": 16 + 128 136 144 152 160 168 176 184 192 200 208 216 224),
                32 => row!($order $pointers "even": 16 + 128 136 144 152 160 168 176 184 192 200 208 216 224 232),
                33 => row!($order $pointers "odd": 16 + 128 136 144 152 160 168 176 184 192 200 208 216 224 232 240),
                34 => row!($order $pointers "even": 16 + 128 136 144 152 160 168 176 184 192 200 208 216 224 232 240 248),
                _ => broken_invariant("a row has up to thirty-two limbs"),
            }
        };
    }

    /// # Safety
    /// Both pointers have N - 2 words; the processor has `mulx`, `adcx` and `adox`.
    #[inline(always)]
    pub(super) unsafe fn add<const N: usize>(order: Order, acc: *mut u64, b: *const u64, digit: u64) -> u64 {
        match order {
            Order::LowFirst => rows!(low_first N [acc b digit]),
            Order::HighFirst => rows!(high_first N [acc b digit]),
        }
    }
}

#[cfg(all(test, target_arch = "x86_64", not(feature = "portable"), not(miri)))]
mod tests {
    use super::{Order, Rows, multiple};

    fn word(i: u64, kind: u64) -> u64 {
        match kind {
            0 => u64::MAX,
            1 => 0,
            2 => [u64::MAX, 0, 1, 1 << 63][(i % 4) as usize],
            _ => (i + kind).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        }
    }

    fn rows_of<const N: usize>() {
        for (kind, order) in (0..64).flat_map(|kind| Order::ALL.map(|order| (kind, order))) {
            let numbers = |kind| (0..N as u64 - 2).map(|i| word(i, kind)).collect::<Vec<_>>();
            let (mut found, b, digit) = (numbers(kind % 4), numbers(kind / 4 % 4), word(kind, kind / 16));
            let mut expected = found.clone();
            let above = multiple::add_inline(&mut expected, &b, digit);
            assert_eq!(Rows { order }.add::<u64, N>(&mut found, &b, digit), above, "{order:?}, {kind}");
            assert_eq!(found, expected, "{order:?}, {kind}");
        }
    }

    #[test]
    fn rows_of_all_lengths_equal_those_in_rust() {
        if Rows::new().is_none() {
            return;
        }
        macro_rules! all {
            ($($n:literal)*) => { $(rows_of::<$n>();)* };
        }
        all!(2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34);
    }
}
