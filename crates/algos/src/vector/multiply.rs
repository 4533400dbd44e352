//! Products of eight pairs of numbers, and eight squares: all words or the low ones.
//!
//! Column k is the sum of at most 2n halves of products below 2^52 and a carry of at most `2 (n + 1)`, so
//! that no word overflows for n < 2046 digits.

use limbforge_limb::slice::bits::significant;

use super::columns::{COLUMNS, Sums};
use super::digits::{enter, leave};
use super::lanes::{DIGIT_BITS, Lanes, MASK, WIDTH, Words};
use super::path::{Path, with_lanes};
use super::product::{Pair, Product, Square};

/// The factors of eight products, of any lengths.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Eight<'a> {
    Pairs([&'a [u64]; WIDTH], [&'a [u64]; WIDTH]),
    Squares([&'a [u64]; WIDTH]),
}

/// Bits of the longest factors.
pub(super) const MOST_BITS: u32 = 2040 * DIGIT_BITS;

/// Memory of products.
#[derive(Clone, Debug, Default)]
pub(crate) struct Multiplier {
    a: Vec<Words>,
    b: Vec<Words>,
    product: Vec<Words>,
    columns: Vec<Words>,
}

impl Multiplier {
    /// Writes the low words of the products, as many as each result has room for.
    pub(crate) fn run(&mut self, path: Path, results: [&mut [u64]; WIDTH], factors: Eight<'_>) {
        with_lanes!(path, lanes => self.multiply(lanes, results, factors));
    }

    fn multiply<L: Lanes>(&mut self, lanes: L, results: [&mut [u64]; WIDTH], factors: Eight<'_>) {
        let Self { a, b, product, columns } = self;
        let n = match factors {
            Eight::Pairs(a, b) => digits_of(longest(a).max(longest(b))),
            Eight::Squares(a) => digits_of(longest(a)),
        };
        let kept = results.iter().map(|result| result.len()).max().unwrap_or(0);
        a.resize(n, Words::ZERO);
        product.resize(digits_of(kept).min(2 * n), Words::ZERO);
        match factors {
            Eight::Pairs(left, right) => {
                b.resize(n, Words::ZERO);
                enter(lanes, a, left, columns);
                enter(lanes, b, right, columns);
                write(lanes, product, &Pair { a, b }, n);
            }
            Eight::Squares(left) => {
                enter(lanes, a, left, columns);
                write(lanes, product, &Square { a }, n);
            }
        }
        leave(lanes, results, product, columns);
    }
}

/// Words of the longest number.
fn longest(numbers: [&[u64]; WIDTH]) -> usize {
    numbers.into_iter().map(|number| significant(number).len()).max().unwrap_or(0)
}

/// Digits of so many words, in whole blocks.
pub(super) const fn digits_of(words: usize) -> usize {
    (words * 64).div_ceil(DIGIT_BITS as usize).next_multiple_of(COLUMNS)
}

/// Writes the low digits of a product of numbers of n digits.
fn write<L: Lanes>(lanes: L, out: &mut [Words], product: &impl Product, n: usize) {
    lanes.run(
        #[inline(always)]
        || resolve(lanes, out, product, n),
    );
}

/// As [`write`], inlined.
#[inline(always)]
pub(super) fn resolve<L: Lanes>(lanes: L, out: &mut [Words], product: &impl Product, n: usize) {
    let mask = lanes.splat(MASK);
    let mut carry = lanes.splat(0);
    for (block, out) in out.as_chunks_mut::<COLUMNS>().0.iter_mut().enumerate() {
        let (first, mut sums) = (block * COLUMNS, Sums::new(lanes));
        if first < n {
            product.add_low(&mut sums, first);
        } else {
            product.add_high(&mut sums, first, n);
        }
        for (c, out) in out.iter_mut().enumerate() {
            let sum = lanes.add(sums.low[c], carry);
            *out = lanes.store(lanes.and(sum, mask));
            carry = lanes.add(sums.high[c], lanes.shr(sum, DIGIT_BITS));
        }
    }
}
