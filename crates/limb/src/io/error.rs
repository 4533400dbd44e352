//! What can be wrong with a record of a file.

use crate::error::RangeError;
use crate::int_type::IntType;

/// Why a record is not an integer of the type that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A line without a number.
    #[error("expected an integer, found an empty line")]
    Empty,
    /// A sign or prefix without digits.
    #[error("column {column}: expected a digit in base {radix}, found the end of the line")]
    NoDigits {
        /// Column after the sign or prefix, from 1.
        column: usize,
        /// 16 or 10.
        radix: u32,
    },
    /// A byte that is no digit.
    #[error("column {column}: expected a digit in base {radix}, found {}", shown(*found))]
    Digit {
        /// Column of the byte, from 1.
        column: usize,
        /// The byte.
        found: u8,
        /// 16 or 10.
        radix: u32,
    },
    /// A minus sign where numbers are unsigned.
    #[error("found a negative integer; {ty} is unsigned, expected 0 to {}", ty.max_text())]
    Negative {
        /// The type that was expected.
        ty: IntType,
    },
    /// A number that is too large or too small.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// A line that is far longer than any number of the type.
    #[error("the line is longer than {limit} bytes; an integer of type {ty} has at most {digits} digits")]
    TooLong {
        /// Bytes that are read of a line.
        limit: usize,
        /// The type that was expected.
        ty: IntType,
        /// Digits of the longest number of that type.
        digits: usize,
    },
    /// A binary file that ends within a record.
    #[error("the file ends within a record: expected {expected} bytes, found {found}")]
    Truncated {
        /// Bytes of a record.
        expected: usize,
        /// Bytes left in the file.
        found: usize,
    },
}

impl RecordError {
    /// A short name for reports that go on after an error: `RANGE` for numbers that do not fit, `SYNTAX` for
    /// text that is no number.
    #[must_use]
    pub const fn mark(&self) -> &'static str {
        match self {
            Self::Range(_) | Self::Negative { .. } | Self::TooLong { .. } => "RANGE",
            Self::Empty | Self::NoDigits { .. } | Self::Digit { .. } | Self::Truncated { .. } => "SYNTAX",
        }
    }
}

/// A record that is wrong, and which one it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{number}: {source}")]
pub struct ReadError {
    /// Line of a text file or record of a binary one, from 1.
    pub number: u64,
    /// What is wrong with it.
    pub source: RecordError,
}

fn shown(byte: u8) -> String {
    if byte.is_ascii_graphic() { format!("`{}`", byte as char) } else { format!("byte 0x{byte:02x}") }
}
