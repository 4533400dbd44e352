//! The common work of an instance's threads: lay out their packed chunks as whole numbers, and add these
//! (figure 5, steps 3 and 4; figure 6).

use limbforge_limb::Base;

use super::convolution::Packed;
use crate::block::Block;
use crate::block::add::{Carry, ballot};
use crate::invariant::broken_invariant;

/// The numbers that add up to the product, in shared memory: low parts L; high parts H; and carries, if
/// apart.
///
/// A chunk of width w puts its w low limbs into L at its columns, and its high limb and its carry into H at
/// the two columns above it. Those belong to the next chunk's columns, whose own H starts w columns further,
/// so nothing overlaps if chunks have two columns or more. Chunks of one column (Q <= 3) would overlap, which
/// figure 6 does not show: their carries go into a third number.
#[must_use]
pub fn publish<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    packed: &[Vec<Packed<B>>],
    strides: usize,
) -> Vec<Vec<B>> {
    let len = strides * Block::<M, Q, IPB>::STRIDE;
    let numbers = if Q / 2 >= 2 { 2 } else { 3 };
    let mut shared = vec![Block::<M, Q, IPB>::shared(strides); numbers];
    for thread in block.lanes().threads().filter(|thread| thread.active) {
        for Packed { first, limbs } in &packed[thread.lane] {
            for (i, &limb) in limbs.iter().enumerate().take_while(|(i, _)| first + i < len) {
                let number = (i + 2).saturating_sub(limbs.len() - 1).min(numbers - 1);
                shared[number][thread.instance * len + first + i] = limb;
            }
        }
    }
    shared
}

/// The sum of the published numbers, mod B^len of the padded length, in shared memory.
///
/// One block addition per padded length; the carry out of the lower one enters the upper one.
#[must_use]
pub fn sum<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    numbers: &[Vec<B>],
    strides: usize,
) -> Vec<B> {
    let stride = Block::<M, Q, IPB>::STRIDE;
    let mut out = Block::<M, Q, IPB>::shared(strides);
    let mut carries = vec![Vec::new(); numbers.len() - 1];
    for part in 0..strides {
        let mut registers = numbers.iter().map(|number| block.gather(number, strides, part * stride));
        let mut total = registers.next().unwrap_or_else(|| broken_invariant("there are numbers to add"));
        for (number, carries) in registers.zip(&mut carries) {
            let left;
            (total, left) = ballot::combine_padded::<Carry, B, M, Q, IPB>(block, &total, &number, carries);
            *carries =
                (0..block.instances()).map(|instance| left[block.lanes().last_lane(instance)]).collect();
        }
        // Phase: back to shared memory, each part at its place.
        for thread in block.lanes().threads().filter(|thread| thread.active) {
            let at = thread.instance * strides * stride + part * stride + Q * thread.rank;
            out[at..at + Q].copy_from_slice(&total[thread.lane]);
        }
    }
    out
}
