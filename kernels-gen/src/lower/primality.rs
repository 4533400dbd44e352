//! Tests of primality.

use limbforge_algos::op::class::Primality;

use super::division::wide_registers;
use super::emitter::test;
use super::row::{Lowering, numbers, plain};
use crate::template::Template;

const IS_PRIME: Lowering = Lowering {
    templates: &[Template::Primality],
    // Operands behind all else (primality.cuh).
    slot: numbers::<4>,
    registers: Some(wide_registers),
    short_lanes: true,
    ..plain(test)
};

/// Tests of primality.
pub(super) const fn primality(op: Primality) -> Lowering {
    match op {
        Primality::IsPrime => IS_PRIME,
        Primality::IsStrongProbablePrime => Lowering { templates: &[Template::PrimalityStrong], ..IS_PRIME },
    }
}
