//! Digits to machine words and back, eight decimal digits at a time.

use crate::text::{DIGITS, VALUES};

/// Decimal digits that are converted together.
const EIGHT: usize = 8;
/// The numbers of eight decimal digits are below this.
const TEN_8: u64 = 100_000_000;
/// The digit 0 in each byte.
const ZEROS: u64 = u64::from_le_bytes([b'0'; EIGHT]);

/// Whether all bytes are digits of the radix.
pub(super) fn are_digits(text: &[u8], radix: u32) -> bool {
    if radix <= 10 {
        // Without an early end, the compiler checks many bytes at a time.
        let stray = |byte: u8| u32::from(byte.wrapping_sub(b'0')) >= radix;
        return !text.iter().fold(false, |any, &byte| any | stray(byte));
    }
    text.iter().all(|&byte| u32::from(VALUES[usize::from(byte)]) < radix)
}

/// The number with these digits, which fits a word.
#[inline]
pub(super) fn parse_chunk(digits: &[u8], radix: u64) -> u64 {
    if radix != 10 {
        return digits.iter().fold(0, |sum, &digit| sum * radix + u64::from(VALUES[usize::from(digit)]));
    }
    let (first, eights) = digits.as_rchunks::<EIGHT>();
    let first = first.iter().fold(0, |sum, &digit| 10 * sum + u64::from(digit - b'0'));
    eights.iter().fold(first, |sum, &eight| sum * TEN_8 + parse_eight(eight))
}

/// Pairs of digits, pairs of pairs, and the two halves are joined in the lanes of one word.
#[inline(always)]
fn parse_eight(digits: [u8; EIGHT]) -> u64 {
    let ones = u64::from_le_bytes(digits) - ZEROS;
    // In byte 2i: digits 2i and 2i + 1, where digit 0 is the first one.
    let pairs = ones * 10 + (ones >> 8);
    // What the products have above the word is not needed.
    let even = (pairs & 0xff_0000_00ff).wrapping_mul(100 + (1_000_000 << 32));
    let odd = (pairs >> 16 & 0xff_0000_00ff).wrapping_mul(1 + (10_000 << 32));
    even.wrapping_add(odd) >> 32
}

/// Number of digits of a nonzero number.
pub(super) const fn count(number: u64, radix: u64) -> usize {
    number.ilog(radix) as usize + 1
}

/// Fills `out` with the lowest digits of the number.
#[inline]
pub(super) fn write_chunk(mut number: u64, radix: u64, out: &mut [u8]) {
    if radix != 10 {
        return write_digits(number, radix, out);
    }
    let (first, eights) = out.as_rchunks_mut::<EIGHT>();
    for eight in eights.iter_mut().rev() {
        *eight = write_eight(number % TEN_8);
        number /= TEN_8;
    }
    write_digits(number, 10, first);
}

/// Digit by digit: the division is a product where the compiler knows the radix.
#[inline(always)]
fn write_digits(mut number: u64, radix: u64, out: &mut [u8]) {
    for digit in out.iter_mut().rev() {
        *digit = DIGITS[(number % radix) as usize];
        number /= radix;
    }
}

/// A number below 10^8 is split into halves, pairs and digits in the lanes of one word.
#[inline(always)]
const fn write_eight(number: u64) -> [u8; EIGHT] {
    let fours = (number / 10_000) | ((number % 10_000) << 32);
    // 10486 / 2^20 is just above 1 / 100, and exact below 10^4; 103 / 2^10 is 1 / 10 below 100.
    let hundreds = ((fours * 10_486) >> 20) & 0x7f_0000_007f;
    let pairs = hundreds | ((fours - 100 * hundreds) << 16);
    let tens = ((pairs * 103) >> 10) & 0xf_000f_000f_000f;
    let digits = tens | ((pairs - 10 * tens) << 8);
    (digits + ZEROS).to_le_bytes()
}
