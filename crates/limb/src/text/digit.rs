//! Digits and their values.

use super::ParseError;

/// The entry of [`VALUES`] for a byte that is not a digit; larger than every digit.
const NONE: u8 = 0xff;

/// The value of each byte as a digit, 0 to 35.
pub(super) const VALUES: [u8; 256] = values();

/// The digits, 0 to 35.
pub(super) const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

const fn values() -> [u8; 256] {
    let mut values = [NONE; 256];
    let mut value = 0;
    while value < DIGITS.len() {
        values[DIGITS[value] as usize] = value as u8;
        values[DIGITS[value].to_ascii_uppercase() as usize] = value as u8;
        value += 1;
    }
    values
}

/// Checks that the text consists of digits of the radix, at least one.
pub(super) fn check(digits: &[u8], radix: u32) -> Result<(), ParseError> {
    if digits.is_empty() {
        return Err(ParseError::Empty);
    }
    match digits.iter().position(|&byte| u32::from(VALUES[usize::from(byte)]) >= radix) {
        Some(position) => Err(ParseError::Digit { position, found: digits[position], radix }),
        None => Ok(()),
    }
}

/// The digits without leading zeros.
pub(super) fn significant(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|&&byte| byte == b'0').count();
    &digits[zeros..]
}
