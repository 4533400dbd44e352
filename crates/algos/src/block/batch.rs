//! Batches of N instances: a program runs in every block of the grid.

use limbforge_limb::Base;

use super::{Block, Registers};

/// A slice that does not hold N instances of M limbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected} limbs ({instances} instances of {limbs_per_instance}), found {found}")]
pub struct LengthError {
    /// Limbs that the batch has.
    pub expected: usize,
    /// N.
    pub instances: usize,
    /// M, or 2M for wide products.
    pub limbs_per_instance: usize,
    /// Limbs that the slice has.
    pub found: usize,
}

impl LengthError {
    /// Checks a length.
    ///
    /// # Errors
    /// [`LengthError`] unless `found` limbs are `instances` instances of `limbs_per_instance` limbs.
    pub const fn check(instances: usize, limbs_per_instance: usize, found: usize) -> Result<(), Self> {
        let expected = instances.saturating_mul(limbs_per_instance);
        if expected == found { Ok(()) } else { Err(Self { expected, instances, limbs_per_instance, found }) }
    }
}

/// Runs `program` in every block on the operands' registers; collects the values of all instances in order.
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn reduce_batch<B: Base, R, const K: usize, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    operands: [&[B]; K],
    mut program: impl FnMut(&Block<M, Q, IPB>, [Registers<B, Q>; K]) -> Vec<R>,
) -> Result<Vec<R>, LengthError> {
    operands.iter().try_for_each(|operand| LengthError::check(n, M, operand.len()))?;
    let run = |block: Block<M, Q, IPB>| program(&block, operands.map(|operand| block.read(operand, M)));
    Ok(Block::grid(n).flat_map(run).collect())
}

/// As [`reduce_batch`] for programs that also compute an integer: (the n * M limbs, the values).
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn map_batch<B: Base, R, const K: usize, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    operands: [&[B]; K],
    mut program: impl FnMut(&Block<M, Q, IPB>, [Registers<B, Q>; K]) -> (Registers<B, Q>, Vec<R>),
) -> Result<(Vec<B>, Vec<R>), LengthError> {
    let mut limbs = Vec::new();
    let values = reduce_batch(n, operands, |block, registers| {
        let (registers, values) = program(block, registers);
        limbs.extend(block.write(&block.scatter(&registers), 1, M));
        values
    })?;
    Ok((limbs, values))
}

/// As [`map_batch`] for programs that compute an integer alone.
pub(super) fn map_limbs<B: Base, const K: usize, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    operands: [&[B]; K],
    mut program: impl FnMut(&Block<M, Q, IPB>, [Registers<B, Q>; K]) -> Registers<B, Q>,
) -> Result<Vec<B>, LengthError> {
    reduce_batch(n, operands, |block, registers| {
        block.write(&block.scatter(&program(block, registers)), 1, M)
    })
}

/// Functions of batches: name, operands, further parameters and results; then the function above that runs
/// the program, and the program.
macro_rules! batch_functions {
    ($(
        $(#[$doc:meta])*
        $name:ident($($operand:ident),+ $(; $parameter:ident: $Type:ty)*) -> $Results:ty:
            $run:ident(|$block:ident| $program:expr);
    )+) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// [`LengthError`](crate::block::LengthError) if an operand is not `n * M` limbs.
        pub fn $name<B: Base, const M: usize, const Q: usize, const IPB: usize>(
            n: usize,
            $($operand: &[B],)+
            $($parameter: $Type,)*
        ) -> Result<$Results, $crate::block::LengthError> {
            $crate::block::batch::$run(n, [$($operand),+], |$block: &$crate::block::Block<M, Q, IPB>, [$($operand),+]| $program)
        }
    )+};
}
pub(super) use batch_functions;
