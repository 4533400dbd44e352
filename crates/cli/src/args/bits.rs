//! A width.

use limbforge::limb::IntType;

pub fn parse_bits(text: &str) -> Result<u64, String> {
    let expected = || format!("expected a number from 1 to {}", IntType::MAX_BITS);
    let bits = text.parse().map_err(|_| expected())?;
    IntType::unsigned(bits).map(|_| bits).map_err(|_| expected())
}
