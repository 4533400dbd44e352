//! The operations that have a block algorithm and a kernel.

use limbforge_limb::Base;

use super::algorithm::{BlockOperation, Blocked};
use super::div::{Lower, div_rem};
use super::{LengthError, add, mul_classical};
use crate::expr::Expr;

/// `a + b mod B^M`.
///
/// ```
/// use limbforge_algos::block::{Add, BlockAlgorithm};
/// // 2^128 - 1 and 1, with 2 limbs to an instance, 1 to a thread, 4 instances to a block.
/// assert_eq!(Add::<u64, 2, 1, 4>::on_cpu(&[u64::MAX; 2], &[1, 0])?, [0, 0]);
/// # Ok::<(), limbforge_algos::block::LengthError>(())
/// ```
pub type Add<B, const M: usize, const Q: usize, const IPB: usize> = Blocked<Sum, B, M, Q, IPB>;

/// `a * b mod B^M`, by the classical product.
///
/// ```
/// use limbforge_algos::block::{BlockAlgorithm, MulClassical};
/// assert_eq!(MulClassical::<u32, 5, 4, 2>::on_cpu(&[u32::MAX; 5], &[u32::MAX; 5])?, [1, 0, 0, 0, 0]);
/// # Ok::<(), limbforge_algos::block::LengthError>(())
/// ```
pub type MulClassical<B, const M: usize, const Q: usize, const IPB: usize> =
    Blocked<LowProduct, B, M, Q, IPB>;

/// `a * b`, 2M limbs, by the classical product.
///
/// ```
/// use limbforge_algos::block::{BlockAlgorithm, MulWide};
/// assert_eq!(MulWide::<u64, 1, 2, 1>::on_cpu(&[u64::MAX], &[u64::MAX])?, [1, u64::MAX - 1]);
/// # Ok::<(), limbforge_algos::block::LengthError>(())
/// ```
pub type MulWide<B, const M: usize, const Q: usize, const IPB: usize> = Blocked<WideProduct, B, M, Q, IPB>;

/// `floor(a / b)`, 0 where b is 0. The block's numbers have W limbs, `W >= M + 4`; the kernel's M.
///
/// ```
/// use limbforge_algos::block::{BlockAlgorithm, Div};
/// // 2^128 + 1 = (2^64 - 2) (2^64 + 2) + 5, and a division by 0.
/// let quotients = Div::<u64, 3, 7, 4, 2>::on_cpu(&[1, 0, 1, 7, 7, 7], &[2, 1, 0, 0, 0, 0])?;
/// assert_eq!(quotients, [u64::MAX - 1, 0, 0, 0, 0, 0]);
/// # Ok::<(), limbforge_algos::block::LengthError>(())
/// ```
pub type Div<B, const M: usize, const W: usize, const Q: usize, const IPB: usize> =
    Blocked<Quotient<W>, B, M, Q, IPB>;

macro_rules! operations {
    ($(
        $Operation:ident $(<$W:ident>)? of $Type:literal:
        $name:literal, by $step:literal, within a warp: $within_warp:literal, M * $result:literal,
        $expression:expr, |$n:ident, $a:ident, $b:ident, [$B:ident, $M:ident, $Q:ident, $IPB:ident]| $results:expr;
    )*) => {$(
        #[doc = concat!("The operation of [`", $Type, "`].")]
        #[derive(Clone, Copy, Debug)]
        pub struct $Operation$(<const $W: usize>)?;

        impl$(<const $W: usize>)? BlockOperation for $Operation$(<$W>)? {
            const NAME: &'static str = $name;
            const STEP: usize = $step;
            const WITHIN_WARP: bool = $within_warp;
            const RESULT: usize = $result;

            fn expression(a: Expr, b: Expr) -> Expr {
                $expression(a, b)
            }

            fn on_cpu<$B: Base, const $M: usize, const $Q: usize, const $IPB: usize>(
                $n: usize,
                $a: &[$B],
                $b: &[$B],
            ) -> Result<Vec<$B>, LengthError> {
                Ok($results)
            }
        }
    )*};
}

operations! {
    Sum of "Add": "sums", by 1, within a warp: false, M * 1,
        |a, b| a + b, |n, a, b, [B, M, Q, IPB]| add::add_ballot::<B, M, Q, IPB>(n, a, b)?.0;
    LowProduct of "MulClassical": "products", by 4, within a warp: false, M * 1,
        |a, b| a * b, |n, a, b, [B, M, Q, IPB]| mul_classical::mul_low::<B, M, Q, IPB>(n, a, b)?;
    WideProduct of "MulWide": "products", by 4, within a warp: false, M * 2,
        |a: Expr, b: Expr| a.mul_wide(&b), |n, a, b, [B, M, Q, IPB]| mul_classical::mul_wide::<B, M, Q, IPB>(n, a, b)?;
    Quotient<W> of "Div": "divisions", by 4, within a warp: true, M * 1,
        |a, b| a / b, |n, a, b, [B, M, Q, IPB]| div_rem::<B, Lower, M, W, Q, IPB>(n, a, b)?.quotients;
}
