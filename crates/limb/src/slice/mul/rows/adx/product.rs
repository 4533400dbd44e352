//! Montgomery's product with its sum in registers: a row of the product and one of the reduction by turns, as
//! in `fused_mul` of `limbforge_algos`.
//!
//! The sum of W + 1 limbs is in R0 .. R8 = r8 .. r15, rbx. rdi points to a, rsi to the modulus, rbp to the
//! limb of b; the stack has the rows that are left and `-1/m mod B`.

use core::arch::asm;

/// Limbs of the longest modulus of a product in registers.
pub(in super::super) const MOST: usize = 8;

/// The W limbs of a, at rdi, times rdx, added to the sum.
macro_rules! product_columns {
    (1) => { product_columns!(@ "r8", "r9", "0") };
    (2) => { concat!(product_columns!(1), product_columns!(@ "r9", "r10", "8")) };
    (3) => { concat!(product_columns!(2), product_columns!(@ "r10", "r11", "16")) };
    (4) => { concat!(product_columns!(3), product_columns!(@ "r11", "r12", "24")) };
    (5) => { concat!(product_columns!(4), product_columns!(@ "r12", "r13", "32")) };
    (6) => { concat!(product_columns!(5), product_columns!(@ "r13", "r14", "40")) };
    (7) => { concat!(product_columns!(6), product_columns!(@ "r14", "r15", "48")) };
    (8) => { concat!(product_columns!(7), product_columns!(@ "r15", "rbx", "56")) };
    (@ $sum:literal, $next:literal, $at:literal) => {
        concat!(
            "mulx rcx, rax, [rdi + ", $at, "]\n",
            "adcx ", $sum, ", rax\n",
            "adox ", $next, ", rcx\n",
        )
    };
}

/// The difference, below zero if the sum is already below m, with the sums or in memory at rax.
macro_rules! less_modulus {
    ($sub:literal, $sum:literal, $at:literal) => {
        less_modulus!($sub, $sum, $at, "rcx", concat!("mov [rax + ", $at, "], rcx\n"))
    };
    ($sub:literal, $sum:literal, $at:literal, $less:literal, $store:expr) => {
        concat!("mov ", $less, ", ", $sum, "\n", $sub, " ", $less, ", [rsi + ", $at, "]\n", $store)
    };
}

/// Stores the difference, or the sum if that is below the modulus, limb i.
macro_rules! kept {
    ($sum:literal, $at:literal) => {
        kept!($sum, $at, concat!("[rax + ", $at, "]"))
    };
    ($sum:literal, $at:literal, $less:expr) => {
        concat!("cmovnc ", $sum, ", ", $less, "\n", "mov [rax + ", $at, "], ", $sum, "\n")
    };
}

/// `[rax] = sum mod m` of a sum below 2m, with a free register for each limb or without.
macro_rules! subtract_once {
    ($top:literal: $lowest:literal $first:literal $(, $sum:literal $at:literal)*) => {
        concat!(
            less_modulus!("sub", $lowest, $first),
            $(less_modulus!("sbb", $sum, $at),)*
            "sbb ", $top, ", 0\n",
            kept!($lowest, $first),
            $(kept!($sum, $at),)*
        )
    };
    ($top:literal: $lowest:literal $first:literal $less:literal $(, $sum:literal $at:literal $other:literal)*) => {
        concat!(
            less_modulus!("sub", $lowest, $first, $less, ""),
            $(less_modulus!("sbb", $sum, $at, $other, ""),)*
            "sbb ", $top, ", 0\n",
            kept!($lowest, $first, $less),
            $(kept!($sum, $at, $other),)*
        )
    };
}

/// `(a, b, modulus, -1/m mod B, out)`.
type Product = unsafe fn(*const u64, *const u64, *const u64, u64, *mut u64);

