//! What powers are computed with: Montgomery products of eight pairs, in digits of the ring's own.

use super::digits;
use super::lanes::{self, Lanes, WIDTH, Words};
use super::montgomery::{self, Moduli};

/// Montgomery products of eight pairs of numbers of n digits, each with its own odd modulus.
pub(super) trait Ring: Copy {
    /// Bits of a digit: R is a power of two of n times as many.
    const DIGIT_BITS: u32;

    /// Digits n for moduli of so many bits.
    fn digits(bits: u32) -> usize;
    /// The digit of the low bits of a word.
    fn digit(word: u64) -> u64;
    /// The ring of the first lanes: the others may have any values.
    fn of_lanes(self, _count: usize) -> Self {
        self
    }

    /// Writes the digits of eight integers below R.
    fn enter(self, digits: &mut [Words], integers: [&[u64]; WIDTH], room: &mut Vec<Words>);
    /// Writes the low words of the integers with these digits.
    fn leave(self, integers: [&mut [u64]; WIDTH], digits: &[Words], room: &mut Vec<Words>);
    /// `out = a b / R mod m`, below 2m.
    fn mul(self, out: &mut [Words], factors: [&[Words]; 2], moduli: Moduli<'_>, quotient: &mut [Words]);
    /// `out = a^2 / R mod m`, below 2m.
    fn square(self, out: &mut [Words], a: &[Words], moduli: Moduli<'_>, quotient: &mut [Words]);

    /// 1 in each lane.
    fn set_one(self, digits: &mut [Words]) {
        digits.fill(Words::ZERO);
        digits[0] = Words([Self::digit(1); WIDTH]);
    }
}

impl<L: Lanes> Ring for L {
    const DIGIT_BITS: u32 = lanes::DIGIT_BITS;

    fn digits(bits: u32) -> usize {
        montgomery::digits_for(bits)
    }

    fn digit(word: u64) -> u64 {
        word & lanes::MASK
    }

    fn enter(self, digits: &mut [Words], integers: [&[u64]; WIDTH], room: &mut Vec<Words>) {
        digits::enter(self, digits, integers, room);
    }

    fn leave(self, integers: [&mut [u64]; WIDTH], digits: &[Words], room: &mut Vec<Words>) {
        digits::leave(self, integers, digits, room);
    }

    fn mul(self, out: &mut [Words], [a, b]: [&[Words]; 2], moduli: Moduli<'_>, quotient: &mut [Words]) {
        montgomery::mul(self, out, a, b, moduli, quotient);
    }

    fn square(self, out: &mut [Words], a: &[Words], moduli: Moduli<'_>, quotient: &mut [Words]) {
        montgomery::square(self, out, a, moduli, quotient);
    }
}
