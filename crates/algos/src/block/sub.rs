//! Subtraction and negation, mod B^M, with the borrow out of each instance: [`add`](crate::block::add) with
//! borrows.
//!
//! A thread generates a borrow if its difference underflowed, and passes one on if its difference is zero.
//! The result is the same for unsigned and two's complement operands.

use limbforge_limb::Base;

use crate::block::add::{Borrow, ballot, scan};
use crate::block::{Block, LengthError, Registers, map_batch};

/// `a - b mod B^M` and the borrow out (`a < b`) for each of `n` instances of M limbs, by the
/// [scan](scan::combine).
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn sub_scan<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    b: &[B],
) -> Result<(Vec<B>, Vec<bool>), LengthError> {
    map_batch::<B, _, 2, M, Q, IPB>(n, [a, b], |block, [a, b]| {
        scan::combine::<Borrow, B, M, Q, IPB>(block, &a, &b)
    })
}

/// `a - b mod B^M` and the borrow out (`a < b`) for each of `n` instances of M limbs, by
/// [ballots](ballot::combine).
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn sub_ballot<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    b: &[B],
) -> Result<(Vec<B>, Vec<bool>), LengthError> {
    map_batch::<B, _, 2, M, Q, IPB>(n, [a, b], |block, [a, b]| {
        ballot::combine::<Borrow, B, M, Q, IPB>(block, &a, &b)
    })
}

/// `-a mod B^M`, and whether `a` is not zero, for each of `n` instances of M limbs.
///
/// # Errors
/// [`LengthError`] if the operand is not `n * M` limbs.
pub fn neg<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
) -> Result<(Vec<B>, Vec<bool>), LengthError> {
    map_batch::<B, _, 1, M, Q, IPB>(n, [a], |block, [a]| negate(block, &a))
}

/// `0 - a` in registers: (result, borrow out per instance).
#[must_use]
pub fn negate<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
) -> (Registers<B, Q>, Vec<bool>) {
    ballot::combine::<Borrow, B, M, Q, IPB>(block, &vec![[B::ZERO; Q]; a.len()], a)
}
