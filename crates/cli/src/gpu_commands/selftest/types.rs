//! Limbs and types of integers that cases have.

use limbforge::limb::IntType;

use crate::{args::LimbArgument, error::CliError};

pub(super) const LIMBS: [LimbArgument; 3] = [LimbArgument::U32, LimbArgument::U64, LimbArgument::U128];

pub(super) fn int_type(bits: u32, is_signed: bool) -> Result<IntType, CliError> {
    IntType::new(bits.into(), is_signed)
        .map_err(|error| CliError::Usage { command: "selftest", why: error.to_string() })
}
