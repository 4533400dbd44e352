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
use super::track::Track;

/// Words of the numbers: a step costs more than Lehmer's of longer ones, which remove 62 bits of each number in place of
/// 44.
const WORDS: RangeInclusive<usize> = 2..=96;

/// Whether Euclid's algorithm hardly has long quotients, with which it would be shorter: three words of a random number have
/// 96 changes from one bit to the next on average.
pub(super) fn is_dense(x: &[u64]) -> bool {
    let (&[low, .., below, _] | &[low, below]) = x else { return false };
    let changes = |word: u64| (word ^ word >> 1).count_ones();
    changes(low) + changes(below) + changes(x[x.len() / 2]) >= 20
}

/// A step on numbers of one length, not both even, of which one has a top word that is not zero. Returns the words of
/// the longer one; `None`, and changes nothing, where the bits of a word are not enough, and for other lengths.
#[inline]
pub(super) fn binary_step<T: Track>(a: &mut [u64], b: &mut [u64], track: &mut T) -> Option<usize> {
    if !WORDS.contains(&a.len()) {
        return None;
    }
    let Halvings { matrix, count } = halvings_of(a, b)?;
    let shifted = matrix.map(|row| row.map(|entry| entry << (64 - count)));
    let is_negative = matrix::upper_differences(a, b, &shifted);
    let [[m00, m01], [m10, m11]] = matrix;
    if T::IS_EMPTY {
        for (x, is_negative) in [&mut *a, &mut *b].into_iter().zip(is_negative) {
            if is_negative {
                sub::neg_assign(x);
            }
        }
    } else {
        if is_negative != [false; 2] {
            // A record has no signs.
            matrix::sums(a, b, &[[m11, m01], [m10, m00]]);
            return None;
        }
        track.halves(&WordMatrix([[m11, m01], [m10, m00]]), count);
    }
    Some(longer(a, b))
}

/// `2^count (x', y') = (m00 x - m01 y, m11 y - m10 x)`.
struct Halvings {
    matrix: [[u64; 2]; 2],
    count: u32,
}

/// 62 halvings, or 31, of numbers of one length, two words or more, not both even. `None` where the bits of a word are not
/// enough.
#[inline]
fn halvings_of(a: &[u64], b: &[u64]) -> Option<Halvings> {
    let (&[a_low, ..], &[b_low, ..]) = (a, b) else { return None };
    let (a, b) = prefixes(a, b);
    let first = ordered(a, b, a_low, b_low);
    let [[m00, m01], [m10, m11]] = first;
    // Below 2^127 in magnitude.
    let difference = |m: u64, x: u128, n: u64, y: u128| {
        ((x >> 32).wrapping_mul(m.into())).wrapping_sub((y >> 32).wrapping_mul(n.into()))
    };
    let low = |m: u64, x: u64, n: u64, y: u64| m.wrapping_mul(x).wrapping_sub(n.wrapping_mul(y)) >> HALVINGS;
    let (x, y) = (difference(m00, a, m01, b), difference(m11, b, m10, a));
    let (x_low, y_low) = (low(m00, a_low, m01, b_low), low(m11, b_low, m10, a_low));
    if (x | y) >> 127 > 0 || x | y == 0 {
        // Not signs for the next halvings.
        return scaled(first, HALVINGS);
    }
    let shift = (x | y).leading_zeros();
    let second = ordered(x << shift, y << shift, x_low, y_low);
    scaled(WordMatrix(second).times(&WordMatrix(first)).0, 2 * HALVINGS)
}

/// Halvings of numbers with these upper and lower bits, not both even. Which one is odd is not predictable.
#[inline]
fn ordered(x: u128, y: u128, x_low: u64, y_low: u64) -> [[u64; 2]; 2] {
    let mask = (y_low & 1).wrapping_sub(1);
    let exchanged = |x: u64, y: u64| {
        let both = (x ^ y) & mask;
        [x ^ both, y ^ both]
    };
    let [x, y] = exchanged(joined(x, x_low), joined(y, y_low));
    let [[m00, m01], [m10, m11]] = halvings(x, y);
    let ([m00, m11], [m01, m10]) = (exchanged(m00, m11), exchanged(m01, m10));
    [[m00, m01], [m10, m11]]
}

