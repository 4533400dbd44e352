//! Quotients and remainders of two's complement integers, from those of the absolute values.

use generic_array::ArrayLength;

use super::Int;
use crate::base::Base;
use crate::error::DivisionByZero;

impl<B: Base, N: ArrayLength> Int<B, N> {
    /// (`self / rhs` rounded towards 0, the remainder, which has the sign of `self`).
    ///
    /// The one quotient that does not fit, of the smallest number by -1, wraps to the smallest number.
    ///
    /// # Errors
    /// [`DivisionByZero`] if `rhs` is 0.
    pub fn div_rem(&self, rhs: &Self) -> Result<(Self, Self), DivisionByZero> {
        let (quotient, remainder) = self.unsigned_abs().div_rem(&rhs.unsigned_abs())?;
        let (negative, rhs_negative) = (self.is_negative(), rhs.is_negative());
        Ok((Self::with_sign(negative != rhs_negative, quotient), Self::with_sign(negative, remainder)))
    }

    /// (quotient, remainder) with `self = quotient * rhs + remainder` and `0 <= remainder < |rhs|`.
    ///
    /// The one quotient that does not fit, of the smallest number by -1, wraps to the smallest number.
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

    /// Whether the quotient is `2^(BITS-1)`.
    pub(crate) fn division_overflows(&self, rhs: &Self) -> bool {
        *rhs == !Self::zero() && *self == Self::min_value()
    }
}
