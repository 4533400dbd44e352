//! Sign, absolute value and negation.

use core::ops::Neg;

use generic_array::ArrayLength;
use num_traits::Signed;

use super::Int;
use crate::base::Base;
use crate::fixed::unary;
use crate::slice::{cmp, sub};
use crate::uint::Uint;

impl<B: Base, N: ArrayLength> Int<B, N> {
    /// Whether the number is below 0.
    #[inline]
    #[must_use]
    pub fn is_negative(&self) -> bool {
        cmp::is_negative(&self.limbs, Self::BITS)
    }

    /// Whether the number is above 0.
    #[inline]
    #[must_use]
    pub fn is_positive(&self) -> bool {
        !self.is_negative() && !self.is_zero()
    }

    /// The sign: -1, 0 or 1.
    #[must_use]
    pub fn signum(&self) -> Self {
        if self.is_negative() {
            !Self::zero()
        } else if self.is_zero() {
            Self::zero()
        } else {
            Self::one()
        }
    }

    /// The absolute value, 0 to `2^(BITS-1)`, which always fits.
    #[inline]
    #[must_use]
    pub fn unsigned_abs(&self) -> Uint<B, N> {
        self.clone().wrapping_abs().cast_unsigned()
    }

    /// The absolute value mod `2^BITS`: the smallest number stays as it is.
    #[inline]
    #[must_use]
    pub fn wrapping_abs(mut self) -> Self {
        if self.is_negative() {
            sub::neg_assign(&mut self.limbs);
        }
        self
    }

    /// The absolute value, or `None` for the smallest number.
    #[must_use]
    pub fn checked_abs(&self) -> Option<Self> {
        let magnitude = self.clone().wrapping_abs();
        if magnitude.is_negative() { None } else { Some(magnitude) }
    }

    /// (`-self mod 2^BITS`, whether `self` is the smallest number).
    #[must_use]
    pub fn overflowing_neg(&self) -> (Self, bool) {
        let negated = self.wrapping_neg();
        let overflow = self.is_negative() && negated.is_negative();
        (negated, overflow)
    }
}

unary!(Int: Neg neg, |number| number.wrapping_neg());

impl<B: Base, N: ArrayLength> Signed for Int<B, N> {
    /// Wraps: the absolute value of the smallest number is itself.
    fn abs(&self) -> Self {
        self.clone().wrapping_abs()
    }

    fn abs_sub(&self, other: &Self) -> Self {
        if self <= other { Self::zero() } else { self - other }
    }

    fn signum(&self) -> Self {
        Self::signum(self)
    }

    fn is_positive(&self) -> bool {
        Self::is_positive(self)
    }

    fn is_negative(&self) -> bool {
        Self::is_negative(self)
    }
}
