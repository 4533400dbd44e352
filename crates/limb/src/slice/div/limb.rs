//! Division by one limb with a precomputed inverse (Moeller and Granlund 2011, algorithms 2 and 4).
//!
//! Each step of a division waits for the remainder of the step before, which takes two products. Therefore
//! the halves of a long dividend are divided at the same time. The lower half starts with the remainder of
//! the upper half, from a chain whose step takes one product and two sums (Moeller's `mpn_div_qr_1n_pi1` in
//! GMP). Let d be the divisor, shifted until its top bit is set, and `e = B^2 - k d` with e from 1 to d. The
//! chain keeps two limbs `r1 B + r0` that are congruent to the remainder so far. With the next limb u, that
//! becomes `r1 e + r0 B + u`; if it reaches `B^2`, e replaces the `B^2`.

use core::hint;

use super::reciprocal::inverse;
use crate::slice::{bits, shift};
use crate::{base::Base, error::DivisionByZero, wide::Wide};

/// Dividends of this many limbs or more are divided as two halves. Measured.
const MIN_HALVES: usize = 8;
/// Dividends of this many limbs or more are worth the computation of the inverse.
pub const MIN_LEN: usize = 3;

/// A divisor of one limb with its inverse, for dividends of many limbs or many dividends.
///
/// ```
/// use limbforge_limb::slice::div::LimbDivisor;
/// let ten = LimbDivisor::new(10_u64)?;
/// let mut number = [7, 1]; // 2^64 + 7
/// assert_eq!((ten.div_rem(&mut number), number), (3, [0x1999_9999_9999_999a, 0]));
/// # Ok::<(), limbforge_limb::DivisionByZero>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimbDivisor<B> {
    /// The divisor times `2^shift`: its top bit is set.
    divisor: B,
    inverse: B,
    /// `B^2` minus a multiple of the divisor, from 1 to the divisor.
    square: B,
    shift: u32,
}

impl<B: Base> LimbDivisor<B> {
    /// The divisor with its inverse.
    ///
    /// # Errors
    /// [`DivisionByZero`] if it is zero.
    pub fn new(divisor: B) -> Result<Self, DivisionByZero> {
        if divisor == B::ZERO {
            return Err(DivisionByZero);
        }
        let shift = divisor.leading_zeros();
        let divisor = divisor << shift as usize;
        let inverse = inverse(divisor);
        // The multiple is (B + inverse) divisor.
        let square = B::ZERO.wrapping_sub(divisor.widening_mul(inverse).low());
        Ok(Self { divisor, inverse, square, shift })
    }

    /// `acc = floor(acc / divisor)`; returns the remainder.
    pub fn div_rem(&self, acc: &mut [B]) -> B {
        let above = shift::shl_bits_assign(acc, self.shift);
        self.div_rem_shifted(acc, above)
    }

    /// `quotient = floor(a / divisor)`; returns the remainder. Zeros at the top of `a` cost little.
    ///
    /// # Panics
    /// Unless the quotient has as many limbs as `a`.
    pub fn div_rem_into(&self, quotient: &mut [B], a: &[B]) -> B {
        assert_eq!(quotient.len(), a.len(), "a quotient sized as the dividend");
        let a = bits::significant(a);
        let (quotient, above) = quotient.split_at_mut(a.len());
        if !above.is_empty() {
            above.fill(B::ZERO);
        }
        if a.len() < MIN_HALVES {
            return self.div_rem_short(quotient, a);
        }
        let above = shift::shl_bits(quotient, a, self.shift);
        self.div_rem_shifted(quotient, above)
    }

    /// As [`div_rem_into`](Self::div_rem_into), one limb after the other, which are shifted as they are read.
    #[inline(always)]
    fn div_rem_short(&self, quotient: &mut [B], a: &[B]) -> B {
        let mut rest = a.last().map_or(B::ZERO, |&top| shift::join(B::ZERO, top, self.shift));
        for (i, digit) in quotient.iter_mut().enumerate().rev() {
            *digit = shift::join(a[i], if i == 0 { B::ZERO } else { a[i - 1] }, self.shift);
            rest = self.step(rest, digit);
        }
        rest >> self.shift as usize
    }

