//! Counts of bits: ones, and zeros above the highest or below the lowest one.
//!
//! Every thread counts in its limbs, and the threads of an instance find the sum or the largest count
//! together.

use limbforge_limb::Base;
use limbforge_limb::slice::bits;

use crate::block::{Block, LengthError, Thread, reduce_batch};

/// How many bits are ones, for each of `n` instances of M limbs.
///
/// # Errors
/// [`LengthError`] if the operand is not `n * M` limbs.
pub fn popcount<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
) -> Result<Vec<u32>, LengthError> {
    reduce_batch::<B, _, 1, M, Q, IPB>(n, [a], |block, [a]| {
        combine(block, |thread| bits::count_ones(&a[thread.lane]), |x, y| x + y)
    })
}

/// Zeros above the highest one, `M * BITS` for 0, for each of `n` instances of M limbs.
///
/// # Errors
/// [`LengthError`] if the operand is not `n * M` limbs.
pub fn leading_zeros<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
) -> Result<Vec<u32>, LengthError> {
    let lengths = reduce_batch::<B, _, 1, M, Q, IPB>(n, [a], |block, [a]| bit_lengths(block, &a))?;
    Ok(lengths.into_iter().map(|length| M as u32 * B::BITS - length).collect())
}

/// Zeros below the lowest one, `M * BITS` for 0, for each of `n` instances of M limbs.
///
/// # Errors
/// [`LengthError`] if the operand is not `n * M` limbs.
pub fn trailing_zeros<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
) -> Result<Vec<u32>, LengthError> {
    let width = M as u32 * B::BITS;
    reduce_batch::<B, _, 1, M, Q, IPB>(n, [a], |block, [a]| {
        let zeros = |thread: Thread| match bits::trailing_zeros(&a[thread.lane]) {
            zeros if zeros == Q as u32 * B::BITS => width,
            zeros => first_bit::<B, Q>(thread) + zeros,
        };
        combine(block, zeros, u32::min)
    })
}

/// Bits up to the highest one, 0 for 0, of each instance's number in registers.
pub(crate) fn bit_lengths<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
) -> Vec<u32> {
    let length = |thread: Thread| match bits::bit_len(&a[thread.lane]) {
        0 => 0,
        length => first_bit::<B, Q>(thread) + length,
    };
    combine(block, length, u32::max)
}

/// The place of the lowest bit that a thread holds.
const fn first_bit<B: Base, const Q: usize>(thread: Thread) -> u32 {
    (thread.rank * Q) as u32 * B::BITS
}

/// `f` of what all threads of an instance count, for each instance of the block.
fn combine<const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    count: impl FnMut(Thread) -> u32,
    f: fn(u32, u32) -> u32,
) -> Vec<u32> {
    let lanes = block.lanes();
    let counts = lanes.phase(count);
    // Barrier.
    let threads = counts.chunks(lanes.threads_per_instance()).take(block.instances());
    threads.map(|counts| counts.iter().copied().reduce(f).unwrap_or(0)).collect()
}
