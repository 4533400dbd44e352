//! Division in a thread block, by a shifted inverse in either form: the specification of kernels that divide
//! so.
//!
//! | step | of a block |
//! | --- | --- |
//! | 1 | lengths k + 1 of the divisors; T, one precision for all instances of the block |
//! | 2 | the [`Inverse`] `w`, about `B^(k+T) / v`: [`Lower`] from below, or [`Watt`]'s to either side |
//! | 3 | `q = floor(u w / B^(k+T))`, by the wide product of [`mul_classical`](crate::block::mul_classical) |
//! | 4 | `r = u - q v`, a residue modulo a power of B, and as many corrections as the inverse may need |
//!
//! Both inverses come from the same Newton step, and differ in how they cut the divisor and what they keep of
//! the power difference. All threads go through the same steps, as precisions are those of the longest
//! quotient in the block; where an instance's divisor begins is its own, and shifts by amounts for each
//! instance bring it into place. More precision than a quotient needs does no harm. A divisor `B^k` has the
//! inverse `B^T`, and `u < v` needs no path of its own.
//!
//! An inverse and the power difference are longer than the operands ("two guard limbs do not fit"), so the
//! block's numbers have W limbs, at least `M + ROOM` ([`Inverse::ROOM`]). `docs/div.md` has the proofs.

use limbforge_limb::{Base, DivisionByZero};

use crate::block::{Block, LengthError, Registers, for_each_block};
use divide::divide;
use numbers::powers;

mod divide;
mod inverse;
mod lower;
mod newton;
mod numbers;
mod watt;

pub use inverse::Inverse;
pub use lower::Lower;
pub use watt::Watt;

/// Quotients and remainders of a batch, 0 where the divisor is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divided<B> {
    /// `floor(u / v)`, n * M limbs.
    pub quotients: Vec<B>,
    /// `u mod v`, n * M limbs.
    pub remainders: Vec<B>,
    /// The correction of each estimated quotient, `-ABOVE..=BELOW` of the inverse, or why there is none.
    pub corrections: Vec<Result<i32, DivisionByZero>>,
}

/// Why there are no inverses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShinvError {
    /// A batch of another length.
    #[error(transparent)]
    Length(#[from] LengthError),
    /// `B^h` has more than M limbs.
    #[error("the power B^{h} has more limbs than its inverses: expected an exponent below {limbs}")]
    Power {
        /// The exponent.
        h: usize,
        /// M.
        limbs: usize,
    },
}

/// `floor(u / v)` and `u mod v` for each of `n` instances of M limbs, in blocks of numbers of W limbs.
///
/// `W >= M + I::ROOM` and `M < B`; other parameters do not compile.
///
/// ```
/// use limbforge_algos::block::div::{Lower, div_rem};
/// // 2^128 + 1 = (2^64 - 2) (2^64 + 2) + 5, and a division by 0.
/// let divided = div_rem::<u64, Lower, 3, 7, 2, 2>(2, &[1, 0, 1, 7, 7, 7], &[2, 1, 0, 0, 0, 0])?;
/// assert_eq!(divided.quotients, [u64::MAX - 1, 0, 0, 0, 0, 0]);
/// assert_eq!(divided.remainders, [5, 0, 0, 0, 0, 0]);
/// assert!(divided.corrections[0].is_ok() && divided.corrections[1].is_err());
/// # Ok::<(), limbforge_algos::block::LengthError>(())
/// ```
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn div_rem<B: Base, I: Inverse, const M: usize, const W: usize, const Q: usize, const IPB: usize>(
    n: usize,
    u: &[B],
    v: &[B],
) -> Result<Divided<B>, LengthError> {
    LengthError::check(n, M, u.len())?;
    divide_batch::<B, I, M, W, Q, IPB>(n, v, |block| block.load_short(u, M))
}

/// `floor(B^h / v)`, exactly, for each of `n` divisors of M limbs and `h < M`: the quotients, and the
/// remainders of `B^h`.
///
/// Parameters as for [`div_rem`].
///
/// # Errors
/// [`ShinvError`] if the operand is not `n * M` limbs, or `h >= M`.
pub fn shinv<B: Base, I: Inverse, const M: usize, const W: usize, const Q: usize, const IPB: usize>(
    n: usize,
    v: &[B],
    h: usize,
) -> Result<Divided<B>, ShinvError> {
    if h >= M {
        return Err(ShinvError::Power { h, limbs: M });
    }
    Ok(divide_batch::<B, I, M, W, Q, IPB>(n, v, |block| Ok(powers(block, &vec![h; block.instances()])))?)
}

fn divide_batch<B: Base, I: Inverse, const M: usize, const W: usize, const Q: usize, const IPB: usize>(
    n: usize,
    v: &[B],
    dividends: impl Fn(&Block<W, Q, IPB>) -> Result<Registers<B, Q>, LengthError>,
) -> Result<Divided<B>, LengthError> {
    const {
        assert!(W >= M + I::ROOM, "an inverse is longer than its operands: choose W >= M + ROOM");
        assert!(B::BITS >= usize::BITS || M < 1 << B::BITS, "columns of a product have at most B + 1 terms");
    }
    LengthError::check(n, M, v.len())?;
    let results = || vec![B::ZERO; n * M];
    let mut out = Divided { quotients: results(), remainders: results(), corrections: vec![] };
    for_each_block::<W, Q, IPB, _>(n, |block| {
        let (u, v) = (dividends(block)?, block.load_short(v, M)?);
        let (q, r, corrections) = divide::<B, I, W, Q, IPB>(block, &u, &v);
        for (out, registers) in [(&mut out.quotients, q), (&mut out.remainders, r)] {
            block.store_shared(out, M, &block.scatter(&registers), Block::<W, Q, IPB>::STRIDE);
        }
        out.corrections.extend(corrections);
        Ok(())
    })?;
    Ok(out)
}
