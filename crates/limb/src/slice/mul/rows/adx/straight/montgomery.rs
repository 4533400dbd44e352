//! Montgomery's product: a full product or a square without loops, and its reduction.
//!
//! Two rows of the reduction of W limbs are Montgomery's: the lowest limb of the sum times `-1/m mod B` is the
//! multiple of m that makes that limb zero. Those before them drop the lowest limb x and add `x (1/B mod m)`
//! instead, which is the same mod m: the next row need not wait for a factor, and its first column is none.
//!
//! The sum is below `x/R + m + m/B` for a product x, `R = B^W`: the rows with 1/B add less than B m, of which
//! the others leave less than m/B, and add `(1 - 1/B^2) m` at most. For residues x is below `m^2`, so that the
//! sum is below 2m if the highest limb of m is below B - 1; otherwise m may be subtracted twice. The second
//! time is a jump that is rare.
//!
//! The sum of W + 1 limbs is in R0 .. R8 = r8 .. r15, rcx, whose names move by one from row to row. rdi points
//! to the product, rsi to the constants, rbp is zero. The stack has, from its top on, the rest of the squares,
//! the address of the constants and that of the result.

use core::mem::MaybeUninit;

use super::{MOST, asm};
use crate::slice::mul::rows::montgomery::Constants;

#[macro_use]
mod reduction;

/// `(room for 2 W limbs, a, b, constants, result, number of products)`.
type Kernel = unsafe fn(*mut u64, *const u64, *const u64, *const Constants, *mut u64, usize);

macro_rules! montgomery {
    ($product:ident $w:tt) => {{
        /// # Safety
        /// The pointers are to the limbs of the product; the processor has `mulx`, `adcx` and `adox`.
        unsafe fn kernel(
            room: *mut u64,
            a: *const u64,
            b: *const u64,
            constants: *const Constants,
            out: *mut u64,
            count: usize,
        ) {
            // SAFETY: reads and writes within the caller's slices alone; what it pushes, it pops.
            unsafe {
                asm!(
                    "push rbx", "push rbp", "push r8", "push rdx", "push rax",
                    "2:",
                    $product!($w),
                    "mov rsi, [rsp + 8]", "xor ebp, ebp",
                    lower_half!($w),
                    reduction_of!($w),
                    "mov rsi, rax",
                    "dec qword ptr [rsp]", "jnz 2b",
                    "add rsp, 24",
                    "pop rbp", "pop rbx",
                    in("rdi") room, inout("rsi") a => _, inout("rcx") b => _, inout("rax") count => _,
                    inout("rdx") constants => _, inout("r8") out => _, out("r9") _, out("r10") _, out("r11") _,
                    out("r12") _, out("r13") _, out("r14") _, out("r15") _,
                )
            }
        }
        kernel as Kernel
    }};
}

macro_rules! kernels {
    ($product:ident: $($w:tt)*) => { [$(montgomery!($product $w)),*] };
}

/// By W - 1.
static PRODUCTS: [Kernel; MOST] = kernels!(wide_of: 1 2 3 4 5 6 7 8);
static SQUARES: [Kernel; MOST] = kernels!(square_of: 1 2 3 4 5 6 7 8);

/// `out = a b / B^W mod m`, for a below m and W limbs of each.
///
/// # Safety
/// The processor has `mulx`, `adcx` and `adox`; the pointers are to W limbs, from 1 to [`MOST`]. The result may
/// be in the place of a factor.
#[inline]
pub(in super::super::super) unsafe fn product(
    limbs: usize,
    out: *mut u64,
    a: *const u64,
    b: *const u64,
    constants: &Constants,
) {
    let mut room = [const { MaybeUninit::<u64>::uninit() }; 2 * MOST];
    // SAFETY: the room is for the longest product.
    unsafe { PRODUCTS[limbs - 1](room.as_mut_ptr().cast(), a, b, constants, out, 1) }
}

/// `x = x^2 / B^W mod m`, so many times.
///
/// # Safety
/// As [`product`].
#[inline]
pub(in super::super::super) unsafe fn squares(limbs: usize, x: *mut u64, times: u32, constants: &Constants) {
    if times == 0 {
        return;
    }
    let mut room = [const { MaybeUninit::<u64>::uninit() }; 2 * MOST];
    // SAFETY: the room is for the longest square. There is one square at least.
    unsafe { SQUARES[limbs - 1](room.as_mut_ptr().cast(), x, x, constants, x, times as usize) }
}
