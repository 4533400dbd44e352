//! The sum of a number and a multiple of another one, with two chains of carries, as in a row of a product.
//!
//! rsi points to the limbs of the factor, rdi to those of the sum, rdx is the digit, rcx counts blocks of eight
//! limbs; rax and r9 are high halves by turns. `lea` and `jrcxz` leave both carries alone.

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
            "adcx r8, ",
            $previous,
            "\n",
            "adox r8, [rdi + ",
            $at,
            "]\n",
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

/// `(sum, factor, digit, blocks)`; returns the limb above.
type Sum = unsafe fn(*mut u64, *const u64, u64, usize) -> u64;

macro_rules! sum {
    ($rest:tt) => {{
        /// # Safety
        /// As [`add`] says; the processor has `mulx`, `adcx` and `adox`.
        unsafe fn kernel(acc: *mut u64, b: *const u64, digit: u64, blocks: usize) -> u64 {
            let above;
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
                    out("rax") above, out("r8") _, out("r9") _,
                    options(nostack),
                )
            }
            above
        }
        kernel
    }};
}

/// By the limbs beside the blocks.
static KERNELS: [Sum; BLOCK] = [sum!(0), sum!(1), sum!(2), sum!(3), sum!(4), sum!(5), sum!(6), sum!(7)];

/// As [`multiple::portable`](super::super::multiple::portable).
///
/// # Safety
/// The processor has `mulx`, `adcx` and `adox`; both have one length.
#[inline]
pub(in super::super) unsafe fn add(acc: &mut [u64], b: &[u64], digit: u64) -> u64 {
    let kernel = KERNELS[b.len() % BLOCK];
    // SAFETY: the lengths are equal.
    unsafe { kernel(acc.as_mut_ptr(), b.as_ptr(), digit, b.len() / BLOCK) }
}
