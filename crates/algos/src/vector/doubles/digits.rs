//! Eight integers of words as digits, one by one: a power takes thousands of products for each.

use super::{DIGIT_BITS, MASK};
use crate::vector::lanes::{WIDTH, Words};
use crate::vector::window::field;

/// The digit of the low bits of a word.
pub(super) fn of_word(word: u64) -> u64 {
    ((word & MASK) as f64).to_bits()
}

/// Writes the digits of eight integers.
pub(super) fn enter(digits: &mut [Words], integers: [&[u64]; WIDTH]) {
    for (i, digit) in (0_u32..).zip(digits) {
        for (lane, integer) in integers.into_iter().enumerate() {
            digit.0[lane] = of_word(field(integer, i * DIGIT_BITS, DIGIT_BITS) as u64);
        }
    }
}

/// Writes the low words of the integers with these digits.
pub(super) fn leave(integers: [&mut [u64]; WIDTH], digits: &[Words]) {
    for (lane, integer) in integers.into_iter().enumerate() {
        integer.fill(0);
        for (i, digit) in digits.iter().enumerate() {
            let digit = f64::from_bits(digit.0[lane]) as u64 & MASK;
            let bit = i * DIGIT_BITS as usize;
            let (word, at) = (bit / 64, (bit % 64) as u32);
            let parts = u128::from(digit) << at;
            for (word, part) in integer.iter_mut().skip(word).zip([parts as u64, (parts >> 64) as u64]) {
                *word |= part;
            }
        }
    }
}
