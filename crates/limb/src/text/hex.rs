//! Hexadecimal: a byte is two digits, so parsing and formatting are table lookups.

use super::{DIGITS, ParseError, VALUES, check_digits, significant};
use crate::{base::Base, slice::bits, width::whole_bits};

/// Digits of one 64-bit word.
const WORD_DIGITS: usize = 16;

/// The two digits of each byte.
const PAIRS: [[u8; 2]; 256] = pairs();

const fn pairs() -> [[u8; 2]; 256] {
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < pairs.len() {
        pairs[byte] = [DIGITS[byte >> 4], DIGITS[byte & 15]];
        byte += 1;
    }
    pairs
}

/// `out =` the number with these hexadecimal digits, most significant first, without sign or prefix.
///
/// # Errors
/// As [`parse_radix`](super::parse_radix).
///
/// ```
/// use limbforge_limb::text;
/// let mut limbs = [0_u32; 2];
/// text::parse_hex(b"1c0ffee00", &mut limbs)?;
/// assert_eq!(limbs, [0xc0ff_ee00, 1]);
/// # Ok::<(), limbforge_limb::text::ParseError>(())
/// ```
pub fn parse_hex<B: Base>(digits: &[u8], out: &mut [B]) -> Result<(), ParseError> {
    const { whole_bits::<B>() };
    let number = significant(digits);
    let room = out.len() * 2 * B::BYTES;
    if digits.is_empty() || number.len() > room {
        check_digits(digits, 16)?;
        return Err(too_wide(number, room));
    }
    let mut limbs = number.rchunks(2 * B::BYTES);
    let mut invalid = false;
    for out in out {
        *out = B::ZERO;
        // A limb wider than a machine word is read word by word.
        for (i, digits) in limbs.next().unwrap_or_default().rchunks(WORD_DIGITS).enumerate() {
            let (word, word_invalid) = match <&[u8; WORD_DIGITS]>::try_from(digits) {
                Ok(digits) => parse_word(digits),
                Err(_) => parse_word(digits),
            };
            *out = *out | B::from_word(word) << (64 * i);
            invalid |= word_invalid;
        }
    }
    if invalid { check_digits(digits, 16) } else { Ok(()) }
}

fn too_wide(number: &[u8], room: usize) -> ParseError {
    let top = number.first().map_or(0, |&top| VALUES[usize::from(top)]);
    let needed = 4 * number.len() as u64 - u64::from(top.leading_zeros() - 4);
    ParseError::TooWide { needed, bits: 4 * room as u64 }
}

/// At most 16 digits as a word, and whether one of them is invalid.
#[inline(always)]
fn parse_word<'a>(digits: impl IntoIterator<Item = &'a u8>) -> (u64, bool) {
    let (word, seen) = digits.into_iter().fold((0, 0), |(word, seen), &byte| {
        let value = VALUES[usize::from(byte)];
        (word << 4 | u64::from(value), seen | value)
    });
    // Values of digits up to `f` have four bits; those of other letters, and NONE, have more.
    (word, seen >= 16)
}

/// Appends the number's hexadecimal digits in lower case, without prefix or leading zeros; `0` for zero.
pub fn write_hex<B: Base>(limbs: &[B], text: &mut Vec<u8>) {
    const { whole_bits::<B>() };
    let digits = bits::bit_len(limbs).div_ceil(4).max(1) as usize;
    let start = text.len();
    text.resize(start + digits, b'0');
    for (digits, &limb) in text[start..].rchunks_mut(2 * B::BYTES).zip(limbs) {
        for (i, digits) in digits.rchunks_mut(WORD_DIGITS).enumerate() {
            let word = (limb >> (64 * i)).low_word();
            // For a full word, the compiler knows the length of the loop.
            if digits.len() == WORD_DIGITS {
                write_word(&mut digits[..WORD_DIGITS], word);
            } else {
                write_word(digits, word);
            }
        }
    }
}

#[inline(always)]
fn write_word(digits: &mut [u8], word: u64) {
    let (top, pairs) = digits.as_rchunks_mut::<2>();
    let count = pairs.len();
    for (pair, byte) in pairs.iter_mut().rev().zip(word.to_le_bytes()) {
        *pair = PAIRS[usize::from(byte)];
    }
    if let [top] = top {
        *top = DIGITS[(word >> (8 * count)) as usize & 15];
    }
}
