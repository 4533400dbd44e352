//! Montgomery's reduction row by row. A row first finds its factor, the lowest limb of the sum times `-1/m mod
//! B`. The sum is in memory, except for the lowest limb, so that the next factor does not wait for memory.
//!
//! rdi points to the lowest limb, which is in r11, rsi to the modulus; r9 is `-1/m mod B`, r10 counts rows.
//! rax and rcx are high halves by turns.

use core::arch::asm;

/// Limbs of the shortest and of the longest modulus.
pub(in super::super) const LEAST: usize = 9;
pub(in super::super) const MOST: usize = 24;

/// Columns of a row of the reduction from the third one on; the high half of the one before is in rcx.
macro_rules! reduction_columns {
    () => { "" };
    ($at:literal $($more:literal)*) => {
        concat!(reduction_columns!(@ "rax", "rcx", $at), reduction_columns!(odd $($more)*))
    };
    (odd) => { "mov rcx, rax\n" };
    (odd $at:literal $($more:literal)*) => {
        concat!(reduction_columns!(@ "rcx", "rax", $at), reduction_columns!($($more)*))
    };
    (@ $high:literal, $previous:literal, $at:literal) => {
        concat!(
            "mulx ", $high, ", r8, [rsi + ", $at, "]\n",
            "adcx r8, [rdi + ", $at, "]\n",
            "adox r8, ", $previous, "\n",
            "mov [rdi + ", $at, "], r8\n",
        )
    };
}

/// `(sum, modulus, -1/m mod B, limbs of the modulus)`.
type Reduction = unsafe fn(*mut u64, *const u64, u64, usize);

macro_rules! reduction {
    ($($at:literal)*) => {{
        /// # Safety
        /// As [`reduce`] says; the processor has `mulx`, `adcx` and `adox`.
        unsafe fn kernel(sum: *mut u64, modulus: *const u64, negated: u64, rows: usize) {
            // SAFETY: row i reads the modulus, reads and writes limbs i to i + rows of the sum, of 2 rows.
            unsafe {
                asm!(
                    "mov r11, [rdi]",
                    "2:",
                    "mov rdx, r11", "imul rdx, r9", "xor eax, eax",
                    "mulx rax, rcx, [rsi]", "adcx rcx, r11",
                    "mulx rcx, r11, [rsi + 8]", "adcx r11, [rdi + 8]", "adox r11, rax",
                    reduction_columns!($($at)*),
                    "mov r8d, 0", "adcx rcx, r8", "adox rcx, r8", "mov [rdi], rcx",
                    "add rdi, 8", "dec r10", "jnz 2b",
                    "mov [rdi], r11",
                    inout("rdi") sum => _, in("rsi") modulus, in("r9") negated, inout("r10") rows => _,
                    out("rax") _, out("rcx") _, out("rdx") _, out("r8") _, out("r11") _,
                    options(nostack),
                )
            }
        }
        kernel
    }};
}

/// The kernels of moduli whose offsets of limbs 2 to W - 1 are the first ones, from [`LEAST`] limbs on.
macro_rules! reductions {
    ($($first:literal)* ; $($more:literal)*) => { reductions!(@ [] $($first)* ; $($more)*) };
    (@ [$($done:expr),*] $($first:literal)* ; $next:literal $($more:literal)*) => {
        reductions!(@ [$($done,)* reduction!($($first)*)] $($first)* $next ; $($more)*)
    };
    (@ [$($done:expr),*] $($first:literal)* ;) => { [$($done,)* reduction!($($first)*)] };
}

/// By W - [`LEAST`].
static KERNELS: [Reduction; MOST - LEAST + 1] = reductions!(
    "16" "24" "32" "40" "48" "56" "64";
    "72" "80" "88" "96" "104" "112" "120" "128" "136" "144" "152" "160" "168" "176" "184"
);

/// Adds the multiple of the modulus of W limbs to the sum of 2W that makes its lower half 0. In place of that
/// half are then the limbs that are still to be added to the upper half.
///
/// # Safety
/// The processor has `mulx`, `adcx` and `adox`. The modulus has [`LEAST`] to [`MOST`] limbs, the sum twice as
/// many.
pub(in super::super) unsafe fn reduce(sum: &mut [u64], modulus: &[u64], negated: u64) {
    let rows = modulus.len();
    // SAFETY: the lengths are the caller's promise.
    unsafe { KERNELS[rows - LEAST](sum.as_mut_ptr(), modulus.as_ptr(), negated, rows) }
}
