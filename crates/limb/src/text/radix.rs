//! Text in any radix from 2 to 36.

mod bits;
mod digits;
mod parse;
mod scratch;
mod table;
mod write;

use core::ops::RangeInclusive;

use self::scratch::with_scratch;
use self::table::Radix;
use super::hex::{parse_hex, write_hex};
use super::{DIGITS, ParseError, check_digits, significant};
use crate::slice::{bits as bit_counts, words};
use crate::{base::Base, width::whole_bits};

/// The supported radices.
const RADICES: RangeInclusive<u32> = 2..=DIGITS.len() as u32;

/// `out =` the number with these digits, most significant first, without sign.
///
/// # Errors
/// [`ParseError`] if `radix` is not 2 to 36, `digits` is empty or has a byte that is not a digit of the
/// radix, or the number does not fit `out`, whose limbs are then unspecified.
pub fn parse_radix<B: Base>(digits: &[u8], radix: u32, out: &mut [B]) -> Result<(), ParseError> {
    const { whole_bits::<B>() };
    if !RADICES.contains(&radix) {
        return Err(ParseError::Radix { radix });
    }
    if radix == 16 {
        return parse_hex(digits, out);
    }
    if digits.is_empty() || !digits::are_digits(digits, radix) {
        return check_digits(digits, radix);
    }
    let number = significant(digits);
    let room = out.len() as u64 * u64::from(B::BITS);
    let table = Radix::of(radix);
    let needed = table.min_bits(number.len());
    // A number that is slightly too wide is measured exactly below; a very long text is not converted.
    if needed > 2 * room {
        return Err(ParseError::TooWide { needed, bits: room });
    }
    with_scratch(|scratch| {
        if radix.is_power_of_two() {
            bits::parse(number, radix.ilog2(), &mut scratch.value);
        } else {
            parse::parse(number, table, scratch);
        }
        let value = &mut scratch.value;
        let needed = bit_counts::bit_len(value).into();
        if needed > room {
            return Err(ParseError::TooWide { needed, bits: room });
        }
        value.resize(words::words_for::<B>(out.len()), 0);
        match B::as_words_mut(out) {
            Some(out) => out.copy_from_slice(value),
            None => words::unpack(out, value),
        }
        Ok(())
    })
}

/// Appends the number's digits in lower case, without leading zeros; `0` for zero.
///
/// # Errors
/// [`ParseError::Radix`] unless `radix` is 2 to 36; nothing is then appended.
pub fn write_radix<B: Base>(limbs: &[B], radix: u32, text: &mut Vec<u8>) -> Result<(), ParseError> {
    const { whole_bits::<B>() };
    if !RADICES.contains(&radix) {
        return Err(ParseError::Radix { radix });
    }
    write(limbs, radix, text);
    Ok(())
}

/// [`write_radix`] for a valid radix.
pub(crate) fn write<B: Base>(limbs: &[B], radix: u32, text: &mut Vec<u8>) {
    let limbs = bit_counts::significant(limbs);
    if radix == 16 {
        return write_hex(limbs, text);
    }
    if limbs.is_empty() {
        return text.push(b'0');
    }
    with_scratch(|scratch| {
        let mut packed = core::mem::take(&mut scratch.value);
        let words = match B::as_words(limbs) {
            Some(words) => words,
            None => {
                packed.resize(words::words_for::<B>(limbs.len()), 0);
                words::pack(&mut packed, limbs);
                bit_counts::significant(&packed)
            }
        };
        if radix.is_power_of_two() {
            bits::write(words, radix.ilog2(), text);
        } else {
            write::write(words, Radix::of(radix), text, scratch);
        }
        scratch.value = packed;
    });
}
