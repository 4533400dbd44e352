//! Text in any radix from 2 to 36.

use core::ops::RangeInclusive;

use num_bigint::BigUint;

use super::hex::{parse_hex, write_hex};
use super::{DIGITS, ParseError, VALUES, check_digits, significant};
use crate::slice::{add, bits, div};
use crate::{base::Base, convert, invariant::broken_invariant, width::whole_bits};

/// The supported radices.
const RADICES: RangeInclusive<u32> = 2..=DIGITS.len() as u32;
/// A number of more digits is parsed in halves.
const SPLIT_PARSE: usize = 2000;
/// num-bigint formats numbers of more limbs.
const SPLIT_WRITE: usize = 3;

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
    check_digits(digits, radix)?;
    let number = significant(digits);
    let bits = out.len() as u64 * u64::from(B::BITS);
    let needed = min_bits(number.len(), radix);
    // A number that is slightly too wide is measured exactly below; a very long text is not converted.
    if needed > 2 * bits {
        return Err(ParseError::TooWide { needed, bits });
    }
    if number.len() <= SPLIT_PARSE && parse_short(number, radix, out) {
        return Ok(());
    }
    let value = parse_long(number, radix);
    if convert::from_biguint(&value, out) {
        return Ok(());
    }
    Err(ParseError::TooWide { needed: value.bits(), bits })
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
    let limbs = bits::significant(limbs);
    if radix == 16 {
        write_hex(limbs, text);
    } else if limbs.is_empty() {
        text.push(b'0');
    } else if limbs.len() <= SPLIT_WRITE {
        write_short(&mut limbs.to_vec(), radix, text);
    } else {
        text.extend(convert::to_biguint(limbs).to_str_radix(radix).as_bytes());
    }
}

/// (the largest power of the radix that fits `bits` bits and a machine word, its exponent).
fn largest_power(radix: u32, bits: u32) -> (u64, usize) {
    let (limit, radix) = (u64::MAX >> 64_u32.saturating_sub(bits), u64::from(radix));
    let (mut power, mut exponent) = (1, 0);
    while power <= limit / radix {
        power *= radix;
        exponent += 1;
    }
    (power, exponent)
}

/// A lower bound of the bits of a number of this many digits, the first of them nonzero.
fn min_bits(digits: usize, radix: u32) -> u64 {
    let (power, exponent) = largest_power(radix, 64);
    match digits as u64 {
        0 => 0,
        digits => 1 + (digits - 1) / exponent as u64 * u64::from(power.ilog2()),
    }
}

/// Multiplies and adds, as many digits at a time as fit a limb; returns whether the number fits `out`.
fn parse_short<B: Base>(number: &[u8], radix: u32, out: &mut [B]) -> bool {
    let (power, exponent) = largest_power(radix, B::BITS);
    out.fill(B::ZERO);
    let mut used = 0;
    let mut digits = number;
    while !digits.is_empty() {
        let (chunk, rest) = digits.split_at((digits.len() - 1) % exponent + 1);
        let value = |byte: u8| u64::from(VALUES[usize::from(byte)]);
        let chunk = chunk.iter().fold(0, |sum, &byte| sum * u64::from(radix) + value(byte));
        let carry = add::mul_add_limb(&mut out[..used], B::from_word(power), B::from_word(chunk));
        if carry != B::ZERO {
            let Some(above) = out.get_mut(used) else { return false };
            *above = carry;
            used += 1;
        }
        digits = rest;
    }
    true
}

/// Parses two halves and joins them: `high * radix^k + low`, with k = [`SPLIT_PARSE`] times a power of two.
fn parse_long(number: &[u8], radix: u32) -> BigUint {
    let mut powers = vec![BigUint::from(radix).pow(SPLIT_PARSE as u32)];
    while SPLIT_PARSE << powers.len() < number.len() {
        let last = &powers[powers.len() - 1];
        powers.push(last * last);
    }
    join_halves(number, radix, &powers)
}

/// `powers[i] = radix^(SPLIT_PARSE * 2^i)`, up to at least half of the digits.
fn join_halves(number: &[u8], radix: u32, powers: &[BigUint]) -> BigUint {
    let Some((power, smaller)) = powers.split_last() else {
        // The largest radix has less than 6 bits per digit.
        let mut words = vec![0_u64; (6 * number.len()).div_ceil(64)];
        if !parse_short(number, radix, &mut words) {
            broken_invariant("six bits hold a digit");
        }
        return convert::to_biguint(&words);
    };
    let low_digits = SPLIT_PARSE << smaller.len();
    let (high, low) = number.split_at(number.len().saturating_sub(low_digits));
    let low = join_halves(low, radix, smaller);
    if high.is_empty() { low } else { join_halves(high, radix, smaller) * power + low }
}

/// Divides by the largest power of the radix in a limb; the remainders give the digits, lowest first.
fn write_short<B: Base>(rest: &mut [B], radix: u32, text: &mut Vec<u8>) {
    let (power, exponent) = largest_power(radix, B::BITS);
    let start = text.len();
    let mut used = bits::significant(rest).len();
    while used > 0 {
        let chunk = div::div_rem_limb(&mut rest[..used], B::from_word(power))
            .unwrap_or_else(|_| broken_invariant("a power of the radix is not zero"));
        let mut chunk = chunk.low_word();
        used = bits::significant(&rest[..used]).len();
        for _ in 0..exponent {
            text.push(DIGITS[(chunk % u64::from(radix)) as usize]);
            chunk /= u64::from(radix);
            if chunk == 0 && used == 0 {
                break;
            }
        }
    }
    text[start..].reverse();
}
