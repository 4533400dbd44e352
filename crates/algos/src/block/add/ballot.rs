//! Carries by ballots: one integer addition propagates the carries of a whole warp.
//!
//! Let G be the ballot of the threads that overflowed and P the ballot of those whose sum is all ones. In the
//! binary addition `(G|P) + G + cin` position i generates a carry if thread i overflowed, passes one on if it
//! is all ones, and absorbs it otherwise, exactly as the threads do. Its sum bit is `P_i XOR (carry into i)`,
//! so
//!
//! `carries into the threads = ((G|P) + G + cin) XOR P`.
//!
//! The last thread of each instance has its bits cleared, so no carry enters the next instance (the segmented
//! scan for IPB > 1). Across warps the same formula runs once more on warps in place of threads: a warp
//! generates the carry out of its own addition, and passes a carry on if all 32 lanes do.

use limbforge_limb::Base;

use super::CarryRule;
use crate::block::{Block, Registers, Thread, warp};

/// The formula: (carries into the 32 lanes, carry out of the warp).
///
/// A lane in both words generates: with a carry into its own chain a thread can overflow and be all ones at
/// once, `(B - 1) + (B - 1) + 1 = B + (B - 1)`, and must not count as passing.
#[must_use]
pub const fn carries_into_lanes(generate: u32, propagate: u32, carry_in: bool) -> (u32, bool) {
    let propagate = propagate & !generate;
    let sum = (generate | propagate) as u64 + generate as u64 + carry_in as u64;
    (sum as u32 ^ propagate, sum >> u32::BITS != 0)
}

impl<const M: usize, const Q: usize, const IPB: usize> Block<M, Q, IPB> {
    /// The carry into every thread, given for each whether it generates a carry and whether it passes one on.
    ///
    /// Work O(1) per thread; one word of shared memory per warp and one barrier if there are several warps.
    #[must_use]
    pub fn carries_into_threads(&self, generate: &[bool], propagate: &[bool]) -> Vec<bool> {
        let [g, p] = [generate, propagate].map(|bits| {
            let within = self.threads().map(|thread| bits[thread.lane] && !thread.is_last);
            warp::ballot(within)
        });
        // Phase: every warp writes one word to shared memory.
        let warps = g.iter().zip(&p);
        let shared: Vec<(bool, bool)> =
            warps.map(|(&g, &p)| (carries_into_lanes(g, p, false).1, p == u32::MAX)).collect();
        // Barrier. Lane w of each warp reads the word of warp w: the ballots are the same in all warps.
        let warp_g = warp::ballot(shared.iter().map(|word| word.0))[0];
        let warp_p = warp::ballot(shared.iter().map(|word| word.1))[0];
        let (into_warps, _) = carries_into_lanes(warp_g, warp_p, false);
        let into_lanes = |warp| carries_into_lanes(g[warp], p[warp], into_warps >> warp & 1 == 1).0;
        self.phase(|thread| into_lanes(thread.lane / warp::WARP) >> (thread.lane % warp::WARP) & 1 == 1)
    }

    /// The sum or difference of two operands in registers, mod B^M, and the carry out of each instance.
    #[must_use]
    pub fn combine_by_ballots<R: CarryRule, B: Base>(
        &self,
        rule: R,
        a: &[[B; Q]],
        b: &[[B; Q]],
    ) -> (Registers<B, Q>, Vec<bool>) {
        let (mut limbs, overflow) = self.combine_padded(rule, a, b, &[]);
        let carries = self.take_carries(&mut limbs, &overflow);
        (limbs, carries)
    }

    /// As [`combine_by_ballots`](Self::combine_by_ballots) mod B^STRIDE: the padding is part of the number.
    /// Returns the carry out of each thread, which for the last thread of an instance is the carry out of the
    /// number. `carry_in` has one carry per instance, or is empty.
    #[must_use]
    pub fn combine_padded<R: CarryRule, B: Base>(
        &self,
        _: R,
        a: &[[B; Q]],
        b: &[[B; Q]],
        carry_in: &[bool],
    ) -> (Registers<B, Q>, Vec<bool>) {
        // Step 1, every thread: a carry chain over its limbs.
        let chain = |thread: Thread| {
            let carry = thread.rank == 0 && carry_in.get(thread.instance) == Some(&true);
            R::chain(&a[thread.lane], &b[thread.lane], carry)
        };
        let (limbs, overflow): (Registers<B, Q>, Vec<bool>) = self.threads().map(chain).unzip();
        // Step 2, every warp, then across warps.
        let passes = self.phase(|thread| limbs[thread.lane].iter().all(|&limb| limb == R::passing()));
        let carries = self.carries_into_threads(&overflow, &passes);
        // Step 3, every thread: its carry through its limbs. It leaves them only if they were all passing.
        let add_carry = |thread: Thread| {
            let (limbs, passed) = R::chain(&limbs[thread.lane], &[B::ZERO; Q], carries[thread.lane]);
            (limbs, overflow[thread.lane] | passed)
        };
        self.threads().map(add_carry).unzip()
    }
}
