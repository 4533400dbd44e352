//! Comparison, unsigned and two's complement: the most significant difference wins.
//!
//! Every thread compares its Q limbs. With the ballots GT and LT of the threads where a is greater and where
//! it is less, which are disjoint, the highest bit set in either decides: that is the integer comparison of
//! the two words, masked to the instance's lanes. Across warps each warp puts its two words in shared memory,
//! and the same comparison runs once more on one bit per warp.

use core::cmp::Ordering;

use limbforge_limb::Base;

use crate::block::{Block, LengthError, Thread, reduce_batch, warp};

/// Compares `n` pairs of unsigned integers of M limbs.
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn cmp<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    b: &[B],
) -> Result<Vec<Ordering>, LengthError> {
    reduce_batch::<B, _, 2, M, Q, IPB>(n, [a, b], |block, [a, b]| compare(block, &a, &b))
}

/// Compares `n` pairs of two's complement integers of M limbs.
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn cmp_signed<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    b: &[B],
) -> Result<Vec<Ordering>, LengthError> {
    reduce_batch::<B, _, 2, M, Q, IPB>(n, [a, b], |block, [a, b]| compare_signed(block, &a, &b))
}

/// Whether the integers of M limbs are equal, for each of `n` pairs.
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn equal<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    b: &[B],
) -> Result<Vec<bool>, LengthError> {
    reduce_batch::<B, _, 2, M, Q, IPB>(n, [a, b], |block, [a, b]| equal_registers(block, &a, &b))
}

/// The order of each instance's unsigned operands in registers.
#[must_use]
pub fn compare<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
    b: &[[B; Q]],
) -> Vec<Ordering> {
    let lanes = block.lanes();
    let order = lanes.phase(|thread| a[thread.lane].iter().rev().cmp(b[thread.lane].iter().rev()));
    let shared = [Ordering::Greater, Ordering::Less]
        .map(|wanted| warp::ballot(&order.iter().map(|&order| order == wanted).collect::<Vec<_>>()));
    // Barrier, if an instance spans several warps.
    let verdict = |instance: usize| {
        let mut warps = [0u32; 2];
        for (warp, mask) in lanes.warp_masks(instance) {
            let [greater, less] = [&shared[0], &shared[1]].map(|words| words[warp] & mask);
            warps[0] |= u32::from(greater > less) << warp;
            warps[1] |= u32::from(greater < less) << warp;
        }
        warps[0].cmp(&warps[1])
    };
    (0..block.instances()).map(verdict).collect()
}

/// The order of each instance's two's complement operands in registers.
///
/// Flipping both sign bits maps the signed order to the unsigned one; the thread that holds limb M - 1 does
/// so.
#[must_use]
pub fn compare_signed<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
    b: &[[B; Q]],
) -> Vec<Ordering> {
    let sign = B::ONE << (B::BITS - 1) as usize;
    let flip = |number: &[[B; Q]], thread: Thread| {
        let mut limbs = number[thread.lane];
        if thread.is_last {
            limbs[(M - 1) % Q] = limbs[(M - 1) % Q] ^ sign;
        }
        limbs
    };
    let lanes = block.lanes();
    compare(block, &lanes.phase(|thread| flip(a, thread)), &lanes.phase(|thread| flip(b, thread)))
}

/// Whether each instance's operands in registers are equal: no lane of its votes for a difference.
#[must_use]
pub fn equal_registers<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
    b: &[[B; Q]],
) -> Vec<bool> {
    let lanes = block.lanes();
    let shared = warp::ballot(&lanes.phase(|thread| a[thread.lane] != b[thread.lane]));
    // Barrier, if an instance spans several warps.
    let same = |instance| lanes.warp_masks(instance).all(|(warp, mask)| shared[warp] & mask == 0);
    (0..block.instances()).map(same).collect()
}
