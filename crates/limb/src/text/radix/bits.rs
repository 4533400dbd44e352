//! Radices that are powers of two: digits are groups of bits.

use crate::slice::bits;
use crate::text::{DIGITS, VALUES};

/// Sets `value` to the number with these digits of `width` bits each.
pub(super) fn parse(digits: &[u8], width: u32, value: &mut Vec<u64>) {
    value.clear();
    let (mut word, mut filled) = (0_u64, 0);
    for &digit in digits.iter().rev() {
        let digit = u64::from(VALUES[usize::from(digit)]);
        word |= digit << filled;
        filled += width;
        if filled >= u64::BITS {
            value.push(word);
            filled -= u64::BITS;
            word = digit >> (width - filled);
        }
    }
    value.push(word);
}

/// Appends the digits of a number that is not zero.
pub(super) fn write(words: &[u64], width: u32, text: &mut Vec<u8>) {
    let digits = bits::bit_len(words).div_ceil(width);
    text.reserve(digits as usize);
    for digit in (0..digits).rev() {
        let (word, at) = ((digit * width / u64::BITS) as usize, digit * width % u64::BITS);
        let above = words.get(word + 1).map_or(0, |above| above << 1 << (u64::BITS - 1 - at));
        let group = (words[word] >> at | above) & ((1 << width) - 1);
        text.push(DIGITS[group as usize]);
    }
}
