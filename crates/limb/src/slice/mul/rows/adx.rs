//! Rows of products in x86-64 assembly: `mulx` leaves the flags alone, and `adcx` and `adox` add along two
//! carry chains at once, one in CF and one in OF. Rust's carries compile to one chain in CF.
//!
//! A kernel multiplies W <= 8 limbs of a, from memory, by one limb of b after the other. The W limbs of the
//! sum above the finished ones stay in registers R0 .. R7 = r8 .. r15. A row adds `b[j] * a`, stores the
//! lowest limb and moves the others down by one, without a move instruction: the low half of product i + 1
//! is written to `R_i`, to which `R_{i+1}` and the high half of product i are added.
//!
//! rsi points to a, rbx and rdi behind the last b and result limb of the loop, rbp counts up to 0; rax and
//! rcx are high halves by turns.

#![allow(unsafe_code, reason = "assembly and its pointers")]

use core::arch::asm;

use super::{MOST, Pass};

#[macro_use]
mod line;
#[macro_use]
mod block;
#[macro_use]
mod row;
pub(super) mod cross;
pub(super) mod doubling;
pub(super) mod full;
pub(super) mod low;
pub(super) mod matrix;
pub(super) mod middle;
pub(super) mod multiple;
pub(super) mod reduction;
pub(super) mod straight;

/// The rows of a square's triangle before the loop, of 1 to W - 1 columns.
macro_rules! rising {
    ($w:tt, no, $add:tt) => { "" };
    (1, yes, $add:tt) => { "" };
    (2, yes, $add:tt) => { rising!(@ $add: 1 "-8") };
    (3, yes, $add:tt) => { rising!(@ $add: 1 "-16" 2 "-8") };
    (4, yes, $add:tt) => { rising!(@ $add: 1 "-24" 2 "-16" 3 "-8") };
    (5, yes, $add:tt) => { rising!(@ $add: 1 "-32" 2 "-24" 3 "-16" 4 "-8") };
    (6, yes, $add:tt) => { rising!(@ $add: 1 "-40" 2 "-32" 3 "-24" 4 "-16" 5 "-8") };
    (7, yes, $add:tt) => { rising!(@ $add: 1 "-48" 2 "-40" 3 "-32" 4 "-24" 5 "-16" 6 "-8") };
    (8, yes, $add:tt) => { rising!(@ $add: 1 "-56" 2 "-48" 3 "-40" 4 "-32" 5 "-24" 6 "-16" 7 "-8") };
    (@ $add:tt: $($w:tt $at:literal)*) => { concat!($(row!($w, $at, $add), top!($w)),*) };
}

/// The rows of a low product behind the loop, of W to 1 columns without top limbs; or the limbs of the sum.
macro_rules! falling {
    ($w:tt, no, $add:tt) => { concat!("pop rax\n", stores!($w)) };
    ($w:tt, yes, $add:tt) => { concat!("pop rax\n", falling!($w, $add)) };
    (1, $add:tt) => { falling!(@ $add: 1 "0") };
    (2, $add:tt) => { falling!(@ $add: 2 "0" 1 "8") };
    (3, $add:tt) => { falling!(@ $add: 3 "0" 2 "8" 1 "16") };
    (4, $add:tt) => { falling!(@ $add: 4 "0" 3 "8" 2 "16" 1 "24") };
    (5, $add:tt) => { falling!(@ $add: 5 "0" 4 "8" 3 "16" 2 "24" 1 "32") };
    (6, $add:tt) => { falling!(@ $add: 6 "0" 5 "8" 4 "16" 3 "24" 2 "32" 1 "40") };
    (7, $add:tt) => { falling!(@ $add: 7 "0" 6 "8" 5 "16" 4 "24" 3 "32" 2 "40" 1 "48") };
    (8, $add:tt) => { falling!(@ $add: 8 "0" 7 "8" 6 "16" 5 "24" 4 "32" 3 "40" 2 "48" 1 "56") };
    (@ $add:tt: $($w:tt $at:literal)*) => { concat!($(row!($w, $at, $add)),*) };
}

