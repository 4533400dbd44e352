//! Comparison, unsigned and two's complement: the most significant difference decides.
//!
//! Every thread compares its Q limbs. GT and LT are the ballots of the threads where a is greater and where
//! it is less; they are disjoint. The highest bit set in either decides, which is the integer comparison of
//! the two words, masked to the instance's lanes. Across warps each warp puts its two words in shared memory,
//! and the same comparison runs once more on one bit per warp.

use core::cmp::Ordering;

use limbforge_limb::Base;

use crate::block::batch::batch_functions;
use crate::block::{Block, warp};

batch_functions! {
    /// Compares `n` pairs of unsigned integers of M limbs.
    cmp(a, b) -> Vec<Ordering>: reduce_batch(|block| block.compare(&a, &b));
    /// Compares `n` pairs of two's complement integers of M limbs.
    cmp_signed(a, b) -> Vec<Ordering>: reduce_batch(|block| block.compare_signed(&a, &b));
    /// Whether the integers of M limbs are equal, for each of `n` pairs.
    equal(a, b) -> Vec<bool>: reduce_batch(|block| block.equal(&a, &b));
}

impl<const M: usize, const Q: usize, const IPB: usize> Block<M, Q, IPB> {
    /// The order of each instance's unsigned operands in registers.
    #[must_use]
    pub fn compare<B: Base>(&self, a: &[[B; Q]], b: &[[B; Q]]) -> Vec<Ordering> {
        let order = self.phase(|thread| a[thread.lane].iter().rev().cmp(b[thread.lane].iter().rev()));
        let shared = [Ordering::Greater, Ordering::Less]
            .map(|decided| warp::ballot(order.iter().map(|&order| order == decided)));
        // Barrier, if an instance spans several warps.
        self.each_instance(|instance| {
            let mut warps = [0_u32; 2];
            for (warp, mask) in Self::warp_masks(instance) {
                let [greater, less] = [&shared[0], &shared[1]].map(|words| words[warp] & mask);
                warps[0] |= u32::from(greater > less) << warp;
                warps[1] |= u32::from(greater < less) << warp;
            }
            warps[0].cmp(&warps[1])
        })
    }

    /// The order of each instance's two's complement operands in registers.
    ///
    /// Flipping both sign bits, in the thread of limb M - 1, maps the signed order to the unsigned one.
    #[must_use]
    pub fn compare_signed<B: Base>(&self, a: &[[B; Q]], b: &[[B; Q]]) -> Vec<Ordering> {
        let sign = B::ONE << (B::BITS - 1) as usize;
        let flipped = |number: &[[B; Q]]| {
            let mut limbs = number.to_vec();
            for thread in self.threads().filter(|thread| thread.is_last) {
                limbs[thread.lane][(M - 1) % Q] = limbs[thread.lane][(M - 1) % Q] ^ sign;
            }
            limbs
        };
        self.compare(&flipped(a), &flipped(b))
    }

    /// Whether each instance's operands in registers are equal: no lane votes for a difference.
    #[must_use]
    pub fn equal<B: Base>(&self, a: &[[B; Q]], b: &[[B; Q]]) -> Vec<bool> {
        let shared = warp::ballot(self.phase(|thread| a[thread.lane] != b[thread.lane]));
        // Barrier, if an instance spans several warps.
        self.each_instance(|instance| Self::warp_masks(instance).all(|(warp, mask)| shared[warp] & mask == 0))
    }
}
