//! Sums and differences of unsigned integers, and what leaves them at the top.

use generic_array::ArrayLength;
use num_traits::Unsigned;

use super::Uint;
use crate::base::Base;
use crate::slice::{add, sub};

impl<B: Base, N: ArrayLength> Unsigned for Uint<B, N> {}

impl<B: Base, N: ArrayLength> Uint<B, N> {
    /// `self + rhs + carry` as (sum mod `2^BITS`, carry out).
    #[inline]
    #[must_use]
    pub fn carrying_add(&self, rhs: &Self, carry: bool) -> (Self, bool) {
        let mut carry_out = false;
        let sum = Self::filled(|out| carry_out = add::add(out, &self.limbs, &rhs.limbs, carry));
        (sum, carry_out)
    }

    /// `self - rhs - borrow` as (difference mod `2^BITS`, borrow out).
    #[inline]
    #[must_use]
    pub fn borrowing_sub(&self, rhs: &Self, borrow: bool) -> (Self, bool) {
        let mut borrow_out = false;
        let difference = Self::filled(|out| borrow_out = sub::sub(out, &self.limbs, &rhs.limbs, borrow));
        (difference, borrow_out)
    }

    /// (`self + rhs mod 2^BITS`, whether the sum reached `2^BITS`).
    #[inline]
    #[must_use]
    pub fn overflowing_add(&self, rhs: &Self) -> (Self, bool) {
        self.carrying_add(rhs, false)
    }

    /// (`self - rhs mod 2^BITS`, whether `self < rhs`).
    #[inline]
    #[must_use]
    pub fn overflowing_sub(&self, rhs: &Self) -> (Self, bool) {
        self.borrowing_sub(rhs, false)
    }

    /// (`-self mod 2^BITS`, whether `self` is not 0).
    #[inline]
    #[must_use]
    pub fn overflowing_neg(&self) -> (Self, bool) {
        Self::zero().borrowing_sub(self, false)
    }

    /// `self + rhs`, at most `2^BITS - 1`.
    #[inline]
    #[must_use]
    pub fn saturating_add(&self, rhs: &Self) -> Self {
        self.checked_add(rhs).unwrap_or_else(Self::max_value)
    }

    /// `self - rhs`, at least 0.
    #[inline]
    #[must_use]
    pub fn saturating_sub(&self, rhs: &Self) -> Self {
        self.checked_sub(rhs).unwrap_or_else(Self::zero)
    }

    /// `self * rhs`, at most `2^BITS - 1`.
    #[must_use]
    pub fn saturating_mul(&self, rhs: &Self) -> Self {
        self.checked_mul(rhs).unwrap_or_else(Self::max_value)
    }
}
