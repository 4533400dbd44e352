//! Products and squares of up to eight limbs without loops: one block of assembly for each number of limbs.
//!
//! The sum above the finished limbs is in registers, whose names move by one from row to row. A row is a
//! `mulx`, an `adcx` and an `adox` for each limb product. Its lowest limb is finished after the first column,
//! so its register takes the row's top limb. No carry leaves that one: both flags are clear after a row. `xor` clears
//! them again, so that the next row does not wait for them.
//!
//! rdi points to the result, rsi to a, rcx to b; rax and rbx are the halves of a product, rbp is zero.

use core::arch::asm;

use super::super::straight::MOST;

#[macro_use]
mod product;
#[macro_use]
mod square;
pub(in super::super) mod montgomery;

/// `(result, a, b)`; a square ignores b.
pub(in super::super) type One = unsafe fn(*mut u64, *const u64, *const u64);

/// `(result, a, b, number of products, limbs from one to the next)`.
pub(in super::super) type Many = unsafe fn(*mut u64, *const u64, *const u64, usize, &[usize; 3]);

/// The kernels of these instructions, for one product and for many.
macro_rules! kernel {
    ($instructions:expr) => {{
        /// # Safety
        /// The pointers are to the limbs of the product; the processor has `mulx`, `adcx` and `adox`.
        #[inline(always)]
        unsafe fn kernel(out: *mut u64, a: *const u64, b: *const u64) {
            // SAFETY: reads and writes within the caller's slices alone; what it pushes, it pops.
            unsafe {
                asm!(
                    "push rbx", "push rbp",
                    $instructions,
                    "pop rbp", "pop rbx",
                    in("rdi") out, in("rsi") a, inout("rcx") b => _, out("rax") _, out("rdx") _,
                    out("r8") _, out("r9") _, out("r10") _, out("r11") _,
                    out("r12") _, out("r13") _, out("r14") _, out("r15") _,
                )
            }
        }
        /// # Safety
        /// As `kernel`, for all products.
        unsafe fn many(
            mut out: *mut u64,
            mut a: *const u64,
            mut b: *const u64,
            count: usize,
            steps: &[usize; 3],
        ) {
            for _ in 0..count {
                // SAFETY: these are the pointers of one product.
                unsafe { kernel(out, a, b) };
                // Behind the last product they point to nothing, and are not used.
                (out, a, b) = (out.wrapping_add(steps[0]), a.wrapping_add(steps[1]), b.wrapping_add(steps[2]));
            }
        }
        (kernel as One, many as Many)
    }};
}
use kernel;

/// The kernel of a full product of factors of so many limbs, from 1 to [`MOST`].
#[inline(always)]
pub(in super::super) fn wide(limbs: usize) -> (One, Many) {
    product::WIDE[limbs - 1]
}

/// As [`wide`], of a low product.
#[inline(always)]
pub(in super::super) fn low(limbs: usize) -> (One, Many) {
    product::LOW[limbs - 1]
}

/// As [`wide`], of a square.
#[inline(always)]
pub(in super::super) fn square(limbs: usize) -> (One, Many) {
    square::SQUARES[limbs - 1]
}
