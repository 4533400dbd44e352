//! Subtraction and negation, mod B^M, with the borrow out of each instance: [`add`](crate::block::add) with
//! borrows.
//!
//! A thread generates a borrow if its difference underflowed, and passes one on if its difference is zero.
//! The result is the same for unsigned and two's complement operands.

use limbforge_limb::Base;

use crate::block::add::Borrow;
use crate::block::batch::batch_functions;

batch_functions! {
    /// `a - b mod B^M` and the borrow out (`a < b`) for each of `n` instances of M limbs, by the
    /// [scan](crate::block::add::scan).
    sub_scan(a, b) -> (Vec<B>, Vec<bool>): map_batch(|block| block.combine_by_scan(Borrow, &a, &b));
    /// `a - b mod B^M` and the borrow out (`a < b`) for each of `n` instances of M limbs, by
    /// [ballots](crate::block::add::ballot).
    sub_ballot(a, b) -> (Vec<B>, Vec<bool>): map_batch(|block| block.combine_by_ballots(Borrow, &a, &b));
    /// `-a mod B^M`, and whether `a` is not zero, for each of `n` instances of M limbs.
    neg(a) -> (Vec<B>, Vec<bool>): map_batch(|block| {
        block.combine_by_ballots(Borrow, &vec![[B::ZERO; Q]; a.len()], &a)
    });
}
