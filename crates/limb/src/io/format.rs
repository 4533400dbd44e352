//! The formats of files of integers, and the errors of a record.

use core::{fmt, str::FromStr};

use crate::{error::RangeError, int_type::IntType, text::shown};

/// The format of a file of integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NumberFormat {
    /// One integer per line in hexadecimal, with an optional `0x`, `-` before a negative one.
    #[default]
    Hex,
    /// One integer per line in decimal, `-` before a negative one.
    Dec,
    /// Little-endian records of `ceil(bits / 8)` bytes without separators, in two's complement if signed.
    Bin,
}

impl NumberFormat {
    /// Digits of the longest integer of the type, without sign and prefix; bytes for [`Bin`](Self::Bin).
    #[must_use]
    pub const fn max_digits(self, ty: IntType) -> usize {
        match self {
            Self::Hex => ty.bits().div_ceil(4) as usize,
            // 30103 / 100000 is just above log10(2).
            Self::Dec => (ty.bits() as u64 * 30103 / 100_000) as usize + 1,
            Self::Bin => ty.bytes(),
        }
    }

    /// Longest accepted line in bytes, with room for a sign, a prefix, blanks and leading zeros.
    #[must_use]
    pub const fn max_line(self, ty: IntType) -> usize {
        4 * self.max_digits(ty) + 4096
    }
}

impl fmt::Display for NumberFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["hex", "dec", "bin"][*self as usize])
    }
}

/// The text does not name a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no number format: expected hex, dec or bin")]
pub struct ParseNumberFormatError(String);

impl FromStr for NumberFormat {
    type Err = ParseNumberFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Hex, Self::Dec, Self::Bin]
            .into_iter()
            .find(|format| format.to_string() == text)
            .ok_or_else(|| ParseNumberFormatError(text.to_owned()))
    }
}

/// The record is not an integer of the expected type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The line has no number.
    #[error("expected an integer, found an empty line")]
    Empty,
    /// A sign or prefix has no digits after it.
    #[error("column {column}: expected a digit in base {radix}, found the end of the line")]
    NoDigits {
        /// Column after the sign or prefix, from 1.
        column: usize,
        /// 16 or 10.
        radix: u32,
    },
    /// A byte is not a digit.
    #[error("column {column}: expected a digit in base {radix}, found {}", shown(*found))]
    Digit {
        /// Column of the byte, from 1.
        column: usize,
        /// The byte.
        found: u8,
        /// 16 or 10.
        radix: u32,
    },
    /// A negative number for an unsigned type.
    #[error("found a negative integer; {ty} is unsigned, expected 0 to {}", ty.max_text())]
    Negative {
        /// The expected type.
        ty: IntType,
    },
    /// The number is too large or too small.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// The line is far longer than any number of the type.
    #[error("the line is longer than {limit} bytes; an integer of type {ty} has at most {digits} digits")]
    TooLong {
        /// Longest accepted line in bytes.
        limit: usize,
        /// The expected type.
        ty: IntType,
        /// Digits of the longest number of that type.
        digits: usize,
    },
    /// The binary file ends within a record.
    #[error("the file ends within a record: expected {expected} bytes, found {found}")]
    Truncated {
        /// Bytes of a record.
        expected: usize,
        /// Bytes left in the file.
        found: usize,
    },
    /// A row of a column has no value.
    #[error("expected an integer, found null")]
    Null,
    /// A row of a table has more or fewer fields than its header.
    #[error("expected a row of {expected} fields, found {found}")]
    Fields {
        /// Fields of the header.
        expected: usize,
        /// Fields of the row.
        found: usize,
    },
}

impl RecordError {
    /// A short name for reports: `RANGE` for a number that does not fit, `SYNTAX` for text that is not one.
    #[must_use]
    pub const fn mark(&self) -> &'static str {
        match self {
            Self::Range(_) | Self::Negative { .. } | Self::TooLong { .. } => "RANGE",
            Self::Empty
            | Self::NoDigits { .. }
            | Self::Digit { .. }
            | Self::Truncated { .. }
            | Self::Null
            | Self::Fields { .. } => "SYNTAX",
        }
    }
}

/// An error with its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{number}: {source}")]
pub struct ReadError {
    /// Line of a text file or record of a binary one, from 1.
    pub number: u64,
    /// The error of the record.
    pub source: RecordError,
}
