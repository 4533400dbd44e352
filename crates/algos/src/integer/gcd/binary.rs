//! Steps of the binary algorithm for numbers of several words, 62 halvings at a time: a difference, and the zeros below it
//! shifted out, without a quotient. The upper 33 bits decide which number is the larger one, the lower 31 where the zeros
//! end (Pornin, "Optimized binary GCD for modular inversion", 2020).
//!
//! A result is `(m00 a - m01 b) / 2^62`, exactly. Where the upper bits do not tell the larger number, it may be negative:
//! its magnitude is as good. It never exceeds the larger number, and at most one result is even.

use core::ops::RangeInclusive;

use limbforge_limb::slice::gcd::{HALVINGS, halvings};
use limbforge_limb::slice::{mul::rows::matrix, sub};

use super::lehmer::{WordMatrix, longer, prefixes};

/// Words of the numbers: shorter ones end in registers, and of longer ones a step costs more than Lehmer's, which remove
/// 62 bits of each number in place of 44.
const WORDS: RangeInclusive<usize> = 3..=96;

/// Whether Euclid's algorithm hardly has long quotients, with which it would be shorter: three words of a random number have
/// 96 changes from one bit to the next on average.
pub(super) fn is_dense(x: &[u64]) -> bool {
    let [low, .., below, _] = *x else { return false };
    let changes = |word: u64| (word ^ word >> 1).count_ones();
    changes(low) + changes(below) + changes(x[x.len() / 2]) >= 20
}

/// A step on numbers of one length, not both even, of which one has a top word that is not zero. Returns the words of
/// the longer one; `None`, and changes nothing, where the bits of a word are not enough, and for other lengths.
pub(super) fn binary_step(a: &mut [u64], b: &mut [u64]) -> Option<usize> {
    if !WORDS.contains(&a.len()) {
        return None;
    }
    let matrix = halvings_of(a, b)?;
    matrix::upper_differences(a, b, &matrix);
    for x in [&mut *a, &mut *b] {
        if x.last().is_some_and(|top| top >> 63 > 0) {
            sub::neg_assign(x);
        }
    }
    Some(longer(a, b))
}

/// The matrix of 62 halvings, or of 31, of numbers of one length, two words or more, not both even; its results are 2^64
/// times those of the step. `None` where the bits of a word are not enough.
fn halvings_of(a: &[u64], b: &[u64]) -> Option<[[u64; 2]; 2]> {
    let (&[a_low, .., a_top], &[b_low, .., b_top]) = (a, b) else { return None };
    // Then signs are those of the words above.
    if (a_top | b_top) >> 63 > 0 {
        return None;
    }
    let (x, y) = prefixes(a, b);
    if b_low & 1 == 1 {
        return steps([x, y], [a_low, b_low]);
    }
    let [[m00, m01], [m10, m11]] = steps([y, x], [b_low, a_low])?;
    Some([[m11, m10], [m01, m00]])
}

/// The steps that prefixes of two words and the lowest words, the second one odd, determine: a matrix of which the
/// results are those of a step times `2^64`.
fn steps([x, y]: [u128; 2], [x_low, y_low]: [u64; 2]) -> Option<[[u64; 2]; 2]> {
    let first = halvings(joined(x, x_low), joined(y, y_low));
    let [[m00, m01], [m10, m11]] = first;
    // Below 2^127 in magnitude.
    let difference = |m: u64, x: u128, n: u64, y: u128| {
        ((x >> 32).wrapping_mul(m.into())).wrapping_sub((y >> 32).wrapping_mul(n.into()))
    };
    let (x, y) = (difference(m00, x, m01, y), difference(m11, y, m10, x));
    if (x | y) >> 127 > 0 || x | y == 0 {
        // Not signs for the next halvings.
        return scaled(first, HALVINGS);
    }
    let low = |m: u64, x: u64, n: u64, y: u64| m.wrapping_mul(x).wrapping_sub(n.wrapping_mul(y)) >> HALVINGS;
    let (x_low, y_low) = (low(m00, x_low, m01, y_low), low(m11, y_low, m10, x_low));
    let shift = (x | y).leading_zeros();
    let (x, y) = (x << shift, y << shift);
    let second = if y_low & 1 == 1 {
        halvings(joined(x, x_low), joined(y, y_low))
    } else {
        let [[m00, m01], [m10, m11]] = halvings(joined(y, y_low), joined(x, x_low));
        [[m11, m10], [m01, m00]]
    };
    scaled(WordMatrix(second).times(&WordMatrix(first)).0, 2 * HALVINGS)
}

/// The upper bits of a prefix, and the lower bits of a word.
fn joined(prefix: u128, low: u64) -> u64 {
    ((prefix >> (64 + HALVINGS)) as u64) << HALVINGS | low & ((1 << HALVINGS) - 1)
}

/// The matrix of so many halvings times a power of two, so that they shift by a word; `None` for the longest ones.
fn scaled(matrix: [[u64; 2]; 2], halvings: u32) -> Option<[[u64; 2]; 2]> {
    let fits = matrix.iter().all(|row| (row[0] + row[1]) >> halvings == 0);
    fits.then(|| matrix.map(|row| row.map(|entry| entry << (64 - halvings))))
}
