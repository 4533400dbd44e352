//! The numeric order and its ends.

use core::cmp::Ordering;

use generic_array::ArrayLength;

use super::Uint;
use crate::base::Base;
use crate::slice::{bits, cmp};

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
}

impl<B: Base, N: ArrayLength> Ord for Uint<B, N> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        cmp::cmp(&self.limbs, &other.limbs)
    }
}
