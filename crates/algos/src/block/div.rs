//! Division in a thread block, by a shifted inverse in either form.
//!
//! | step | computation |
//! | --- | --- |
//! | 1 | lengths k + 1 of the divisors; T, one precision for all instances of the block |
//! | 2 | the [`Inverse`] `w`, about `B^(k+T) / v`: [`Lower`] from below, or [`Watt`] to either side |
//! | 3 | `q = floor(u w / B^(k+T))`, by the wide product of [`mul_classical`](crate::block::mul_classical) |
//! | 4 | `r = u - q v`, a residue modulo a power of B, and as many corrections as the inverse may need |
//!
//! Both inverses come from the same Newton step. They differ in how they cut the divisor and how much of the
//! power difference they keep. All threads take the same steps: precisions are those of the longest quotient
//! in the block, and more precision than a quotient needs does no harm. Divisors begin at different limbs, so
//! shifts by an amount for each instance bring them into place. A divisor `B^k` has the inverse `B^T`, and
//! `u < v` is no special case.
//!
//! An inverse and the power difference are longer than the operands ("two guard limbs do not fit"), so the
//! block's numbers have W limbs, at least `M + ROOM` ([`Inverse::ROOM`]). `docs/div.md` has the proofs.

use core::cmp::Ordering;

use limbforge_limb::{Base, DivisionByZero};

use crate::block::add::{Borrow, Carry, CarryRule};
use crate::block::{Block, LengthError, Registers};

mod inverse;
mod numbers;

pub use inverse::{Inverse, Lower, Watt};

/// Quotients and remainders of a batch, 0 where the divisor is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divided<B> {
    /// `floor(u / v)`, n * M limbs.
    pub quotients: Vec<B>,
    /// `u mod v`, n * M limbs.
    pub remainders: Vec<B>,
    /// The correction of each estimated quotient, `-ABOVE..=BELOW` of the inverse, or [`DivisionByZero`].
    pub corrections: Vec<Result<i32, DivisionByZero>>,
}

/// Failure of [`shinv`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShinvError {
    /// The batch has another length.
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
    divide_batch::<B, I, M, W, Q, IPB>(n, v, |block| block.read(u, M))
}

/// `floor(B^h / v)`, exactly, for each of `n` divisors of M limbs and `h < M`: the quotients, and the
/// remainders of `B^h`. Parameters as for [`div_rem`].
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
    Ok(divide_batch::<B, I, M, W, Q, IPB>(n, v, |block| block.powers(&vec![h; block.instances()]))?)
}

fn divide_batch<B: Base, I: Inverse, const M: usize, const W: usize, const Q: usize, const IPB: usize>(
    n: usize,
    v: &[B],
    dividends: impl Fn(&Block<W, Q, IPB>) -> Registers<B, Q>,
) -> Result<Divided<B>, LengthError> {
    const {
        assert!(W >= M + I::ROOM, "an inverse is longer than its operands: choose W >= M + ROOM");
        assert!(B::BITS >= usize::BITS || M < 1 << B::BITS, "columns of a product have at most B + 1 terms");
    }
    LengthError::check(n, M, v.len())?;
    let mut out = Divided { quotients: vec![], remainders: vec![], corrections: vec![] };
    for block in Block::<W, Q, IPB>::grid(n) {
        let (results, corrections) = block.divide::<B, I>(&dividends(&block), &block.read(v, M));
        let [quotients, remainders] = results.map(|results| block.write(&block.scatter(&results), 1, M));
        out.quotients.extend(quotients);
        out.remainders.extend(remainders);
        out.corrections.extend(corrections);
    }
    Ok(out)
}

/// Quotients and remainders.
type Pair<B, const Q: usize> = [Registers<B, Q>; 2];

impl<const W: usize, const Q: usize, const IPB: usize> Block<W, Q, IPB> {
    /// Quotients, remainders and the corrections of the estimates, in registers, for operands of at most
    /// `W - I::ROOM` limbs.
    fn divide<B: Base, I: Inverse>(
        &self,
        u: &[[B; Q]],
        v: &[[B; Q]],
    ) -> (Pair<B, Q>, Vec<Result<i32, DivisionByZero>>) {
        let zero: Vec<bool> = self.lengths(v).into_iter().map(|len| len == 0).collect();
        // Divisors 0 are replaced by 1, so that all instances take the same steps.
        let (v, _) = self.combine_by_scan(Carry, v, &self.ones_where(&zero));
        let k: Vec<usize> = self.lengths(&v).into_iter().map(|len| len - 1).collect();
        let limbs = self.lengths(u).into_iter().zip(&k).map(|(len, &k)| len.saturating_sub(k));
        let t = I::precision(limbs.max().unwrap_or(1).max(1));

        let w = I::inverse(self, &v, &k, t);
        let is_power = self.equal(&v, &self.powers(&k));
        let w = self.select(&is_power, &self.powers(&vec![t; k.len()]), &w);
        let [low, high] = self.mul_wide(u, Some(&w));
        let unit: Vec<usize> = k.iter().map(|k| k + t).collect();
        let estimate = self.upper_limbs([&low, &high], &unit);

        let (pair, corrections) = self.corrected::<B, I>(u, &v, estimate);
        let corrections = corrections.into_iter().zip(&zero);
        let corrections = corrections.map(|(by, &zero)| if zero { Err(DivisionByZero) } else { Ok(by) });
        (pair.map(|part| self.select(&zero, &Self::zeros(), &part)), corrections.collect())
    }

    /// The estimate's remainder mod `B^W` is between `-ABOVE v` and `(BELOW + 1) v`. Its sign in two's
    /// complement decides whether to add the divisor, a comparison whether to subtract it.
    fn corrected<B: Base, I: Inverse>(
        &self,
        u: &[[B; Q]],
        v: &[[B; Q]],
        estimate: Registers<B, Q>,
    ) -> (Pair<B, Q>, Vec<i32>) {
        let (remainder, _) = self.combine_by_scan(Borrow, u, &self.mul_low(&estimate, Some(v)));
        let mut pair = [estimate, remainder];
        let mut corrections = vec![0; self.instances()];
        for _ in 0..I::ABOVE {
            let wrong = self.negatives(&pair[1]);
            pair = self.moved(Borrow, Carry, pair, v, &wrong);
            corrections.iter_mut().zip(wrong).for_each(|(by, wrong)| *by -= i32::from(wrong));
        }
        for _ in 0..I::BELOW {
            let orders = self.compare(&pair[1], v).into_iter();
            let wrong: Vec<bool> = orders.map(|order| order != Ordering::Less).collect();
            pair = self.moved(Carry, Borrow, pair, v, &wrong);
            corrections.iter_mut().zip(wrong).for_each(|(by, wrong)| *by += i32::from(wrong));
        }
        (pair, corrections)
    }

    /// Quotients moved by one and remainders by the divisor, each in its direction, where they are wrong.
    fn moved<B: Base>(
        &self,
        of_quotient: impl CarryRule,
        of_remainder: impl CarryRule,
        [q, r]: Pair<B, Q>,
        v: &[[B; Q]],
        wrong: &[bool],
    ) -> Pair<B, Q> {
        let (q, _) = self.combine_by_scan(of_quotient, &q, &self.ones_where(wrong));
        let (r, _) = self.combine_by_scan(of_remainder, &r, &self.select(wrong, v, &Self::zeros()));
        [q, r]
    }
}
