//! Reduction modulo p = 2^64 - 2^32 + 1, by 2^64 = 2^32 - 1 and 2^96 = -1 (mod p).

use super::Reduction;
use crate::word::Word;

/// `2^64 - 2^32 + 1`.
const P: u64 = 0xffff_ffff_0000_0001;
/// `2^64 mod p`.
const EPSILON: u64 = 0xffff_ffff;

/// The reduction for `p = 2^64 - 2^32 + 1` alone, without a multiplication by p. Raw form: the value.
///
/// [`mul_lazy`](Reduction::mul_lazy) accepts any two words and returns any word of the residue class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goldilocks;

impl Goldilocks {
    /// The reduction.
    ///
    /// # Panics
    /// If `p` is not `2^64 - 2^32 + 1`; in a constant expression, a compile error.
    #[must_use]
    pub const fn new(p: u64) -> Self {
        assert!(p == P, "the Goldilocks reduction is for p = 2^64 - 2^32 + 1: choose Montgomery");
        Self
    }
}

impl Reduction for Goldilocks {
    type Word = u64;

    #[inline(always)]
    fn modulus(&self) -> u64 {
        P
    }

    #[inline(always)]
    fn encode(&self, value: u64) -> u64 {
        self.reduce_2p(value)
    }

    #[inline(always)]
    fn mul(&self, a: u64, b: u64) -> u64 {
        self.reduce_2p(self.mul_lazy(a, b))
    }

    #[inline(always)]
    fn mul_lazy(&self, a: u64, b: u64) -> u64 {
        let (low, high) = a.mul_wide(b);
        // low + middle * 2^64 + top * 2^96 = low - top + middle * (2^32 - 1)
        let (middle, top) = (high & EPSILON, high >> 32);
        let (mut difference, borrow) = low.overflowing_sub(top);
        if borrow {
            // The difference wrapped to at least 2^64 - 2^32, so this does not wrap again.
            difference = difference.wrapping_sub(EPSILON);
        }
        let (sum, carry) = difference.overflowing_add(middle * EPSILON);
        // middle * EPSILON <= (2^32 - 1)^2, so a wrapped sum is at most 2^64 - 2^33.
        if carry { sum.wrapping_add(EPSILON) } else { sum }
    }
}
