//! Sums, differences, quotients and the ends of the range of two's complement integers.

use generic_array::ArrayLength;

use super::Int;
use crate::base::Base;
use crate::error::DivisionByZero;
use crate::uint::Uint;

impl<B: Base, N: ArrayLength> Int<B, N> {
    /// The smallest number, `-2^(BITS-1)`.
    #[must_use]
    pub fn min_value() -> Self {
        !Self::max_value()
    }

    /// The largest number, `2^(BITS-1) - 1`.
    #[must_use]
    pub fn max_value() -> Self {
        (Uint::<B, N>::max_value() >> 1).cast_signed()
    }

    /// (`self + rhs mod 2^BITS`, whether the sum does not fit).
    #[inline]
    #[must_use]
    pub fn overflowing_add(&self, rhs: &Self) -> (Self, bool) {
        let sum = self.wrapping_add(rhs);
        // Only terms of one sign can overflow, and then into the other.
        let overflow = self.is_negative() == rhs.is_negative() && sum.is_negative() != self.is_negative();
        (sum, overflow)
    }

    /// (`self - rhs mod 2^BITS`, whether the difference does not fit).
    #[inline]
    #[must_use]
    pub fn overflowing_sub(&self, rhs: &Self) -> (Self, bool) {
        let difference = self.wrapping_sub(rhs);
        let overflow =
            self.is_negative() != rhs.is_negative() && difference.is_negative() != self.is_negative();
        (difference, overflow)
    }

    /// (`self / rhs` rounded towards 0, the remainder, which has the sign of `self`).
    ///
    /// One quotient does not fit: the smallest number divided by -1 wraps to itself.
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

    /// Whether the quotient is `2^(BITS-1)`.
    pub(crate) fn division_overflows(&self, rhs: &Self) -> bool {
        *rhs == !Self::zero() && *self == Self::min_value()
    }
}
