//! Parsing of a line of text.

use super::{NumberFormat, RecordError};
use crate::slice::{bits, sub};
use crate::text::{self, ParseError};
use crate::{base::Base, error::RangeError, int_type::IntType};

/// `out =` the number on the line, as its residue modulo `2^bits`.
pub(super) fn parse<B: Base>(
    line: &[u8],
    format: NumberFormat,
    ty: IntType,
    out: &mut [B],
) -> Result<(), RecordError> {
    if line.len() > format.max_line(ty) {
        let (limit, digits) = (format.max_line(ty), format.max_digits(ty));
        return Err(RecordError::TooLong { limit, ty, digits });
    }
    let radix = if format == NumberFormat::Dec { 10 } else { 16 };
    let number = line.trim_ascii();
    if number.is_empty() {
        return Err(RecordError::Empty);
    }
    let unsigned = number.strip_prefix(b"-").unwrap_or(number);
    let negative = unsigned.len() < number.len();
    let is_prefixed = radix == 16 && matches!(unsigned, [b'0', b'x' | b'X', ..]);
    let digits = &unsigned[if is_prefixed { 2 } else { 0 }..];
    let before = line.len() - line.trim_ascii_start().len() + number.len() - digits.len();

    text::parse_radix(digits, radix, out).map_err(|error| match error {
        ParseError::Digit { position, found, radix } => {
            RecordError::Digit { column: before + position + 1, found, radix }
        }
        ParseError::TooWide { needed, .. } => {
            RangeError { ty, needed: needed + u64::from(ty.is_signed()) }.into()
        }
        ParseError::Range(error) => error.into(),
        ParseError::Empty | ParseError::Radix { .. } => RecordError::NoDigits { column: before + 1, radix },
    })?;
    apply_sign(negative, ty, out)
}

/// Replaces the magnitude in `out` by the residue of the signed number, if that fits the type.
fn apply_sign<B: Base>(negative: bool, ty: IntType, out: &mut [B]) -> Result<(), RecordError> {
    let bits = bits::bit_len(out);
    if bits == 0 {
        return Ok(());
    }
    if negative && !ty.is_signed() {
        return Err(RecordError::Negative { ty });
    }
    // -2^(bits-1) is the one number whose magnitude may reach the sign bit.
    let power = negative && bits == ty.bits() && bits::trailing_zeros(out) + 1 == bits;
    let needed = bits + u32::from(ty.is_signed() && !power);
    if needed > ty.bits() {
        return Err(RangeError { ty, needed: needed.into() }.into());
    }
    if negative {
        sub::neg_assign(out);
        bits::truncate(out, ty.bits());
    }
    Ok(())
}