macro_rules! product {
    ($w:tt, $top:literal: $($sum:literal $at:literal $($less:literal)?),*) => {{
        /// # Safety
        /// As [`product`] says; the processor has `mulx`, `adcx` and `adox`.
        unsafe fn kernel(a: *const u64, b: *const u64, modulus: *const u64, negated: u64, out: *mut u64) {
            // SAFETY: reads W limbs of a, b and the modulus, writes W of out; what it pushes, it pops.
            unsafe {
                asm!(
                    "push rbx", "push rbp", "push rax", "push rcx", concat!("push ", $w),
                    "mov rbp, rdx",
                    $(concat!("xor ", $sum, ", ", $sum),)*
                    concat!("xor ", $top, ", ", $top),
                    "2:",
                    "mov rdx, [rbp]", "xor eax, eax",
                    product_columns!($w),
                    "mov eax, 0",
                    concat!("adcx ", $top, ", rax"),
                    "mov rdx, r8", "imul rdx, [rsp + 8]", "xor eax, eax",
                    "mulx rax, rcx, [rsi]", "adcx rcx, r8",
                    concat!(columns!($w), top!($w)),
                    product!(@ $top $($sum)*),
                    "add rbp, 8", "dec qword ptr [rsp]", "jnz 2b",
                    "pop rax", "pop rcx", "pop rax",
                    subtract_once!($top: $($sum $at $($less)?),*),
                    "pop rbp", "pop rbx",
                    inout("rdi") a => _, in("rsi") modulus, inout("rdx") b => _,
                    inout("rcx") negated => _, inout("rax") out => _,
                    out("r8") _, out("r9") _, out("r10") _, out("r11") _,
                    out("r12") _, out("r13") _, out("r14") _, out("r15") _,
                )
            }
        }
        kernel
    }};
    // The top limb of the sum of W + 1 limbs moves down.
    (@ $top:literal $last:literal) => {
        concat!("add ", $last, ", ", $top, "\nmov ", $top, ", 0\nadc ", $top, ", 0")
    };
    (@ $top:literal $sum:literal $($more:literal)+) => { product!(@ $top $($more)+) };
}

/// By W - 1.
static PRODUCTS: [Product; MOST] = [
    product!(1, "r9": "r8" "0" "r10"),
    product!(2, "r10": "r8" "0" "r11", "r9" "8" "r12"),
    product!(3, "r11": "r8" "0" "r12", "r9" "8" "r13", "r10" "16" "r14"),
    product!(4, "r12": "r8" "0" "r13", "r9" "8" "r14", "r10" "16" "r15", "r11" "24" "rbx"),
    product!(5, "r13": "r8" "0" "r14", "r9" "8" "r15", "r10" "16" "rbx", "r11" "24" "rcx", "r12" "32" "rdx"),
    product!(6, "r14": "r8" "0" "r15", "r9" "8" "rbx", "r10" "16" "rcx", "r11" "24" "rdx", "r12" "32" "rbp", "r13" "40" "rdi"),
    product!(7, "r15": "r8" "0", "r9" "8", "r10" "16", "r11" "24", "r12" "32", "r13" "40", "r14" "48"),
    product!(8, "rbx": "r8" "0", "r9" "8", "r10" "16", "r11" "24", "r12" "32", "r13" "40", "r14" "48", "r15" "56"),
];

/// `out = a b / B^W mod m` for a below m. The sum stays below 2m after each row, and below `(B + 1) m` within
/// it: that are W + 1 limbs, unless the top limb of m is B - 1.
///
/// # Safety
/// The processor has `mulx`, `adcx` and `adox`. The four have one length, from 1 to [`MOST`].
#[inline]
pub(in super::super) unsafe fn product(out: &mut [u64], a: &[u64], b: &[u64], modulus: &[u64], negated: u64) {
    let kernel = PRODUCTS[modulus.len() - 1];
    // SAFETY: the lengths are equal.
    unsafe { kernel(a.as_ptr(), b.as_ptr(), modulus.as_ptr(), negated, out.as_mut_ptr()) }
}

/// `x = x^2 / B^W mod m`, so many times.
///
/// # Safety
/// As [`product`].
#[inline]
pub(in super::super) unsafe fn squares(x: &mut [u64], times: u32, modulus: &[u64], negated: u64) {
    let (kernel, x, modulus) = (PRODUCTS[modulus.len() - 1], x.as_mut_ptr(), modulus.as_ptr());
    for _ in 0..times {
        // SAFETY: the lengths are equal; the kernel reads its factors before it writes the result.
        unsafe { kernel(x, x, modulus, negated, x) }
    }
}
