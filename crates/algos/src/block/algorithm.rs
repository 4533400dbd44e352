//! Block algorithms as types: the limb, M, Q and IPB, checked by the compiler, determine exactly one kernel.

use core::marker::PhantomData;

use const_panic::concat_assert;
use limbforge_limb::Base;

use super::LengthError;
use super::warp::WARP;
use crate::expr::Expr;

/// An algorithm on two batches of integers of M limbs, instance by instance, with all parameters chosen.
///
/// It runs on the CPU in the steps of a thread block ([`on_cpu`](Self::on_cpu));
/// `limbforge_kernels_gen::BlockKernel` renders the kernel with the same parameters.
pub trait BlockAlgorithm {
    /// The limb.
    type Limb: Base;
    /// M: limbs of an instance of an operand.
    const LIMBS: usize;
    /// Limbs of an instance of the result.
    const RESULT_LIMBS: usize;
    /// Fails to compile if no kernel has these parameters. [`block_algorithm!`](crate::block_algorithm)
    /// evaluates it where a type is named, everything else where it is used.
    const CHECKED: ();

    /// The results for N instances.
    ///
    /// # Errors
    /// [`LengthError`] unless both operands have N M limbs.
    fn on_cpu(a: &[Self::Limb], b: &[Self::Limb]) -> Result<Vec<Self::Limb>, LengthError>;
}

/// An operation of two operands that blocks compute for any M, Q and IPB.
pub trait BlockOperation {
    /// Its name in the plural, as in "products".
    const NAME: &'static str;
    /// Words of 32 bits that a thread of its kernel computes together.
    const STEP: usize;
    /// Whether its kernel computes an instance within a warp.
    const WITHIN_WARP: bool;
    /// Limbs of a result per limb of an operand.
    const RESULT: usize;

    /// The expression that its kernel computes.
    fn expression(a: Expr, b: Expr) -> Expr;

    /// The results for n instances.
    ///
    /// # Errors
    /// [`LengthError`] unless both operands have n M limbs.
    fn on_cpu<B: Base, const M: usize, const Q: usize, const IPB: usize>(
        n: usize,
        a: &[B],
        b: &[B],
    ) -> Result<Vec<B>, LengthError>;
}

/// The operation `O` on integers of M limbs `B`, with Q limbs to a thread and IPB instances to a block.
#[derive(Clone, Copy, Debug)]
pub struct Blocked<O, B, const M: usize, const Q: usize, const IPB: usize>(PhantomData<(O, B)>);

impl<O: BlockOperation, B: Base, const M: usize, const Q: usize, const IPB: usize> BlockAlgorithm
    for Blocked<O, B, M, Q, IPB>
{
    type Limb = B;
    const LIMBS: usize = M;
    const RESULT_LIMBS: usize = O::RESULT * M;
    const CHECKED: () = {
        let instance_threads = threads::<B>(M, Q, IPB);
        let several = O::WITHIN_WARP && instance_threads > 1;
        concat_assert!(
            !O::WITHIN_WARP || instance_threads <= WARP,
            display: O::NAME,
            " take a warp at most: M = ",
            M,
            " and Q = ",
            Q,
            " are ",
            instance_threads,
            " threads; choose a larger Q"
        );
        let (step, words) = (if several { 2 * O::STEP } else { O::STEP }, Q * B::BITS as usize / 32);
        concat_assert!(
            words.is_multiple_of(step),
            display: O::NAME,
            " take ",
            step,
            " words of 32 bits at a time: Q = ",
            Q,
            " limbs of ",
            B::BITS,
            " bits are ",
            words
        );
    };

    fn on_cpu(a: &[B], b: &[B]) -> Result<Vec<B>, LengthError> {
        const { Self::CHECKED };
        O::on_cpu::<B, M, Q, IPB>(a.len() / M, a, b)
    }
}

impl<O: BlockOperation, B: Base, const M: usize, const Q: usize, const IPB: usize> Blocked<O, B, M, Q, IPB> {
    /// The expression of the variables `a` and `b` that the kernel computes.
    #[must_use]
    pub fn expression() -> Expr {
        const { Self::CHECKED };
        O::expression(Expr::input("a"), Expr::input("b"))
    }
}

/// Threads of an instance in a kernel: a power of two within a warp, else whole warps.
const fn threads<B: Base>(m: usize, q: usize, ipb: usize) -> usize {
    let bits = B::BITS;
    concat_assert!(
        matches!(bits, 32 | 64 | 128),
        "kernels take limbs of 32, 64 and 128 bits: this limb has ",
        bits
    );
    concat_assert!(m > 0 && ipb > 0, "a block needs M and IPB of 1 or more: M = ", m, " and IPB = ", ipb);
    let words = q.saturating_mul(bits as usize / 32);
    concat_assert!(
        words >= 1 && words <= MOST_WORDS,
        "a thread has 1 to ",
        MOST_WORDS,
        " words of 32 bits: Q = ",
        q,
        " limbs of ",
        bits,
        " bits are ",
        words
    );
    let threads = m.div_ceil(q);
    let threads = if threads <= WARP { threads.next_power_of_two() } else { threads.next_multiple_of(WARP) };
    let block = ipb.saturating_mul(threads).next_multiple_of(WARP);
    concat_assert!(
        block <= 1024,
        "a block has at most 1024 threads: M = ",
        m,
        ", Q = ",
        q,
        " and IPB = ",
        ipb,
        " take ",
        block,
        "; choose a larger Q or a smaller IPB"
    );
    threads
}

/// Largest number of 32-bit words of a thread.
const MOST_WORDS: usize = 64;

/// Names block algorithms and checks their parameters, so that `cargo check` reports those without a kernel:
///
/// ```
/// use limbforge_algos::block::{BlockAlgorithm, MulClassical};
///
/// limbforge_algos::block_algorithm! {
///     /// Products of 4096 bits.
///     pub type Product = MulClassical<u64, 64, 4, 8>;
/// }
/// assert_eq!(Product::on_cpu(&[3; 64], &[5; 64])?[..2], [15, 30]);
/// # Ok::<(), limbforge_algos::block::LengthError>(())
/// ```
///
/// Threads without limbs ("a thread has 1 to 64 words of 32 bits: Q = 0 limbs of 64 bits are 0"):
/// ```compile_fail,E0080
/// limbforge_algos::block_algorithm! { type NoLimbs = limbforge_algos::block::Add<u64, 64, 0, 8>; }
/// ```
///
/// A product that would round Q ("products take 4 words of 32 bits at a time: Q = 3 limbs of 64 bits are 6"):
/// ```compile_fail,E0080
/// limbforge_algos::block_algorithm! { type Odd = limbforge_algos::block::MulClassical<u64, 64, 3, 8>; }
/// ```
///
/// A large block ("a block has at most 1024 threads: M = 64, Q = 4 and IPB = 100 take 1600; choose a larger Q
/// or a smaller IPB"):
/// ```compile_fail,E0080
/// limbforge_algos::block_algorithm! { type Large = limbforge_algos::block::MulClassical<u64, 64, 4, 100>; }
/// ```
#[macro_export]
macro_rules! block_algorithm {
    ($($(#[$attribute:meta])* $visibility:vis type $Name:ident = $Algorithm:ty;)+) => {$(
        $(#[$attribute])*
        $visibility type $Name = $Algorithm;

        const _: () = <$Name as $crate::block::BlockAlgorithm>::CHECKED;
    )+};
}
