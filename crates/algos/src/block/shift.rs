//! Shifts by a number of bits that is the same for all instances, through shared memory; [`by`] has amounts
//! for each.
//!
//! Every thread writes its limbs to shared memory; after a barrier it reads, for each limb of the result, the
//! two limbs that it is made of. Limbs outside the number read as zero, or as copies of the sign. A shift by
//! M * BITS or more leaves only those.

pub mod by;

use limbforge_limb::Base;

use crate::block::{Block, LengthError, Registers, Thread, map_batch};

/// `a * 2^bits mod B^M` for each of `n` instances of M limbs.
///
/// # Errors
/// [`LengthError`] if the operand is not `n * M` limbs.
pub fn shl<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    bits: u32,
) -> Result<Vec<B>, LengthError> {
    shift_batch::<B, M, Q, IPB>(n, a, |block, a| shift_left(block, a, bits))
}

/// `floor(a / 2^bits)` for each of `n` unsigned instances of M limbs.
///
/// # Errors
/// [`LengthError`] if the operand is not `n * M` limbs.
pub fn shr<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    bits: u32,
) -> Result<Vec<B>, LengthError> {
    shift_batch::<B, M, Q, IPB>(n, a, |block, a| shift_right(block, a, bits))
}

/// `floor(a / 2^bits)` for each of `n` two's complement instances of M limbs.
///
/// # Errors
/// [`LengthError`] if the operand is not `n * M` limbs.
pub fn shr_signed<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    bits: u32,
) -> Result<Vec<B>, LengthError> {
    shift_batch::<B, M, Q, IPB>(n, a, |block, a| shift_right_signed(block, a, bits))
}

fn shift_batch<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    program: impl Fn(&Block<M, Q, IPB>, &[[B; Q]]) -> Registers<B, Q>,
) -> Result<Vec<B>, LengthError> {
    let shifted = map_batch::<B, (), 1, M, Q, IPB>(n, [a], |block, [a]| (program(block, &a), Vec::new()))?;
    Ok(shifted.0)
}

/// `a * 2^bits mod B^M` in registers.
#[must_use]
pub fn shift_left<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
    bits: u32,
) -> Registers<B, Q> {
    let (limbs, bits) = split_bits::<B>(bits);
    let shared = block.scatter(a);
    // Barrier.
    each_limb(block, |thread, i| {
        let below = |distance: usize| {
            let source = i.checked_sub(limbs.saturating_add(distance));
            source.map_or(B::ZERO, |at| shared[thread.instance * Block::<M, Q, IPB>::STRIDE + at])
        };
        join(below(0), below(1), bits, B::BITS - bits)
    })
}

/// `floor(a / 2^bits)` of unsigned `a` in registers.
#[must_use]
pub fn shift_right<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
    bits: u32,
) -> Registers<B, Q> {
    shift_right_filling(block, a, bits, |_| B::ZERO)
}

/// `floor(a / 2^bits)` of two's complement `a` in registers: every thread reads the sign from limb M - 1.
#[must_use]
pub fn shift_right_signed<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
    bits: u32,
) -> Registers<B, Q> {
    let sign = |top: B| if top.leading_zeros() == 0 { B::HIGHEST } else { B::ZERO };
    shift_right_filling(block, a, bits, sign)
}

/// `fill` makes the limb that stands for all limbs from M on, out of limb M - 1.
fn shift_right_filling<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
    bits: u32,
    fill: fn(B) -> B,
) -> Registers<B, Q> {
    let (limbs, bits) = split_bits::<B>(bits);
    let shared = block.scatter(a);
    // Barrier.
    each_limb(block, |thread, i| {
        let number = &shared[thread.instance * Block::<M, Q, IPB>::STRIDE..][..M];
        let above = |distance: usize| {
            let at = i.saturating_add(limbs).saturating_add(distance);
            number.get(at).copied().unwrap_or_else(|| fill(number[M - 1]))
        };
        // The upper limb moves left by BITS - bits, the lower one right by bits.
        join(above(1), above(0), B::BITS - bits, bits)
    })
}

/// A phase: limb `i < M` of each instance's result; zeros in the padding and in idle threads.
pub(crate) fn each_limb<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    limb: impl Fn(Thread, usize) -> B,
) -> Registers<B, Q> {
    block.lanes().phase(|thread| {
        core::array::from_fn(|q| {
            let i = Q * thread.rank + q;
            if thread.active && i < M { limb(thread, i) } else { B::ZERO }
        })
    })
}

/// `upper * 2^left + floor(lower / 2^right)` mod B; a shift by BITS leaves nothing.
fn join<B: Base>(upper: B, lower: B, left: u32, right: u32) -> B {
    let moved_left = if left == B::BITS { B::ZERO } else { upper << left as usize };
    let moved_right = if right == B::BITS { B::ZERO } else { lower >> right as usize };
    moved_left | moved_right
}

/// (whole limbs, bits within a limb).
const fn split_bits<B: Base>(bits: u32) -> (usize, u32) {
    ((bits / B::BITS) as usize, bits % B::BITS)
}
