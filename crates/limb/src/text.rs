//! Integers as text on limb slices: hexadecimal, decimal and any radix from 2 to 36, both ways.
//!
//! The functions here take digits only: signs, prefixes and separators are their callers' affair. Reading is
//! strict, and every error says at which byte it lies. Upper and lower case digits read the same; lower case is
//! written.
//!
//! Hexadecimal is linear in the length. Other radices go digit by digit while the number is short; a long one is
//! split at powers of the radix and handed to num-bigint's products and quotients.

use crate::base::Base;
use crate::error::RangeError;

mod digit;
mod hex;
mod radix;

pub use hex::{parse_hex, write_hex};
pub use radix::{parse_radix, write_radix};

/// A text that is not a number, or not one that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// There are no digits.
    #[error("expected a number, found no digits")]
    Empty,
    /// A byte that is no digit of the radix.
    #[error("byte {position}: expected a digit in base {radix}, found {}", shown(*found))]
    Digit {
        /// Offset in bytes from the start of the text.
        position: usize,
        /// The byte that was found there.
        found: u8,
        /// The radix, 2 to 36.
        radix: u32,
    },
    /// The number does not fit the limbs.
    #[error("the number needs {needed} bits; expected at most {bits}")]
    TooWide {
        /// Bits that the number needs; a lower bound if they are more than twice as many as there are.
        needed: u64,
        /// Bits that there are.
        bits: u64,
    },
    /// The number does not fit a type.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// The radix is none.
    #[error("radix {radix}: expected 2 to 36")]
    Radix {
        /// The radix that was asked for.
        radix: u32,
    },
}

impl ParseError {
    /// The same error in a text where `bytes` more precede the digits.
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
/// [`ParseError`] if `digits` is empty, has another byte than `0` to `9`, or does not fit the limbs of `out`,
/// which are then unspecified.
pub fn parse_dec<B: Base>(digits: &[u8], out: &mut [B]) -> Result<(), ParseError> {
    parse_radix(digits, 10, out)
}

/// Appends the number's decimal digits, without leading zeros; `0` for zero.
pub fn write_dec<B: Base>(limbs: &[B], text: &mut Vec<u8>) {
    radix::write(limbs, 10, text);
}

/// A byte as a person would name it.
fn shown(byte: u8) -> String {
    if byte.is_ascii_graphic() { format!("`{}`", byte as char) } else { format!("byte 0x{byte:02x}") }
}
