//! Sums, differences, quotients and the ends of the range of unsigned integers.

use generic_array::ArrayLength;
use num_traits::Unsigned;

use super::Uint;
use crate::base::Base;
use crate::error::DivisionByZero;
use crate::slice::{add, bits, div, sub};

impl<B: Base, N: ArrayLength> Unsigned for Uint<B, N> {}

impl<B: Base, N: ArrayLength> Uint<B, N> {
    /// The smallest number, 0.
    #[must_use]
    pub fn min_value() -> Self {
        Self::zero()
    }

    /// The largest number, `2^BITS - 1`.
    #[must_use]
    pub fn max_value() -> Self {
        Self::filled(|limbs| limbs.fill(B::HIGHEST))
    }

    /// Number of bits up to the highest one; 0 for 0.
    #[inline]
    #[must_use]
    pub fn bits(&self) -> u32 {
        bits::bit_len(&self.limbs)
    }

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

    /// (`floor(self / rhs)`, `self mod rhs`).
    ///
    /// # Errors
    /// [`DivisionByZero`] if `rhs` is 0.
    pub fn div_rem(&self, rhs: &Self) -> Result<(Self, Self), DivisionByZero> {
        let (mut quotient, mut remainder) = (Self::zero(), Self::zero());
        div::div_rem(&mut quotient.limbs, &mut remainder.limbs, &self.limbs, &rhs.limbs)?;
        Ok((quotient, remainder))
    }

    /// The same as [`div_rem`](Self::div_rem): both round down.
    ///
    /// # Errors
    /// [`DivisionByZero`] if `rhs` is 0.
    pub fn div_rem_euclid(&self, rhs: &Self) -> Result<(Self, Self), DivisionByZero> {
        self.div_rem(rhs)
    }

    /// (`floor(self / rhs)`, `self mod rhs`) by one limb, faster than by a number.
    ///
    /// # Errors
    /// [`DivisionByZero`] if `rhs` is 0.
    pub fn div_rem_limb(&self, rhs: B) -> Result<(Self, B), DivisionByZero> {
        let mut quotient = self.clone();
        let remainder = div::div_rem_limb(&mut quotient.limbs, rhs)?;
        Ok((quotient, remainder))
    }

    /// No quotient of unsigned integers is too wide.
    pub(crate) const fn division_overflows(&self, _rhs: &Self) -> bool {
        false
    }
}
