//! Sums, differences, products and quotients of two's complement integers.

use generic_array::{ArrayLength, GenericArray};

use super::Int;
use crate::{base::Base, error::DivisionByZero, fixed::FixedInt, slice::sub, uint::Uint, width::Width};

methods! { Int:
    /// (`self + rhs mod 2^BITS`, whether the sum does not fit).
    fn overflowing_add(&self, rhs: &Self) -> (Self, bool) = {
        let (sum, negative) = (self.wrapping_add(rhs), self.is_negative());
        // Only terms of one sign can overflow, and then into the other.
        let overflow = negative == rhs.is_negative() && sum.is_negative() != negative;
        (sum, overflow)
    };

    /// (`self - rhs mod 2^BITS`, whether the difference does not fit).
    fn overflowing_sub(&self, rhs: &Self) -> (Self, bool) = {
        let (difference, negative) = (self.wrapping_sub(rhs), self.is_negative());
        let overflow = negative != rhs.is_negative() && difference.is_negative() != negative;
        (difference, overflow)
    };

    /// (`-self mod 2^BITS`, whether `self` is the smallest number).
    fn overflowing_neg(&self) -> (Self, bool) = {
        let negated = self.wrapping_neg();
        let overflow = self.is_negative() && negated.is_negative();
        (negated, overflow)
    };

    /// (`self * rhs mod 2^BITS`, whether the product does not fit).
    fn overflowing_mul(&self, rhs: &Self) -> (Self, bool) = {
        let (low, high) = self.widening_mul(rhs);
        let low = low.cast_signed();
        // The product fits if the high half is copies of the sign.
        let overflow = high != &low >> u32::MAX;
        (low, overflow)
    };

    /// `self * rhs`, exactly, as (low half, high half); the low half is unsigned.
    fn widening_mul(&self, rhs: &Self) -> (Uint<B, N>, Self) = {
        let mut halves = self.unsigned_abs().halves_of_product(&rhs.unsigned_abs());
        if self.is_negative() != rhs.is_negative() {
            sub::neg_assign(GenericArray::slice_from_chunks_mut(&mut halves));
        }
        let [low, high] = halves;
        (Uint { limbs: low }, Self { limbs: high })
    };
}

impl<B: Base, N: ArrayLength> Int<B, N> {
    /// (`self / rhs` rounded towards 0, the remainder, which has the sign of `self`).
    ///
    /// One quotient does not fit: the smallest number divided by -1 wraps to itself.
    ///
    /// # Errors
    /// [`DivisionByZero`] if `rhs` is 0.
    pub fn div_rem(&self, rhs: &Self) -> Result<(Self, Self), DivisionByZero> {
        let (quotient, remainder) = self.unsigned_abs().div_rem(&rhs.unsigned_abs())?;
        let differs = self.is_negative() != rhs.is_negative();
        let remainder = Self::from_sign_and_magnitude(self.is_negative(), remainder);
        Ok((Self::from_sign_and_magnitude(differs, quotient), remainder))
    }

    /// (quotient, remainder) with `self = quotient * rhs + remainder` and `0 <= remainder < |rhs|`.
    ///
    /// One quotient does not fit: the smallest number divided by -1 wraps to itself.
    ///
    /// # Errors
    /// [`DivisionByZero`] if `rhs` is 0.
    pub fn div_rem_euclid(&self, rhs: &Self) -> Result<(Self, Self), DivisionByZero> {
        let (quotient, remainder) = self.div_rem(rhs)?;
        Ok(match (remainder.is_negative(), rhs.is_negative()) {
            (false, _) => (quotient, remainder),
            (true, false) => (quotient - Self::one(), remainder + rhs),
            (true, true) => (quotient + Self::one(), remainder - rhs),
        })
    }

    /// (`self / rhs` rounded down, the remainder, which has the sign of `rhs`), as `//` and `%` of Python.
    ///
    /// One quotient does not fit: the smallest number divided by -1 wraps to itself.
    ///
    /// ```
    /// use limbforge_limb::{DivisionByZero, I256};
    /// let [a, b] = [-47, 5].map(I256::from);
    /// assert_eq!(a.div_rem_floor(&b)?, (I256::from(-10), I256::from(3)));
    /// assert_eq!((-a).div_rem_floor(&-b)?, (I256::from(-10), I256::from(-3)));
    /// # Ok::<(), DivisionByZero>(())
    /// ```
    ///
    /// # Errors
    /// [`DivisionByZero`] if `rhs` is 0.
    pub fn div_rem_floor(&self, rhs: &Self) -> Result<(Self, Self), DivisionByZero> {
        let (quotient, remainder) = self.div_rem(rhs)?;
        let is_rounded_up = !remainder.is_zero() && self.is_negative() != rhs.is_negative();
        Ok(if is_rounded_up { (quotient - Self::one(), remainder + rhs) } else { (quotient, remainder) })
    }

    /// `self * rhs`, exactly.
    #[must_use]
    pub fn wide_mul(&self, rhs: &Self) -> Int<B, N::Double>
    where
        N: Width,
    {
        let magnitude = self.unsigned_abs().wide_mul(&rhs.unsigned_abs());
        Int::from_sign_and_magnitude(self.is_negative() != rhs.is_negative(), magnitude)
    }

    /// `self * self`, exactly, at about half the cost of a product.
    #[must_use]
    pub fn wide_square(&self) -> Int<B, N::Double>
    where
        N: Width,
    {
        self.unsigned_abs().wide_square().cast_signed()
    }
}
