//! Montgomery products in double precision, where fused multiply-adds are fast and AVX-512 IFMA is missing:
//! four pairs at a time, in digits of 51 bits that are held as doubles (after Emmart, Zheng and Weems,
//! "Faster modular exponentiation using double precision floating point arithmetic on the GPU", ARITH 2018).
//!
//! With `C = 2^103`, whose unit in the last place is 2^51, `t = x y + C` rounded once is `C + 2^51 h`, and
//! the bits of t are those of C plus h. `C - t` is exact, and so is `l = x y - 2^51 h`, of -2^50 to 2^50;
//! added to `D = 1.5 * 2^52`, whose unit is 1, its bits are those of D plus l. `C + D` is a double, so that a
//! product takes two fused operations, a subtraction and two sums of bits:
//!
//! ```text
//! t = fma(x, y, C)        high += bits(t)
//! l = fma(x, y, C + D - t) low += bits(l)
//! ```
//!
//! The bits of C and D in the sums are taken off once for each column. The method and its bounds are
//! otherwise those of [`montgomery`](super::montgomery), columns two at a time: their four sums stay in
//! registers.

mod columns;
mod digits;
mod montgomery;

use fearless_simd::Simd;

use super::lanes::{WIDTH, Words};
use super::montgomery::Moduli;
use super::ring::Ring;
#[cfg(test)]
pub(super) use columns::{COLUMNS, Sums, low_product};
use montgomery::Product;

/// Bits of a digit.
const DIGIT_BITS: u32 = 51;

/// The digits' bits in a word.
const MASK: u64 = (1 << DIGIT_BITS) - 1;

/// A machine with fused multiply-adds of four doubles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doubles<S> {
    simd: S,
    /// Whether the upper four lanes are computed, too.
    all: bool,
}

impl<S> Doubles<S> {
    pub(super) const fn new(simd: S) -> Self {
        Self { simd, all: true }
    }
}

/// Bits of the longest moduli: fewer than 1600 digits.
pub(super) const MOST_BITS: u32 = 1600 * DIGIT_BITS - 2;

impl<S: Simd> Ring for Doubles<S> {
    const DIGIT_BITS: u32 = DIGIT_BITS;

    fn digits(bits: u32) -> usize {
        (bits + 2).div_ceil(DIGIT_BITS).next_multiple_of(columns::COLUMNS as u32) as usize
    }

    fn digit(word: u64) -> u64 {
        digits::of_word(word)
    }

    fn of_lanes(self, count: usize) -> Self {
        Self { all: count > WIDTH / 2, ..self }
    }

    fn enter(self, digits: &mut [Words], integers: [&[u64]; WIDTH], _: &mut Vec<Words>) {
        digits::enter(digits, integers);
    }

    fn leave(self, integers: [&mut [u64]; WIDTH], digits: &[Words], _: &mut Vec<Words>) {
        digits::leave(integers, digits);
    }

    fn mul(self, out: &mut [Words], [a, b]: [&[Words]; 2], moduli: Moduli<'_>, quotient: &mut [Words]) {
        montgomery::reduce(self.simd, out, Product::Pair(a, b), moduli, quotient, self.all);
    }

    fn square(self, out: &mut [Words], a: &[Words], moduli: Moduli<'_>, quotient: &mut [Words]) {
        montgomery::reduce(self.simd, out, Product::Square(a), moduli, quotient, self.all);
    }
}