/// Writes W limbs of the sum to `[rax]`.
macro_rules! stores {
    (1) => {
        "mov [rax], r8\n"
    };
    (2) => {
        concat!(stores!(1), "mov [rax + 8], r9\n")
    };
    (3) => {
        concat!(stores!(2), "mov [rax + 16], r10\n")
    };
    (4) => {
        concat!(stores!(3), "mov [rax + 24], r11\n")
    };
    (5) => {
        concat!(stores!(4), "mov [rax + 32], r12\n")
    };
    (6) => {
        concat!(stores!(5), "mov [rax + 40], r13\n")
    };
    (7) => {
        concat!(stores!(6), "mov [rax + 48], r14\n")
    };
    (8) => {
        concat!(stores!(7), "mov [rax + 56], r15\n")
    };
}

/// `(a, b and result behind the loop's last row, rows of the loop, where the top limbs go)`.
type Kernel = unsafe fn(*const u64, *const u64, *mut u64, usize, *mut u64);

macro_rules! kernel {
    ($w:tt, $rising:tt, $falling:tt, $add:tt) => {{
        /// # Safety
        /// As [`pass`] says; the processor has `mulx`, `adcx` and `adox`.
        unsafe fn kernel(a: *const u64, b_end: *const u64, out_end: *mut u64, rows: usize, top: *mut u64) {
            // SAFETY: reads and writes within the caller's slices alone; what it pushes, it pops.
            unsafe {
                asm!(
                    "push rbx", "push rbp", "push rax",
                    "mov rbx, rcx", "mov rbp, rdx",
                    "xor r8d, r8d", "xor r9d, r9d", "xor r10d, r10d", "xor r11d, r11d",
                    "xor r12d, r12d", "xor r13d, r13d", "xor r14d, r14d", "xor r15d, r15d",
                    rising!($w, $rising, $add),
                    block!($w, $add),
                    "test rbp, rbp", "jz 3f",
                    "2:",
                    concat!(row!($w, "0", $add), top!($w)),
                    "inc rbp", "jnz 2b",
                    "3:",
                    falling!($w, $falling, $add),
                    "pop rbp", "pop rbx",
                    in("rsi") a, in("rdi") out_end,
                    inout("rcx") b_end => _, inout("rdx") rows.wrapping_neg() => _, inout("rax") top => _,
                    out("r8") _, out("r9") _, out("r10") _, out("r11") _,
                    out("r12") _, out("r13") _, out("r14") _, out("r15") _,
                )
            }
        }
        kernel
    }};
}

macro_rules! kernels {
    ($rising:tt, $falling:tt, $add:tt: $($w:tt)*) => {
        [$(kernel!($w, $rising, $falling, $add) as Kernel),*]
    };
}

/// By [`Shape`](super::Shape), set or add, and W - 1.
static KERNELS: [[[Kernel; MOST]; 2]; 4] = [
    [kernels!(no, no, set: 1 2 3 4 5 6 7 8), kernels!(no, no, add: 1 2 3 4 5 6 7 8)],
    [kernels!(no, yes, set: 1 2 3 4 5 6 7 8), kernels!(no, yes, add: 1 2 3 4 5 6 7 8)],
    [kernels!(yes, no, set: 1 2 3 4 5 6 7 8), kernels!(yes, no, add: 1 2 3 4 5 6 7 8)],
    [kernels!(yes, yes, set: 1 2 3 4 5 6 7 8), kernels!(yes, yes, add: 1 2 3 4 5 6 7 8)],
];

/// As [`portable::pass`](super::portable::pass), for arguments that [`super::pass`] has checked.
///
/// # Safety
/// The processor has `mulx`, `adcx` and `adox`. The lengths are those of [`super::pass`].
pub(super) unsafe fn pass(pass: Pass, out: &mut [u64], top: &mut [u64], a: &[u64], b: &[u64]) {
    let (width, below, above) = (a.len(), pass.shape.starts_below(), pass.shape.ends_low());
    let end = b.len() - if above { width } else { 0 };
    let rows = end - if below { width } else { 0 };
    let kernel = KERNELS[pass.shape as usize][usize::from(pass.add)][width - 1];
    // SAFETY: rows `0..b.len()` read a, b and out; top has `width` limbs unless the shape ends low.
    unsafe {
        let (b_end, out_end) = (b.as_ptr().add(end), out.as_mut_ptr().add(end));
        kernel(a.as_ptr(), b_end, out_end, rows, top.as_mut_ptr());
    }
}
