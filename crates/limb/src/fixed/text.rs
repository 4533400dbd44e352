//! Parsing and formatting. Signs and prefixes are handled here, digits in [`text`].

use core::fmt;
use core::str::FromStr;

use generic_array::ArrayLength;

use crate::base::Base;
use crate::int::Int;
use crate::invariant::broken_invariant;
use crate::text::{self, ParseError};
use crate::uint::Uint;

/// The sign of a text: (whether it is a minus, its length in bytes, 0 or 1).
pub(crate) fn sign(text: &str, signed: bool) -> (bool, usize) {
    match text.as_bytes().first() {
        Some(b'-') if signed => (true, 1),
        Some(b'+') => (false, 1),
        _ => (false, 0),
    }
}

/// The radix of digits that may follow `0x`, and the length of that prefix in bytes.
fn prefix(digits: &str) -> (u32, usize) {
    if digits.starts_with("0x") || digits.starts_with("0X") { (16, 2) } else { (10, 0) }
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

/// [`text::write_radix`] for the valid radices below.
fn write_radix<B: Base>(limbs: &[B], radix: u32, digits: &mut Vec<u8>) {
    text::write_radix(limbs, radix, digits).unwrap_or_else(|_| broken_invariant("the radix is one of ours"));
}

macro_rules! patterns {
    ($Type:ident: $($Trait:ident $radix:literal $prefix:literal;)*) => {$(
        /// The `BITS` bits of the number; those of a negative one are its two's complement.
        impl<B: Base, N: ArrayLength> fmt::$Trait for $Type<B, N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                pad(f, false, $prefix, |digits| write_radix(&self.limbs, $radix, digits))
            }
        }
    )*};
}

macro_rules! stamp {
    ($Type:ident, signed: $signed:literal) => {
        impl<B: Base, N: ArrayLength> FromStr for $Type<B, N> {
            type Err = ParseError;

            /// Parses a decimal number, or a hexadecimal one after `0x`, after an optional sign.
            ///
            /// # Errors
            /// [`ParseError`] if there are no digits, a byte is not a digit (white space included), or the
            /// number does not fit.
            fn from_str(text: &str) -> Result<Self, ParseError> {
                let (negative, sign_len) = sign(text, $signed);
                let (radix, prefix_len) = prefix(&text[sign_len..]);
                let skipped = sign_len + prefix_len;
                Self::from_sign_and_digits(negative, &text.as_bytes()[skipped..], radix)
                    .map_err(|error| error.offset(skipped))
            }
        }

        impl<B: Base, N: ArrayLength> $Type<B, N> {
            /// Parses digits in a radix from 2 to 36 after an optional sign.
            pub(crate) fn parse_digits(text: &str, radix: u32) -> Result<Self, ParseError> {
                let (negative, sign_len) = sign(text, $signed);
                Self::from_sign_and_digits(negative, &text.as_bytes()[sign_len..], radix)
                    .map_err(|error| error.offset(sign_len))
            }
        }

        /// Decimal.
        impl<B: Base, N: ArrayLength> fmt::Display for $Type<B, N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (negative, magnitude) = self.sign_and_magnitude();
                pad(f, negative, "", |digits| text::write_dec(&magnitude.limbs, digits))
            }
        }

        /// Hexadecimal, sign and magnitude.
        impl<B: Base, N: ArrayLength> fmt::Debug for $Type<B, N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (negative, magnitude) = self.sign_and_magnitude();
                write!(
                    f,
                    concat!(stringify!($Type), "({}{:#x})"),
                    if negative { "-" } else { "" },
                    *magnitude
                )
            }
        }

        impl<B: Base, N: ArrayLength> fmt::UpperHex for $Type<B, N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                pad(f, false, "0x", |digits| {
                    text::write_hex(&self.limbs, digits);
                    digits.make_ascii_uppercase();
                })
            }
        }

        patterns! { $Type:
            LowerHex 16 "0x";
            Octal 8 "0o";
            Binary 2 "0b";
        }
    };
}

stamp!(Uint, signed: false);
stamp!(Int, signed: true);
