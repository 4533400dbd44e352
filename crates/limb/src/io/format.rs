//! The formats of files of integers.

use core::fmt;
use core::str::FromStr;

use crate::int_type::IntType;

/// The format of a file of integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NumberFormat {
    /// One integer per line in hexadecimal, upper or lower case, with an optional `0x`, and `-` before a
    /// negative one.
    #[default]
    Hex,
    /// One integer per line in decimal, `-` before a negative one.
    Dec,
    /// Little-endian records of `ceil(bits / 8)` bytes without separators, in two's complement if signed.
    Bin,
}

impl NumberFormat {
    /// Digits of the longest integer of the type, without sign and prefix; for [`Bin`](Self::Bin), the bytes
    /// of a record.
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
        f.write_str(match self {
            Self::Hex => "hex",
            Self::Dec => "dec",
            Self::Bin => "bin",
        })
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
