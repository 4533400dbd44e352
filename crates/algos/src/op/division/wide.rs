//! Divisions of double-width numbers.

use limbforge_limb::slice::{cmp, shift};
use limbforge_limb::{Base, IntType};

use super::super::class::WideDivision;
use super::super::instances::Instances;
use super::super::memory::{Memory, packed};
use super::Why;
use crate::integer::div::divide;
use crate::integer::packed::unpack;

/// Divisions of `high 2^N + low`, of unsigned numbers.
pub(in crate::op) fn wide_divisions<B: Base>(
    op: WideDivision,
    instances: Instances<'_, B>,
    memory: &mut Memory<B>,
) {
    let ty = instances.ty;
    instances.try_each(|out, operands| {
        let [high, low, divisor] = operands.map(|operand| packed(operand, ty));
        if cmp::is_zero(&divisor) {
            return Err(Why::DivisionByZero);
        }
        if op == WideDivision::DivWide && cmp::cmp(&high, &divisor).is_ge() {
            return Err(Why::LongQuotient);
        }
        let (quotient, rest) = divide(&join(&high, &low, ty), &divisor, &mut memory.scratch);
        unpack(
            out,
            match op {
                WideDivision::DivWide => quotient,
                WideDivision::RemWide => rest,
            },
        );
        Ok(())
    });
}

/// `high 2^N + low`, in twice the words.
pub(in crate::op) fn join(high: &[u64], low: &[u64], ty: IntType) -> Vec<u64> {
    let (mut above, mut joined) = (high.to_vec(), vec![0; 2 * high.len()]);
    above.resize(2 * high.len(), 0);
    shift::shl(&mut joined, &above, ty.bits());
    joined.iter_mut().zip(low).for_each(|(word, low)| *word |= low);
    joined
}
