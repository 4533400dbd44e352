//! Bitwise operations, selection, minimum and maximum, and counts of bits.
//!
//! Bitwise operations take each limb on its own. For a count every thread counts in its limbs, and the
//! threads of an instance find the sum, the minimum or the maximum of their counts.

use core::cmp::Ordering;

use limbforge_limb::Base;
use limbforge_limb::slice::bits;

use crate::block::batch::batch_functions;
use crate::block::{Block, Registers, Thread};

batch_functions! {
    /// `a AND b` for each of `n` instances of M limbs.
    and(a, b) -> Vec<B>: map_limbs(|block| block.zip(&a, &b, |a, b| a & b));
    /// `a OR b` for each of `n` instances of M limbs.
    or(a, b) -> Vec<B>: map_limbs(|block| block.zip(&a, &b, |a, b| a | b));
    /// `a XOR b` for each of `n` instances of M limbs.
    xor(a, b) -> Vec<B>: map_limbs(|block| block.zip(&a, &b, |a, b| a ^ b));
    /// `NOT a`, all `M * BITS` bits, for each of `n` instances of M limbs.
    not(a) -> Vec<B>: map_limbs(|block| block.complement(&a));
    /// The smaller of `a` and `b`, unsigned or two's complement, for each of `n` instances of M limbs.
    min(a, b; signed: bool) -> Vec<B>: map_limbs(|block| block.pick(&a, &b, signed, Ordering::Less));
    /// The larger of `a` and `b`, unsigned or two's complement, for each of `n` instances of M limbs.
    max(a, b; signed: bool) -> Vec<B>: map_limbs(|block| block.pick(&a, &b, signed, Ordering::Greater));
    /// The number of ones, for each of `n` instances of M limbs.
    popcount(a) -> Vec<u32>: reduce_batch(|block| {
        block.combine_counts(|thread| bits::count_ones(&a[thread.lane]), |x, y| x + y)
    });
    /// Zeros above the highest one, `M * BITS` for 0, for each of `n` instances of M limbs.
    leading_zeros(a) -> Vec<u32>: reduce_batch(|block| {
        block.bit_lengths(&a).into_iter().map(|length| M as u32 * B::BITS - length).collect()
    });
    /// Zeros below the lowest one, `M * BITS` for 0, for each of `n` instances of M limbs.
    trailing_zeros(a) -> Vec<u32>: reduce_batch(|block| {
        let zeros = |thread: Thread| match bits::trailing_zeros(&a[thread.lane]) {
            zeros if zeros == Q as u32 * B::BITS => M as u32 * B::BITS,
            zeros => first_bit::<B, Q>(thread) + zeros,
        };
        block.combine_counts(zeros, u32::min)
    });
}

/// Index of the lowest bit that a thread holds.
const fn first_bit<B: Base, const Q: usize>(thread: Thread) -> u32 {
    (thread.rank * Q) as u32 * B::BITS
}

impl<const M: usize, const Q: usize, const IPB: usize> Block<M, Q, IPB> {
    /// `op` on each pair of limbs in registers; `op` of two zeros must be zero.
    #[must_use]
    pub fn zip<B: Base>(&self, a: &[[B; Q]], b: &[[B; Q]], op: impl Fn(B, B) -> B) -> Registers<B, Q> {
        self.phase(|thread| core::array::from_fn(|q| op(a[thread.lane][q], b[thread.lane][q])))
    }

    /// `NOT a` in registers; the padding stays zero.
    #[must_use]
    pub fn complement<B: Base>(&self, a: &[[B; Q]]) -> Registers<B, Q> {
        let mut limbs = self.phase(|thread| a[thread.lane].map(|limb| !limb));
        self.clear_padding(&mut limbs);
        limbs
    }

    /// `a` in the instances where `condition` holds, `b` in the others, in registers. `condition` has one
    /// value for each instance of the block; a missing one selects `b`.
    #[must_use]
    pub fn select<B: Base>(&self, condition: &[bool], a: &[[B; Q]], b: &[[B; Q]]) -> Registers<B, Q> {
        self.phase(|thread| {
            let chosen = if condition.get(thread.instance) == Some(&true) { a } else { b };
            chosen[thread.lane]
        })
    }

    /// `a` in the instances where its order to `b` is `order`, `b` in the others.
    fn pick<B: Base>(&self, a: &[[B; Q]], b: &[[B; Q]], signed: bool, order: Ordering) -> Registers<B, Q> {
        let orders = if signed { self.compare_signed(a, b) } else { self.compare(a, b) };
        let condition: Vec<bool> = orders.into_iter().map(|found| found == order).collect();
        self.select(&condition, a, b)
    }

    /// The bit length of each instance's number in registers, 0 for 0.
    pub(super) fn bit_lengths<B: Base>(&self, a: &[[B; Q]]) -> Vec<u32> {
        let length = |thread: Thread| match bits::bit_len(&a[thread.lane]) {
            0 => 0,
            length => first_bit::<B, Q>(thread) + length,
        };
        self.combine_counts(length, u32::max)
    }

    /// The counts of an instance's threads combined by `f`, for each instance of the block.
    fn combine_counts(&self, count: impl FnMut(Thread) -> u32, f: fn(u32, u32) -> u32) -> Vec<u32> {
        let counts = self.phase(count);
        // Barrier.
        let threads = counts.chunks(Self::THREADS_PER_INSTANCE).take(self.instances());
        threads.map(|counts| counts.iter().copied().reduce(f).unwrap_or(0)).collect()
    }
}
