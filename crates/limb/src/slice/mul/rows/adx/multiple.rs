//! The sum and the difference of a number and a multiple of another one, with two chains of carries, as in a row of
//! a product. With `~r = B - 1 - r`, `~r + digit * limb` is a sum, of which the complement is the difference.
//!
//! rsi points to the limbs of the factor, rdi to those of the result, rdx is the digit, rcx counts blocks of eight
//! limbs; rax and r9 are high halves by turns, r8 is the low one, r10 a limb of the result. `not`, `lea` and `jrcxz` leave both carries alone.

use core::arch::asm;

use super::super::order::Order;

/// Limbs of a block.
const BLOCK: usize = 8;

/// A limb, in an order of additions; the high half of the product before is in `previous`. `high_first` adds it to the
/// limb while the product is on its way: then one addition waits for the product in place of two.
macro_rules! limb {
    (low_first sum $high:literal $previous:literal $at:literal) => {
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
    (low_first difference $high:literal $previous:literal $at:literal) => {
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
    (high_first sum $high:literal $previous:literal $at:literal) => {
        concat!(
            "mov r10, [rdi + ",
            $at,
            "]\n",
            "mulx ",
            $high,
            ", r8, [rsi + ",
            $at,
            "]\n",
            "adcx r10, ",
            $previous,
            "\n",
            "adox r10, r8\n",
            "mov [rdi + ",
            $at,
            "], r10\n",
        )
    };
    (high_first difference $high:literal $previous:literal $at:literal) => {
        concat!(
            "mov r10, [rdi + ",
            $at,
            "]\n",
            "not r10\n",
            "mulx ",
            $high,
            ", r8, [rsi + ",
            $at,
            "]\n",
            "adcx r10, ",
            $previous,
            "\n",
            "adox r10, r8\n",
            "not r10\n",
            "mov [rdi + ",
            $at,
            "], r10\n",
        )
    };
}

/// Two limbs; the high half of the product before is in rax.
macro_rules! two {
    ($order:tt $kind:tt $at:literal $next:literal) => {
        concat!(limb!($order $kind "r9" "rax" $at), limb!($order $kind "rax" "r9" $next))
    };
}

/// Limbs before the blocks.
macro_rules! first {
    ($order:tt $kind:tt 0) => { "" };
    ($order:tt $kind:tt 1) => { concat!(limb!($order $kind "r9" "rax" "0"), "mov rax, r9\n") };
    ($order:tt $kind:tt 2) => { two!($order $kind "0" "8") };
    ($order:tt $kind:tt 3) => { concat!(two!($order $kind "0" "8"), limb!($order $kind "r9" "rax" "16"), "mov rax, r9\n") };
    ($order:tt $kind:tt 4) => { concat!(two!($order $kind "0" "8"), two!($order $kind "16" "24")) };
    ($order:tt $kind:tt 5) => { concat!(first!($order $kind 4), limb!($order $kind "r9" "rax" "32"), "mov rax, r9\n") };
    ($order:tt $kind:tt 6) => { concat!(first!($order $kind 4), two!($order $kind "32" "40")) };
    ($order:tt $kind:tt 7) => { concat!(first!($order $kind 6), limb!($order $kind "r9" "rax" "48"), "mov rax, r9\n") };
}

/// `(result, factor, digit, blocks)`; returns the limb above, or the limb borrowed.
type Kernel = unsafe fn(*mut u64, *const u64, u64, usize) -> u64;

macro_rules! kernel {
    ($order:tt $kind:tt $rest:tt) => {{
        /// # Safety
        /// As [`add`] and [`sub`] say; the processor has `mulx`, `adcx` and `adox`.
        unsafe fn kernel(acc: *mut u64, b: *const u64, digit: u64, blocks: usize) -> u64 {
            let above;
            // SAFETY: reads b, reads and writes acc, at the limbs of the blocks and those before.
            unsafe {
                asm!(
                    "xor eax, eax",
                    first!($order $kind $rest),
                    concat!("lea rsi, [rsi + 8*", $rest, "]"), concat!("lea rdi, [rdi + 8*", $rest, "]"),
                    "jmp 4f",
                    "2:",
                    two!($order $kind "0" "8"), two!($order $kind "16" "24"), two!($order $kind "32" "40"), two!($order $kind "48" "56"),
                    "lea rsi, [rsi + 64]", "lea rdi, [rdi + 64]", "lea rcx, [rcx - 1]",
                    "4:", "jrcxz 3f", "jmp 2b",
                    "3:",
                    "mov r8d, 0", "adcx rax, r8", "adox rax, r8",
                    inout("rdi") acc => _, inout("rsi") b => _, in("rdx") digit, inout("rcx") blocks => _,
                    out("rax") above, out("r8") _, out("r9") _, out("r10") _,
                    options(nostack),
                )
            }
            above
        }
        kernel
    }};
}

/// The kernels of a kind.
macro_rules! kernels {
    ($order:tt $kind:tt: $($rest:tt)*) => { [$(kernel!($order $kind $rest)),*] };
    ($kind:tt) => {
        [kernels!(low_first $kind: 0 1 2 3 4 5 6 7), kernels!(high_first $kind: 0 1 2 3 4 5 6 7)]
    };
}

/// By [`Order`], and the limbs beside the blocks.
type Kernels = [[Kernel; BLOCK]; 2];

static SUMS: Kernels = kernels!(sum);
static DIFFERENCES: Kernels = kernels!(difference);

/// As [`multiple::portable`](super::super::multiple::portable) of a sum.
///
/// # Safety
/// The processor has `mulx`, `adcx` and `adox`; both have one length.
#[inline]
pub(in super::super) unsafe fn add(order: Order, acc: &mut [u64], b: &[u64], digit: u64) -> u64 {
    // SAFETY: as the caller says.
    unsafe { run(&SUMS[order as usize], acc, b, digit) }
}

/// As [`multiple::portable`](super::super::multiple::portable) of a difference.
///
/// # Safety
/// As [`add`].
#[inline]
pub(in super::super) unsafe fn sub(order: Order, acc: &mut [u64], b: &[u64], digit: u64) -> u64 {
    // SAFETY: as the caller says.
    unsafe { run(&DIFFERENCES[order as usize], acc, b, digit) }
}

/// # Safety
/// As [`add`].
#[inline]
unsafe fn run(kernels: &[Kernel; BLOCK], acc: &mut [u64], b: &[u64], digit: u64) -> u64 {
    let kernel = kernels[b.len() % BLOCK];
    // SAFETY: the lengths are equal.
    unsafe { kernel(acc.as_mut_ptr(), b.as_ptr(), digit, b.len() / BLOCK) }
}
