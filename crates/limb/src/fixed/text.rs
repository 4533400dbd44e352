//! Parsing and formatting. Signs and prefixes are handled here, digits in [`text`].

use core::{fmt, str::FromStr};

use super::FixedInt;
use crate::text::{self, ParseError};
use crate::{error::RangeError, uint::Uint};

/// The sign of a text: (whether it is a minus, its length in bytes, 0 or 1).
fn sign(text: &str, signed: bool) -> (bool, usize) {
    match text.as_bytes().first() {
        Some(b'-') if signed => (true, 1),
        Some(b'+') => (false, 1),
        _ => (false, 0),
    }
}

/// Writes ASCII digits with the formatter's width and fill.
fn pad(
    f: &mut fmt::Formatter<'_>,
    negative: bool,
    prefix: &str,
    write: impl FnOnce(&mut Vec<u8>),
) -> fmt::Result {
    let mut digits = Vec::new();
    write(&mut digits);
    f.pad_integral(!negative, prefix, str::from_utf8(&digits).map_err(|_| fmt::Error)?)
}

both! {
    impl {
        /// The number with these digits in a radix from 2 to 36, after an optional sign and without a prefix.
        ///
        /// ```
        /// use limbforge_limb::{I256, U256};
        /// assert_eq!(U256::from_str_radix("zz", 36)?, 36 * 36 - 1);
        /// assert_eq!(I256::from_str_radix("-101", 2)?, -5);
        /// # Ok::<(), limbforge_limb::text::ParseError>(())
        /// ```
        ///
        /// # Errors
        /// [`ParseError`] if the radix is not 2 to 36, or the rest is not digits of a number that fits.
        pub fn from_str_radix(digits: &str, radix: u32) -> Result<Self, ParseError> {
            let (negative, at) = sign(digits, Self::TYPE.is_signed());
            Self::parse(negative, digits, at, radix)
        }

        /// The number in a radix from 2 to 36, in lower case, after a `-` if it is negative.
        ///
        /// ```
        /// use limbforge_limb::{I256, U256};
        /// assert_eq!(U256::from(1295_u16).to_string_radix(36)?, "zz");
        /// assert_eq!(I256::from(-5).to_string_radix(2)?, "-101");
        /// # Ok::<(), limbforge_limb::text::ParseError>(())
        /// ```
        ///
        /// # Errors
        /// [`ParseError::Radix`] unless the radix is 2 to 36.
        pub fn to_string_radix(&self, radix: u32) -> Result<String, ParseError> {
            let (negative, magnitude) = self.sign_and_magnitude();
            let mut digits = if negative { vec![b'-'] } else { vec![] };
            text::write_radix(&magnitude.limbs, radix, &mut digits)?;
            // All digits are ASCII.
            Ok(digits.into_iter().map(char::from).collect())
        }

        /// The number whose digits begin at byte `at` of the text.
        fn parse(negative: bool, text: &str, at: usize, radix: u32) -> Result<Self, ParseError> {
            let range = |needed| ParseError::Range(RangeError { ty: Self::TYPE, needed });
            let mut magnitude = Uint::zero();
            let parsed = text::parse_radix(&text.as_bytes()[at..], radix, &mut magnitude.limbs);
            parsed.map_err(|error| match error {
                ParseError::TooWide { needed, .. } => range(needed + u64::from(Self::TYPE.is_signed())),
                other => other.offset(at),
            })?;
            let number = Self::from_sign_and_magnitude(negative, magnitude);
            if number.is_zero() || FixedInt::is_negative(&number) == negative {
                return Ok(number);
            }
            Err(range(u64::from(Self::BITS) + 1))
        }
    }
}

impls! { Uint Int:
    FromStr {
        type Err = ParseError;
        /// Parses a decimal number, or a hexadecimal one after `0x`, after an optional sign.
        ///
        /// # Errors
        /// [`ParseError`] if the rest (white space included) is not digits of a number that fits.
        fn from_str(text: &str) -> Result<Self, ParseError> = {
            let (negative, at) = sign(text, Self::TYPE.is_signed());
            match text[at..].starts_with("0x") || text[at..].starts_with("0X") {
                true => Self::parse(negative, text, at + 2, 16),
                false => Self::parse(negative, text, at, 10),
            }
        };
    }
    /// Decimal.
    fmt::Display {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result = {
            let (negative, magnitude) = self.sign_and_magnitude();
            pad(f, negative, "", |digits| text::write_dec(&magnitude.limbs, digits))
        };
    }
    /// Hexadecimal, sign and magnitude.
    fmt::Debug {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result = {
            let (negative, magnitude) = self.sign_and_magnitude();
            let name = if Self::TYPE.is_signed() { "Int" } else { "Uint" };
            write!(f, "{name}({}{:#x})", if negative { "-" } else { "" }, *magnitude)
        };
    }
    fmt::UpperHex {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result = pad(f, false, "0x", |digits| {
            text::write_hex(&self.limbs, digits);
            digits.make_ascii_uppercase();
        });
    }
}

macro_rules! patterns {
    ($($Trait:ident $radix:literal $prefix:literal;)*) => {
        impls! { Uint Int: $(
            /// The `BITS` bits of the number; those of a negative one are its two's complement.
            fmt::$Trait {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result =
                    pad(f, false, $prefix, |digits| text::write(&self.limbs, $radix, digits));
            }
        )*}
    };
}

patterns! {
    LowerHex 16 "0x";
    Octal 8 "0o";
    Binary 2 "0b";
}
