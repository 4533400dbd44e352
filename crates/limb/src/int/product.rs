//! Full products of two's complement integers: the product of the absolute values, negated if the signs
//! differ.

use generic_array::{ArrayLength, GenericArray};

use super::Int;
use crate::base::Base;
use crate::slice::sub;
use crate::uint::Uint;
use crate::width::Width;

impl<B: Base, N: ArrayLength> Int<B, N> {
    /// `self * rhs`, exactly.
    #[must_use]
    pub fn wide_mul(&self, rhs: &Self) -> Int<B, N::Double>
    where
        N: Width,
    {
        let magnitude = self.unsigned_abs().wide_mul(&rhs.unsigned_abs());
        Int::with_sign(self.is_negative() != rhs.is_negative(), magnitude)
    }

    /// `self * self`, exactly, at about half the cost of a product.
    #[must_use]
    pub fn wide_square(&self) -> Int<B, N::Double>
    where
        N: Width,
    {
        self.unsigned_abs().wide_square().cast_signed()
    }

    /// `self * rhs`, exactly, as (low half, high half); the low half is unsigned.
    #[must_use]
    pub fn widening_mul(&self, rhs: &Self) -> (Uint<B, N>, Self) {
        let mut halves = self.unsigned_abs().halves_of_product(&rhs.unsigned_abs());
        if self.is_negative() != rhs.is_negative() {
            sub::neg_assign(GenericArray::slice_from_chunks_mut(&mut halves));
        }
        let [low, high] = halves;
        (Uint { limbs: low }, Self { limbs: high })
    }

    /// (`self * rhs mod 2^BITS`, whether the product does not fit).
    #[must_use]
    pub fn overflowing_mul(&self, rhs: &Self) -> (Self, bool) {
        let (low, high) = self.widening_mul(rhs);
        let low = low.cast_signed();
        // The product fits if the high half is copies of the sign.
        let overflow = high != &low >> u32::MAX;
        (low, overflow)
    }

    /// `magnitude` or `-magnitude`, mod `2^BITS`.
    pub(super) fn with_sign(negative: bool, magnitude: Uint<B, N>) -> Self {
        let mut number = magnitude.cast_signed();
        if negative {
            sub::neg_assign(&mut number.limbs);
        }
        number
    }
}
