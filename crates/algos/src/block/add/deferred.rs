//! Deferred carries: inside an expression a value is its words and, per thread, a count of carries owed to
//! the next thread. An addition is then a carry chain and one integer addition, without any exchange between
//! threads. [`resolve`](Deferred::resolve) adds the counts when the value is stored, compared, shifted or
//! multiplied.
//!
//! With words `w_t` of Q limbs and counts `c_t`, the value is `sum over t of w_t * B^(Qt) + c_t *
//! B^(Q(t+1))`.
//!
//! **Bound.** If x owes `lx..=hx` per thread and y owes `ly..=hy`, then x + y owes `lx + ly ..= hx + hy + 1`,
//! since the chain carries 0 or 1, and x - y owes `lx - hy - 1 ..= hx - ly`. A fresh value owes 0, so a sum
//! of k + 1 values owes at most k. The bound is known before the kernel runs. It also bounds the count out of
//! the instance, as the integer part of the value over B^M obeys the same recurrence.

use limbforge_limb::Base;

use super::{Borrow, Carry, CarryRule};
use crate::block::{Block, Registers, warp};

/// A chain of additions so long that a thread could owe more than its counter holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a thread would owe {lowest} to {highest} carries, expected {} to {}: resolve an operand first", -i32::MAX, i32::MAX)]
pub struct OwedError {
    /// The lowest possible count.
    pub lowest: i64,
    /// The highest possible count.
    pub highest: i64,
}

/// The registers of a value with the carries that each thread owes the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deferred<B, const Q: usize> {
    words: Registers<B, Q>,
    owed: Vec<i32>,
    lowest: i32,
    highest: i32,
}

impl<B: Base, const Q: usize> Deferred<B, Q> {
    /// A value that owes nothing.
    ///
    /// # Panics
    /// If the limb has fewer than 32 bits, which may not hold a count.
    #[must_use]
    pub fn new(words: Registers<B, Q>) -> Self {
        assert!(B::BITS >= 32, "deferred carries take limbs of at least 32 bits, found {}", B::BITS);
        let owed = vec![0; words.len()];
        Self { words, owed, lowest: 0, highest: 0 }
    }

    /// The proved bounds of a thread's count, (lowest, highest); lowest <= 0 <= highest.
    #[must_use]
    pub const fn bounds(&self) -> (i32, i32) {
        (self.lowest, self.highest)
    }

    /// `self + rhs`.
    ///
    /// # Errors
    /// [`OwedError`] if the bounds leave the counter's range.
    pub fn add(&self, rhs: &Self) -> Result<Self, OwedError> {
        let lowest = i64::from(self.lowest) + i64::from(rhs.lowest);
        let highest = i64::from(self.highest) + i64::from(rhs.highest) + 1;
        self.combine::<Carry>(rhs, OwedError { lowest, highest }, |owed, other, carry| owed + other + carry)
    }

    /// `self - rhs`.
    ///
    /// # Errors
    /// [`OwedError`] if the bounds leave the counter's range.
    pub fn sub(&self, rhs: &Self) -> Result<Self, OwedError> {
        let lowest = i64::from(self.lowest) - i64::from(rhs.highest) - 1;
        let highest = i64::from(self.highest) - i64::from(rhs.lowest);
        self.combine::<Borrow>(rhs, OwedError { lowest, highest }, |owed, other, borrow| {
            owed - other - borrow
        })
    }

    fn combine<R: CarryRule>(
        &self,
        rhs: &Self,
        bounds: OwedError,
        owe: fn(i32, i32, i32) -> i32,
    ) -> Result<Self, OwedError> {
        // The counter is symmetric, so that a count and its negation both fit.
        let capacity = |bound: i64| i32::try_from(bound).ok().filter(|&bound| bound > i32::MIN).ok_or(bounds);
        let (lowest, highest) = (capacity(bounds.lowest)?, capacity(bounds.highest)?);
        // One phase; each thread on its own.
        let thread = |lane: usize| {
            let (words, carry) = R::chain(&self.words[lane], &rhs.words[lane], false);
            (words, owe(self.owed[lane], rhs.owed[lane], carry.into()))
        };
        let (words, owed) = (0..self.words.len()).map(thread).unzip();
        Ok(Self { words, owed, lowest, highest })
    }

    /// The words mod B^M, owing nothing, and the count that left each instance: the value is
    /// `words + count * B^M`. The count is within [`bounds`](Self::bounds).
    ///
    /// Every thread adds its neighbour's count to its words; the carry out of that is at most 1 and goes
    /// through the ballots. Positive and negative counts go separately, and only if the bounds allow any.
    #[must_use]
    pub fn resolve<const M: usize, const IPB: usize>(
        self,
        block: &Block<M, Q, IPB>,
    ) -> (Registers<B, Q>, Vec<i32>) {
        let below = warp::from_below(&self.owed, 0);
        let (mut words, mut owed) = (self.words, self.owed);
        let received = |count: fn(i32) -> i32| -> Registers<B, Q> {
            block.phase(|thread| in_lowest_limb(if thread.rank == 0 { 0 } else { count(below[thread.lane]) }))
        };
        if self.highest > 0 {
            let credit = received(|count| count.max(0));
            let carries;
            (words, carries) = block.combine_padded(Carry, &words, &credit, &[]);
            owed.iter_mut().zip(carries).for_each(|(owed, carry)| *owed = owed.wrapping_add(carry.into()));
        }
        if self.lowest < 0 {
            let debit = received(|count| count.min(0).wrapping_neg());
            let borrows;
            (words, borrows) = block.combine_padded(Borrow, &words, &debit, &[]);
            owed.iter_mut().zip(borrows).for_each(|(owed, borrow)| *owed = owed.wrapping_sub(borrow.into()));
        }
        // The count out of limb M - 1 is owed by the last thread, or lies in the low 32 bits of the padding.
        let counts = block.each_instance(|instance| {
            let last = Block::<M, Q, IPB>::last_lane(instance);
            if M.is_multiple_of(Q) { owed[last] } else { words[last][M % Q].low_word() as i32 }
        });
        block.clear_padding(&mut words);
        (words, counts)
    }
}

/// A count, at most `i32::MAX`, as a thread's limbs.
fn in_lowest_limb<B: Base, const Q: usize>(count: i32) -> [B; Q] {
    core::array::from_fn(|q| if q == 0 { B::from_word(u64::from(count.unsigned_abs())) } else { B::ZERO })
}
