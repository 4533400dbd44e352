//! The difference of a number and a multiple of another one. With `~r = B - 1 - r`, `~r + digit * limb` is a
//! sum with two chains of carries, as in a row of a product, of which the complement is the difference.
//!
//! rsi points to the limbs of the factor, rdi to those of the difference, rdx is the digit, rcx counts blocks
//! of eight limbs; rax and r9 are high halves by turns. `not`, `lea` and `jrcxz` leave both carries alone.

use core::arch::asm;

/// Limbs of a block.
pub(in super::super) const BLOCK: usize = 8;

/// Two limbs; the high half of the product before is in rax.
macro_rules! two {
    ($at:literal $next:literal) => {
        concat!(two!("r9", "rax", $at), two!("rax", "r9", $next))
    };
    ($high:literal, $previous:literal, $at:literal) => {
        concat!(
            "mulx ",
            $high,
            ", r8, [rsi + ",
            $at,
            "]\n",
            "mov r10, [rdi + ",
            $at,
            "]\n",
            "not r10\n",
            "adcx r8, r10\n",
            "adox r8, ",
            $previous,
            "\n",
            "not r8\n",
            "mov [rdi + ",
            $at,
            "], r8\n",
        )
    };
}

/// Limbs before the blocks.
macro_rules! first {
    (0) => { "" };
    (1) => { concat!(two!("r9", "rax", "0"), "mov rax, r9\n") };
    (2) => { two!("0" "8") };
    (3) => { concat!(two!("0" "8"), two!("r9", "rax", "16"), "mov rax, r9\n") };
    (4) => { concat!(two!("0" "8"), two!("16" "24")) };
    (5) => { concat!(first!(4), two!("r9", "rax", "32"), "mov rax, r9\n") };
    (6) => { concat!(first!(4), two!("32" "40")) };
    (7) => { concat!(first!(6), two!("r9", "rax", "48"), "mov rax, r9\n") };
}

/// `(difference, factor, digit, blocks)`; returns the limb borrowed.
type Difference = unsafe fn(*mut u64, *const u64, u64, usize) -> u64;

macro_rules! difference {
    ($rest:tt) => {{
        /// # Safety
        /// As [`sub_product`] says; the processor has `mulx`, `adcx` and `adox`.
        unsafe fn kernel(acc: *mut u64, b: *const u64, digit: u64, blocks: usize) -> u64 {
            let borrow;
            // SAFETY: reads b, reads and writes acc, at the limbs of the blocks and those before.
            unsafe {
                asm!(
                    "xor eax, eax",
                    first!($rest),
                    concat!("lea rsi, [rsi + 8*", $rest, "]"), concat!("lea rdi, [rdi + 8*", $rest, "]"),
                    "jmp 4f",
                    "2:",
                    two!("0" "8"), two!("16" "24"), two!("32" "40"), two!("48" "56"),
                    "lea rsi, [rsi + 64]", "lea rdi, [rdi + 64]", "lea rcx, [rcx - 1]",
                    "4:", "jrcxz 3f", "jmp 2b",
                    "3:",
                    "mov r8d, 0", "adcx rax, r8", "adox rax, r8",
                    inout("rdi") acc => _, inout("rsi") b => _, in("rdx") digit, inout("rcx") blocks => _,
                    out("rax") borrow, out("r8") _, out("r9") _, out("r10") _,
                    options(nostack),
                )
            }
            borrow
        }
        kernel
    }};
}

/// By the limbs beside the blocks.
static KERNELS: [Difference; BLOCK] = [
    difference!(0),
    difference!(1),
    difference!(2),
    difference!(3),
    difference!(4),
    difference!(5),
    difference!(6),
    difference!(7),
];

/// As [`portable::sub_product`](super::super::portable::sub_product).
///
/// # Safety
/// The processor has `mulx`, `adcx` and `adox`; both have one length.
#[inline]
pub(in super::super) unsafe fn sub_product(acc: &mut [u64], b: &[u64], digit: u64) -> u64 {
    let kernel = KERNELS[b.len() % BLOCK];
    // SAFETY: the lengths are equal.
    unsafe { kernel(acc.as_mut_ptr(), b.as_ptr(), digit, b.len() / BLOCK) }
}
