//! The numeric order and its ends.

use core::cmp::Ordering;

use generic_array::ArrayLength;

use super::Int;
use crate::base::Base;
use crate::slice::cmp;
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

    /// The end of the range that a result of this sign runs into.
    pub(super) fn limit(negative: bool) -> Self {
        if negative { Self::min_value() } else { Self::max_value() }
    }
}

impl<B: Base, N: ArrayLength> Ord for Int<B, N> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        cmp::cmp_signed(&self.limbs, &other.limbs, Self::BITS)
    }
}
