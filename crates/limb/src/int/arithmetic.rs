//! Sums and differences of two's complement integers: the unsigned ones, and whether they fit.

use generic_array::ArrayLength;

use super::Int;
use crate::base::Base;

impl<B: Base, N: ArrayLength> Int<B, N> {
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

    /// `self + rhs`, or the end of the range it is beyond.
    #[inline]
    #[must_use]
    pub fn saturating_add(&self, rhs: &Self) -> Self {
        self.checked_add(rhs).unwrap_or_else(|| Self::limit(self.is_negative()))
    }

    /// `self - rhs`, or the end of the range it is beyond.
    #[inline]
    #[must_use]
    pub fn saturating_sub(&self, rhs: &Self) -> Self {
        self.checked_sub(rhs).unwrap_or_else(|| Self::limit(self.is_negative()))
    }

    /// `self * rhs`, or the end of the range it is beyond.
    #[must_use]
    pub fn saturating_mul(&self, rhs: &Self) -> Self {
        self.checked_mul(rhs).unwrap_or_else(|| Self::limit(self.is_negative() != rhs.is_negative()))
    }
}
