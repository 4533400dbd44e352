//! Two numbers times a matrix of four limbs. Each limb of a and of b is loaded once and has two products; the sums
//! of two products each, and of the carries from below, are below `B^2`, so that they need no third limb. Those of
//! a are added with CF, those of b with OF: two chains without branches, as plain additions would take the unit of
//! `mulx` away.
//!
//! rsi and rdi point behind the limbs of a and b, rcx counts up to 0, r8 points to the matrix, r14 is 0. The carries
//! are in r9 and r10 before a limb and in r11 and rax behind it; two limbs bring them back. No sum leaves a carry in
//! CF or OF, and `not`, `lea` and `jrcxz` leave both alone.

use core::arch::asm;

/// Limbs of a block.
pub(in super::super) const BLOCK: usize = 4;

/// A limb of both numbers, where its results go, and the carries before and behind it.
macro_rules! limb {
    ($kind:tt $at:literal $to:literal $x:literal $y:literal to $x_next:literal $y_next:literal) => {
        concat!(
            "mov rdx, [rsi + 8*rcx + ", $at, "]\n",
            "mulx ", $x_next, ", r13, [r8]\n",
            "adcx r13, ", $x, "\n", "adcx ", $x_next, ", r14\n",
            limb!(@ $kind),
            "mulx ", $y_next, ", ", $x, ", [r8 + 16]\n",
            "adox ", $x, ", ", $y, "\n", "adox ", $y_next, ", r14\n",
            "mov rdx, [rdi + 8*rcx + ", $at, "]\n",
            "mulx ", $y, ", r12, [r8 + 24]\n",
            "adox ", $x, ", r12\n", "adox ", $y_next, ", ", $y, "\n",
            "mov [rdi + 8*rcx + ", $to, "], ", $x, "\n",
            limb!(@ $kind),
            "mulx ", $y, ", r12, [r8 + 8]\n",
            "adcx r13, r12\n", "adcx ", $x_next, ", ", $y, "\n",
            "mov [rsi + 8*rcx + ", $to, "], r13\n",
        )
    };
    (@ sum) => { "" };
    (@ difference) => { "not rdx\n" };
}

/// Four limbs, and the offsets of their results.
macro_rules! block {
    ($kind:tt [$a:literal $b:literal $c:literal $d:literal]) => {
        concat!(
            limb!($kind "0" $a "r9" "r10" to "r11" "rax"), limb!($kind "8" $b "r11" "rax" to "r9" "r10"),
            limb!($kind "16" $c "r9" "r10" to "r11" "rax"), limb!($kind "24" $d "r11" "rax" to "r9" "r10"),
        )
    };
}

macro_rules! kernel {
    ($name:ident $kind:tt $first:literal $offsets:tt) => {
        #[doc = concat!("The limbs of blocks, one or more, from limb ", $first, " on, which go to limb 0;")]
        /// `carries` come in from below and go out above.
        ///
        /// # Safety
        /// The processor has `mulx`, `adcx` and `adox`; both have one length, and from the first limb on a multiple of
        /// [`BLOCK`] that is not 0.
        #[inline]
        pub(in super::super) unsafe fn $name(
            a: &mut [u64],
            b: &mut [u64],
            matrix: &[[u64; 2]; 2],
            carries: [u64; 2],
        ) -> [u64; 2] {
            let [mut x, mut y] = carries;
            let limbs = $first - a.len() as isize;
            let (a, b) = (a.as_mut_ptr_range(), b.as_mut_ptr_range());
            // SAFETY: reads the matrix, reads and writes a and b, at their limbs alone.
            unsafe {
                asm!(
                    "xor r14d, r14d",
                    "2:",
                    block!($kind $offsets),
                    "lea rcx, [rcx + 4]", "jrcxz 3f", "jmp 2b",
                    "3:",
                    in("rsi") a.end, in("rdi") b.end, inout("rcx") limbs => _,
                    in("r8") matrix, inout("r9") x, inout("r10") y,
                    out("rdx") _, out("rax") _, out("r11") _, out("r12") _, out("r13") _, out("r14") _,
                    options(nostack),
                )
            }
            [x, y]
        }
    };
}

kernel!(sums sum 0 ["0" "8" "16" "24"]);
kernel!(differences difference 0 ["0" "8" "16" "24"]);
kernel!(upper_differences difference 1 ["-8" "0" "8" "16"]);
