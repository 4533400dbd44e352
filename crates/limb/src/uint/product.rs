//! Full products of unsigned integers.

use generic_array::{ArrayLength, GenericArray};

use super::Uint;
use crate::base::Base;
use crate::fixed::with_scratch;
use crate::slice::cmp;
use crate::slice::mul::{self, Factors};
use crate::width::Width;

impl<B: Base, N: ArrayLength> Uint<B, N> {
    /// `self * rhs`, exactly.
    #[must_use]
    pub fn wide_mul(&self, rhs: &Self) -> Uint<B, N::Double>
    where
        N: Width,
    {
        let factors = Factors::Pair(&self.limbs, &rhs.limbs);
        Uint::filled(|out| with_scratch(|scratch| mul::wide(out, factors, scratch)))
    }

    /// `self * self`, exactly, at about half the cost of a product.
    #[must_use]
    pub fn wide_square(&self) -> Uint<B, N::Double>
    where
        N: Width,
    {
        let factors = Factors::Square(&self.limbs);
        Uint::filled(|out| with_scratch(|scratch| mul::wide(out, factors, scratch)))
    }

    /// `self * rhs`, exactly, as (low half, high half).
    #[must_use]
    pub fn widening_mul(&self, rhs: &Self) -> (Self, Self) {
        let [low, high] = self.halves_of_product(rhs);
        (Self { limbs: low }, Self { limbs: high })
    }

    /// (`self * rhs mod 2^BITS`, whether the product reached `2^BITS`).
    #[must_use]
    pub fn overflowing_mul(&self, rhs: &Self) -> (Self, bool) {
        let (low, high) = self.widening_mul(rhs);
        (low, !cmp::is_zero(&high.limbs))
    }

    /// The full product as two arrays, low half first.
    pub(crate) fn halves_of_product(&self, rhs: &Self) -> [GenericArray<B, N>; 2] {
        let mut halves = [GenericArray::default(), GenericArray::default()];
        let out = GenericArray::slice_from_chunks_mut(&mut halves);
        with_scratch(|scratch| mul::wide(out, Factors::Pair(&self.limbs, &rhs.limbs), scratch));
        halves
    }
}
