//! Parsing and formatting of limb slices in hexadecimal, decimal and any radix from 2 to 36.
//!
//! The functions handle digits only, in upper or lower case; callers handle signs, prefixes and separators.
//! Output is lower case. Radices that are powers of two take linear time, hexadecimal in vectors. In other
//! radices a short number is converted a word of digits at a time, a long one in halves.

use crate::{base::Base, error::RangeError};

mod hex;
mod radix;

pub use hex::{parse_hex, write_hex};
pub(crate) use radix::write;
pub use radix::{parse_radix, write_radix};

/// The text is not a number, or the number does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// There are no digits.
    #[error("expected a number, found no digits")]
    Empty,
    /// A byte is not a digit of the radix.
    #[error("byte {position}: expected a digit in base {radix}, found {}", shown(*found))]
    Digit {
        /// Offset in bytes from the start of the text.
        position: usize,
        /// The byte found there.
        found: u8,
        /// The radix, 2 to 36.
        radix: u32,
    },
    /// The number does not fit the limbs.
    #[error("the number needs {needed} bits; expected at most {bits}")]
    TooWide {
        /// Bits that the number needs; a lower bound if they exceed twice the available bits.
        needed: u64,
        /// Bits available.
        bits: u64,
    },
    /// The number does not fit a type.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// The radix is not 2 to 36.
    #[error("radix {radix}: expected 2 to 36")]
    Radix {
        /// The radix found.
        radix: u32,
    },
}

impl ParseError {
    /// The same error, for digits that start `bytes` later in a text.
    #[must_use]
    pub const fn offset(self, bytes: usize) -> Self {
        match self {
            Self::Digit { position, found, radix } => {
                Self::Digit { position: position + bytes, found, radix }
            }
            other => other,
        }
    }
}

/// `out =` the number with these decimal digits, most significant first, without sign.
///
/// # Errors
/// As [`parse_radix`].
pub fn parse_dec<B: Base>(digits: &[u8], out: &mut [B]) -> Result<(), ParseError> {
    parse_radix(digits, 10, out)
}

/// Appends the number's decimal digits, without leading zeros; `0` for zero.
pub fn write_dec<B: Base>(limbs: &[B], text: &mut Vec<u8>) {
    write(limbs, 10, text);
}

/// The byte in a message.
pub(crate) fn shown(byte: u8) -> String {
    if byte.is_ascii_graphic() { format!("`{}`", byte as char) } else { format!("byte 0x{byte:02x}") }
}

/// The entry of [`VALUES`] for a byte that is not a digit; larger than every digit.
const NONE: u8 = 0xff;

/// The value of each byte as a digit, 0 to 35.
const VALUES: [u8; 256] = values();

/// The digits, 0 to 35.
const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

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
fn check_digits(digits: &[u8], radix: u32) -> Result<(), ParseError> {
    if digits.is_empty() {
        return Err(ParseError::Empty);
    }
    match digits.iter().position(|&byte| u32::from(VALUES[usize::from(byte)]) >= radix) {
        Some(position) => Err(ParseError::Digit { position, found: digits[position], radix }),
        None => Ok(()),
    }
}

/// The digits without leading zeros.
fn significant(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|&&byte| byte == b'0').count();
    &digits[zeros..]
}