    /// Divides `acc = a 2^shift`, with the limb `above` on top of it, in place.
    fn div_rem_shifted(&self, acc: &mut [B], above: B) -> B {
        // A product of wide limbs consists of many independent products.
        let half = if acc.len() < MIN_HALVES || B::BITS > u64::BITS { 0 } else { acc.len() / 2 };
        let (low, high) = acc.split_at_mut(half);
        let (high, odd) = high.split_at_mut(if half == 0 { 0 } else { half });
        let above = odd.iter_mut().rev().fold(above, |above, limb| self.step(above, limb));
        let between = self.residue(above, high.iter().rev().copied());
        let halves = low.iter_mut().rev().zip(high.iter_mut().rev());
        let (rest, _) = halves.fold((between, above), |(between, above), (low, high)| {
            (self.step(between, low), self.step(above, high))
        });
        rest >> self.shift as usize
    }

    /// Replaces a limb of the dividend by the limb of the quotient; returns the remainder.
    #[inline(always)]
    fn step(&self, above: B, limb: &mut B) -> B {
        let rest;
        (*limb, rest) = div_two_by_one(above, *limb, self.divisor, self.inverse);
        rest
    }

    /// `a mod divisor`.
    #[must_use]
    pub fn rem(&self, a: &[B]) -> B {
        let (Some(&lowest), Some(&top)) = (a.first(), a.last()) else { return B::ZERO };
        let shifted = a.windows(2).rev().map(|pair| shift::join(pair[1], pair[0], self.shift));
        let limbs = shifted.chain([lowest << self.shift as usize]);
        self.residue(shift::join(B::ZERO, top, self.shift), limbs) >> self.shift as usize
    }

    /// The remainder of the number with the top limb `above < divisor` and then `limbs`, from the top.
    #[inline(always)]
    fn residue(&self, above: B, mut limbs: impl Iterator<Item = B>) -> B {
        let Some(low) = limbs.next() else { return above };
        let (high, low) = limbs.fold((above, low), |(high, low), limb| self.residue_step(high, low, limb));
        let high = high.wrapping_sub(choose(high >= self.divisor, self.divisor));
        div_two_by_one(high, low, self.divisor, self.inverse).1
    }

    /// Two limbs that are congruent to `high B^2 + low B + limb`, as (high, low).
    #[inline(always)]
    fn residue_step(&self, high: B, low: B, limb: B) -> (B, B) {
        let product = high.widening_mul(self.square);
        let (sum, over) = product.overflowing_add(Wide::from_parts(limb, low));
        // The sum for the case of B^2 is computed before the choice, so that nothing waits for it.
        let (more, wraps) = sum.low().carrying_add(self.square, false);
        let less = more.wrapping_sub(self.divisor);
        let more = hint::select_unpredictable(wraps, less, more);
        (sum.high(), hint::select_unpredictable(over, more, sum.low()))
    }
}

/// (quotient, remainder) of `high * B + low` by a normalised `divisor > high` with its inverse (algorithm 4).
#[inline(always)]
pub(super) fn div_two_by_one<B: Base>(high: B, low: B, divisor: B, inverse: B) -> (B, B) {
    let product = inverse.widening_mul(high);
    let (estimate, _) = product.overflowing_add(B::Wide::from_parts(low, high));
    // The remainders for the quotients `estimate.high()` and `estimate.high() + 1`.
    let less = low.wrapping_sub(estimate.high().widening_mul(divisor).low());
    let rest = less.wrapping_sub(divisor);
    // True about half the time.
    let is_less = rest > estimate.low();
    let quotient = estimate.high().wrapping_add(choose(!is_less, B::ONE));
    let rest = hint::select_unpredictable(is_less, less, rest);
    if rest >= divisor { one_more(quotient, rest, divisor) } else { (quotient, rest) }
}

/// The rare second correction, kept out of the loop.
#[cold]
#[inline(never)]
fn one_more<B: Base>(quotient: B, rest: B, divisor: B) -> (B, B) {
    (quotient.wrapping_add(B::ONE), rest.wrapping_sub(divisor))
}

/// `x` if `chosen`, else 0, without a branch.
#[inline(always)]
fn choose<B: Base>(chosen: bool, x: B) -> B {
    hint::select_unpredictable(chosen, x, B::ZERO)
}
