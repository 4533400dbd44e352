//! Quotients and remainders of unsigned integers.

use generic_array::ArrayLength;

use super::Uint;
use crate::base::Base;
use crate::error::DivisionByZero;
use crate::slice::div;

impl<B: Base, N: ArrayLength> Uint<B, N> {
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