/// The upper bits of a prefix, and the lower bits of a word.
fn joined(prefix: u128, low: u64) -> u64 {
    ((prefix >> (64 + HALVINGS)) as u64) << HALVINGS | low & ((1 << HALVINGS) - 1)
}

/// The halvings, unless their matrix times `2^(64 - count)` has rows with a sum of B.
fn scaled(matrix: [[u64; 2]; 2], count: u32) -> Option<Halvings> {
    let fits = matrix.iter().all(|row| (row[0] + row[1]) >> count == 0);
    fits.then_some(Halvings { matrix, count })
}

#[cfg(test)]
mod tests {
    use limbforge_limb::slice::bits;
    use limbforge_testing::operands::{integer, samples};
    use limbforge_testing::oracle::value;
    use num_bigint::BigUint;
    use num_traits::Zero;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::cofactors::Matrix;
    use super::*;
    use crate::integer::Scratch;

    /// The last matrix.
    #[derive(Default)]
    struct Last(Option<(WordMatrix, u32)>);

    impl Track for Last {
        const HALVES: bool = true;

        fn reduced(&mut self, _: &WordMatrix) {
            unreachable!("halvings");
        }

        fn halves(&mut self, matrix: &WordMatrix, halvings: u32) {
            self.0 = Some((*matrix, halvings));
        }

        fn divided(&mut self, _: usize, _: &[u64], _: &mut Scratch) {
            unreachable!("halvings");
        }

        fn halved(&mut self, _: &Matrix, _: &mut Scratch) {
            unreachable!("halvings");
        }

        fn words_below(&self, _: usize) -> usize {
            unreachable!("halvings");
        }
    }

    /// Takes steps with a record as long as there are some. Returns whether none followed because a number would have been
    /// negative.
    fn check(mut a: Vec<u64>, mut b: Vec<u64>) -> bool {
        loop {
            let n = bits::significant(&a).len().max(bits::significant(&b).len()).max(2);
            a.truncate(n);
            b.truncate(n);
            let before = [a.clone(), b.clone()];
            let [x, y] = [value(&a), value(&b)];
            if x.is_zero() || y.is_zero() || (a[n - 1] | b[n - 1]) == 0 {
                return false;
            }
            let mut last = Last::default();
            if binary_step(&mut a, &mut b, &mut last).is_none() {
                assert_eq!([&a, &b], before.each_ref(), "numbers that were left");
                assert!(last.0.is_none(), "{a:x?} {b:x?}");
                return halvings_of(&a, &b).is_some();
            }
            let (WordMatrix([[m00, m01], [m10, m11]]), halvings) = last.0.expect("a matrix");
            let [p, q] = [value(&a), value(&b)];
            assert_eq!([&p * m00 + &q * m01, &p * m10 + &q * m11], [x, y], "{before:x?}");
            let determinant = BigUint::from(m00) * m11 - BigUint::from(m01) * m10;
            assert_eq!(determinant, BigUint::from(1_u32) << halvings, "{before:x?}");
            assert!((a[0] | b[0]) & 1 == 1, "{before:x?}");
        }
    }

    #[test]
    fn steps_with_a_record_are_those_of_their_matrix() {
        let mut negative = 0;
        for len in 2..10 {
            let random: Vec<_> = samples(vec(any::<u64>(), len), 60).collect();
            let structured: Vec<_> = samples(integer::<u64>(len), 60).collect();
            for numbers in [random, structured] {
                for (index, pair) in numbers.windows(2).enumerate() {
                    let [mut a, mut b] = [0, 1].map(|i| pair[i].clone());
                    [&mut a, &mut b][index % 2][0] |= 1;
                    negative += usize::from(check(a.clone(), b.clone()));
                    let equal = 1 + index % len;
                    a[len - equal..].copy_from_slice(&b[len - equal..]);
                    a[0] |= 1;
                    negative += usize::from(check(a, b));
                }
            }
        }
        assert!(negative > 20, "{negative} of the steps");
    }
}
