//! Bitwise operations, selection, minimum and maximum: no limb depends on another, but for what a comparison
//! decides.

pub mod count;

use core::cmp::Ordering;

use limbforge_limb::Base;

use crate::block::cmp;
use crate::block::{Block, LengthError, Registers, map_batch};

macro_rules! bitwise {
    ($($(#[$doc:meta])* $name:ident: $op:tt;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// [`LengthError`] if an operand is not `n * M` limbs.
        pub fn $name<B: Base, const M: usize, const Q: usize, const IPB: usize>(
            n: usize,
            a: &[B],
            b: &[B],
        ) -> Result<Vec<B>, LengthError> {
            map_pairs::<B, M, Q, IPB>(n, a, b, |block, a, b| zip_limbs(block, a, b, |a, b| a $op b))
        }
    )*};
}

bitwise! {
    /// `a AND b` for each of `n` instances of M limbs.
    and: &;
    /// `a OR b` for each of `n` instances of M limbs.
    or: |;
    /// `a XOR b` for each of `n` instances of M limbs.
    xor: ^;
}

/// `NOT a`, all `M * BITS` bits, for each of `n` instances of M limbs.
///
/// # Errors
/// [`LengthError`] if the operand is not `n * M` limbs.
pub fn not<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
) -> Result<Vec<B>, LengthError> {
    map_pairs::<B, M, Q, IPB>(n, a, a, |block, a, _| complement(block, a))
}

/// The smaller of `a` and `b`, unsigned or two's complement, for each of `n` instances of M limbs.
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn min<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    b: &[B],
    signed: bool,
) -> Result<Vec<B>, LengthError> {
    map_pairs::<B, M, Q, IPB>(n, a, b, |block, a, b| select_where(block, a, b, signed, Ordering::Less))
}

/// The larger of `a` and `b`, unsigned or two's complement, for each of `n` instances of M limbs.
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn max<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    b: &[B],
    signed: bool,
) -> Result<Vec<B>, LengthError> {
    map_pairs::<B, M, Q, IPB>(n, a, b, |block, a, b| select_where(block, a, b, signed, Ordering::Greater))
}

fn map_pairs<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    b: &[B],
    program: impl Fn(&Block<M, Q, IPB>, &[[B; Q]], &[[B; Q]]) -> Registers<B, Q>,
) -> Result<Vec<B>, LengthError> {
    let pairs =
        map_batch::<B, (), 2, M, Q, IPB>(n, [a, b], |block, [a, b]| (program(block, &a, &b), Vec::new()))?;
    Ok(pairs.0)
}

/// `op` on each pair of limbs in registers; `op` of two zeros must be zero, or the padding needs clearing.
#[must_use]
pub fn zip_limbs<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
    b: &[[B; Q]],
    op: impl Fn(B, B) -> B,
) -> Registers<B, Q> {
    block.lanes().phase(|thread| core::array::from_fn(|q| op(a[thread.lane][q], b[thread.lane][q])))
}

/// `NOT a` in registers; the padding stays zero.
#[must_use]
pub fn complement<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
) -> Registers<B, Q> {
    let mut limbs = zip_limbs(block, a, a, |a, _| !a);
    block.clear_padding(&mut limbs);
    limbs
}

/// `a` in the instances where `condition` holds, `b` in the others, in registers. `condition` has one value
/// for each instance of the block; where it has none, `b`.
#[must_use]
pub fn select<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    condition: &[bool],
    a: &[[B; Q]],
    b: &[[B; Q]],
) -> Registers<B, Q> {
    block.lanes().phase(|thread| {
        let chosen = if condition.get(thread.instance) == Some(&true) { a } else { b };
        chosen[thread.lane]
    })
}

/// `a` in the instances where it stands in the order `wanted` to `b`, `b` in the others.
fn select_where<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
    b: &[[B; Q]],
    signed: bool,
    wanted: Ordering,
) -> Registers<B, Q> {
    let orders = if signed { cmp::compare_signed(block, a, b) } else { cmp::compare(block, a, b) };
    let condition: Vec<bool> = orders.into_iter().map(|order| order == wanted).collect();
    select(block, &condition, a, b)
}
