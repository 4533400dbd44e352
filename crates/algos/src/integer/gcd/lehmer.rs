//! Lehmer's step with cofactors of a whole word: the quotients that the top two words of two numbers
//! determine (Moeller, "On Schoenhage's algorithm and subquadratic integer GCD computation", Math. Comp. 77,
//! 2008, there `hgcd2`).
//!
//! Elementary steps `a -= q b` and `b -= q a` keep both numbers positive, so that `(a, b) = M (a', b')` with M
//! of determinant 1 and no negative entry. Steps that are valid for a prefix are valid for the whole numbers
//! if the remainders of the prefix exceed the entries of M: a prefix errs by less than one unit.

use limbforge_limb::slice::bits;
use limbforge_limb::slice::gcd::div_rem;
use limbforge_limb::slice::mul::rows::matrix;

use crate::invariant::broken_invariant;

/// A matrix of determinant 1 with entries from 0 to `2^63 - 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordMatrix(pub [[u64; 2]; 2]);

impl WordMatrix {
    const IDENTITY: Self = Self([[1, 0], [0, 1]]);

    pub(in crate::integer) fn times(&self, other: &Self) -> Self {
        let ([[m00, m01], [m10, m11]], [[x00, x01], [x10, x11]]) = (self.0, other.0);
        Self([[m00 * x00 + m01 * x10, m00 * x01 + m01 * x11], [m10 * x00 + m11 * x10, m10 * x01 + m11 * x11]])
    }

    /// `M^-1 (a, b)`, for a result of two numbers that are not negative.
    fn reduce(&self, a: u128, b: u128) -> (u128, u128) {
        let [[m00, m01], [m10, m11]] = self.0;
        let multiple = |m: u64, x: u128| x.wrapping_mul(u128::from(m));
        (multiple(m11, a).wrapping_sub(multiple(m01, b)), multiple(m00, b).wrapping_sub(multiple(m10, a)))
    }
}

/// Remainders of a prefix of one word stay at least this large: then entries are below 2^31.
const LEAST_OF_WORD: u64 = 1 << 33;

/// Remainders of a prefix of two words stay at least this large: then entries are below 2^63.
const LEAST: u128 = 1 << 65;

/// The steps that prefixes of two words determine; `None` if there is none. The remainders of the prefixes
/// stay at or above 2^65, and those of the whole numbers at or above 1.5 * 2^64 units of the prefixes.
#[must_use]
pub fn prefix_matrix(a: u128, b: u128) -> Option<WordMatrix> {
    // Half of the quotients follow from the top words, the others from what they leave.
    let first = word_matrix(a, b)?;
    let (a, b) = first.reduce(a, b);
    Some(word_matrix(a, b).map_or(first, |second| first.times(&second)))
}

/// As [`prefix_matrix`], from the top 64 bits of the longer number and the same bits of the other: half of the steps.
pub(super) fn word_matrix(a: u128, b: u128) -> Option<WordMatrix> {
    let dropped = 64_u32.checked_sub((a | b).leading_zeros())?;
    let (mut x, mut y) = ((a >> dropped) as u64, (b >> dropped) as u64);
    // Entries are below 2^31, and the low bits may make a remainder smaller by so many units.
    let least = LEAST_OF_WORD.max(u64::try_from(LEAST >> dropped).ok()?.checked_add(1 << 31)?);
    if x < least || y < least {
        return None;
    }
    let WordMatrix([[mut m00, mut m01], [mut m10, mut m11]]) = WordMatrix::IDENTITY;
    loop {
        let (quotient, rest) = div_rem(x, y);
        if rest < least {
            break;
        }
        x = rest;
        m01 += quotient * m00;
        m11 += quotient * m10;
        let (quotient, rest) = div_rem(y, x);
        if rest < least {
            break;
        }
        y = rest;
        m00 += quotient * m01;
        m10 += quotient * m11;
    }
    let matrix = WordMatrix([[m00, m01], [m10, m11]]);
    (matrix != WordMatrix::IDENTITY).then_some(matrix)
}

/// The top 128 bits of the longer number and the same bits of the other, for slices of one length, at least
/// two words, the top one not zero in both.
#[inline]
pub(super) fn prefixes(a: &[u64], b: &[u64]) -> (u128, u128) {
    let (Some(&a_top), Some(&b_top)) = (a.last(), b.last()) else {
        broken_invariant("numbers of two words or more")
    };
    let shift = (a_top | b_top).leading_zeros();
    let prefix = |x: &[u64]| {
        let below = x.len().checked_sub(3).map_or(0, |i| x[i]);
        let below = if shift == 0 { 0 } else { below >> (64 - shift) };
        unshifted_prefix(x) << shift | u128::from(below)
    };
    (prefix(a), prefix(b))
}

/// The top two words.
pub(super) fn unshifted_prefix(x: &[u64]) -> u128 {
    let [.., low, high] = *x else { broken_invariant("numbers of two words or more") };
    u128::from(high) << 64 | u128::from(low)
}

/// `(a, b) = M^-1 (a, b)` for slices of one length; returns the length of the longer result.
#[inline]
pub(super) fn reduce(a: &mut [u64], b: &mut [u64], matrix: &WordMatrix) -> usize {
    let WordMatrix([[m00, m01], [m10, m11]]) = *matrix;
    if matrix::differences(a, b, &[[m11, m01], [m10, m00]]) != [0, 0] {
        broken_invariant("steps keep the numbers positive");
    }
    longer(a, b)
}

/// Words of the longer number, for slices of one length.
#[inline]
pub(super) fn longer(a: &[u64], b: &[u64]) -> usize {
    bits::significant(a).len().max(bits::significant(b).len())
}
