//! Shifts and rotations by a number of bits for each instance.
//!
//! As for a number that all instances share, limbs go through shared memory; every thread knows its
//! instance's amount. A rotation is two shifts of what is staged once.

use limbforge_limb::Base;

use super::{each_limb, join};
use crate::block::{Block, LengthError, Registers, map_batch};

/// `floor(a * 2^amount) mod B^M`, unsigned or two's complement, for each of `n` instances of M limbs: a shift
/// to the right by a negative amount.
///
/// # Errors
/// [`LengthError`] if the operand is not `n * M` limbs, or there are not `n` amounts.
pub fn shift_by<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    amounts: &[i64],
    signed: bool,
) -> Result<Vec<B>, LengthError> {
    LengthError::check(n, 1, amounts.len())?;
    let moved = map_batch::<B, (), 1, M, Q, IPB>(n, [a], |block, [a]| {
        let amounts = &amounts[block.first_instance()..][..block.instances()];
        (shift_each(block, &a, amounts, signed), Vec::new())
    })?;
    Ok(moved.0)
}

/// The `M * BITS` bits of `a` rotated to the left by `amount mod (M * BITS)`, for each of `n` instances of M
/// limbs.
///
/// # Errors
/// [`LengthError`] if the operand is not `n * M` limbs, or there are not `n` amounts.
pub fn rotate_by<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    amounts: &[i64],
) -> Result<Vec<B>, LengthError> {
    LengthError::check(n, 1, amounts.len())?;
    let moved = map_batch::<B, (), 1, M, Q, IPB>(n, [a], |block, [a]| {
        let amounts = &amounts[block.first_instance()..][..block.instances()];
        (rotate_each(block, &a, amounts), Vec::new())
    })?;
    Ok(moved.0)
}

/// [`shift_by`] in registers, with an amount for each instance of the block.
#[must_use]
pub fn shift_each<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
    amounts: &[i64],
    signed: bool,
) -> Registers<B, Q> {
    let shared = block.scatter(a);
    // Barrier.
    each_limb(block, |thread, i| {
        let number = &shared[thread.instance * Block::<M, Q, IPB>::STRIDE..][..M];
        let negative = signed && number[M - 1].leading_zeros() == 0;
        moved_limb(number, amounts[thread.instance], i, if negative { B::HIGHEST } else { B::ZERO })
    })
}

/// [`rotate_by`] in registers, with an amount for each instance of the block.
#[must_use]
pub fn rotate_each<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
    amounts: &[i64],
) -> Registers<B, Q> {
    let width = M as i64 * i64::from(B::BITS);
    let shared = block.scatter(a);
    // Barrier.
    each_limb(block, |thread, i| {
        let number = &shared[thread.instance * Block::<M, Q, IPB>::STRIDE..][..M];
        let left = amounts[thread.instance].rem_euclid(width);
        moved_limb(number, left, i, B::ZERO) | moved_limb(number, left - width, i, B::ZERO)
    })
}

/// Limb `i` of `floor(number * 2^amount)`, of which limbs from M on are `fill`.
fn moved_limb<B: Base>(number: &[B], amount: i64, i: usize, fill: B) -> B {
    let width = number.len() as i64 * i64::from(B::BITS);
    let amount = amount.clamp(-width, width);
    let (limbs, bits) = (amount.div_euclid(B::BITS.into()), amount.rem_euclid(B::BITS.into()) as u32);
    let limb = |at: i64| usize::try_from(at).map_or(B::ZERO, |at| number.get(at).copied().unwrap_or(fill));
    let from = i as i64 - limbs;
    join(limb(from), limb(from - 1), bits, B::BITS - bits)
}
