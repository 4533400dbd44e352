//! What is kept of the steps.

use super::cofactors::Matrix;
use super::lehmer::{WordMatrix, longer};
use super::{Ended, Thresholds, plain};
use crate::integer::Scratch;
use crate::invariant::broken_invariant;

/// What cheaper steps than those of Lehmer lead to.
pub(in crate::integer) enum Shortened {
    /// Two numbers, the longer one of so many words.
    Alike(usize),
    Ended(Ended),
}

/// A record of steps `(a, b) = M (a', b')`.
pub(in crate::integer) trait Track {
    /// Whether nothing is kept: then [`shorten`](Self::shorten) ends numbers of two words.
    const IS_EMPTY: bool = false;

    /// Whether [`halves`](Self::halves) may be called.
    const HALVES: bool = false;

    /// Takes cheaper steps than those of Lehmer where there are some, on slices of one length; at least one step, a
    /// division, if `divides`.
    fn shorten(&mut self, a: &mut [u64], b: &mut [u64], _divides: bool, _scratch: &mut Scratch) -> Shortened {
        Shortened::Alike(longer(a, b))
    }

    /// Several steps.
    fn reduced(&mut self, matrix: &WordMatrix);

    /// Several steps, by a matrix of determinant `2^halvings`.
    fn halves(&mut self, _matrix: &WordMatrix, _halvings: u32) {
        broken_invariant("a record of halvings");
    }

    /// The larger number (0: a, 1: b) lost `quotient` times the other one.
    fn divided(&mut self, larger: usize, quotient: &[u64], scratch: &mut Scratch);

    /// The steps of a half-gcd.
    fn halved(&mut self, matrix: &Matrix, scratch: &mut Scratch);

    /// Words below those whose half-gcd comes next, for numbers of n words.
    fn words_below(&self, n: usize) -> usize;

    /// Whether numbers of n words should have a record of their own, which the caller combines with this one: the
    /// steps that are left would multiply a long record many times.
    fn rests(&self, _n: usize, _thresholds: Thresholds) -> bool {
        false
    }
}

/// Nothing is kept.
impl Track for () {
    const IS_EMPTY: bool = true;
    const HALVES: bool = true;

    fn shorten(&mut self, a: &mut [u64], b: &mut [u64], divides: bool, scratch: &mut Scratch) -> Shortened {
        plain::shorten(a, b, divides, scratch)
    }

    fn reduced(&mut self, _: &WordMatrix) {}

    #[inline(always)]
    fn halves(&mut self, _: &WordMatrix, _: u32) {}

    fn divided(&mut self, _: usize, _: &[u64], _: &mut Scratch) {}

    fn halved(&mut self, _: &Matrix, _: &mut Scratch) {}

    fn words_below(&self, n: usize) -> usize {
        2 * n / 3
    }
}
