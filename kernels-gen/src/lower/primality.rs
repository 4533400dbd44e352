//! Tests of primality.

use super::division::wide_registers;
use super::roots::test;
use super::row::{Lowering, numbers, plain};
use crate::template::Template;

pub(super) const IS_PRIME: Lowering = Lowering {
    templates: &[Template::Primality],
    // Operands behind all else (primality.cuh).
    slot: numbers::<4>,
    registers: Some(wide_registers),
    short_lanes: true,
    ..plain(test)
};
pub(super) const IS_STRONG_PROBABLE_PRIME: Lowering =
    Lowering { templates: &[Template::PrimalityStrong], ..IS_PRIME };
