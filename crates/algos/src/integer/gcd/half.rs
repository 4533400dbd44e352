//! The half-gcd: the steps that halve two numbers, in quasilinear time (Moeller, "On Schoenhage's algorithm
//! and subquadratic integer GCD computation", Math. Comp. 77, 2008).
//!
//! The steps of the upper half of two numbers are steps of the whole numbers, as their remainders exceed the
//! cofactors. So two calls for half of the words, the second one for what the first one leaves, and products
//! by their matrices halve the numbers. Both numbers stay longer than `n / 2 + 1` words, and steps are such
//! that no remainder ever has to be taken back.

use super::Thresholds;
use super::cofactors::Matrix;
use super::lehmer::longer;
use super::step::{Step, step};
use super::track::Track;
use crate::integer::Scratch;

/// Fewest words of numbers that are split.
pub(super) const MIN_LEN: usize = 6;

/// Reduces a and b, of n words each, one with a top word that is not zero, to `(a, b) = M (a', b')`, both
/// longer than `n / 2 + 1` words; multiplies M, the identity, accordingly. Returns the words of the longer
/// one, or `None` if no step is possible.
pub(super) fn half_gcd(
    a: &mut [u64],
    b: &mut [u64],
    matrix: &mut Matrix,
    thresholds: Thresholds,
    scratch: &mut Scratch,
) -> Option<usize> {
    let mut n = a.len();
    let floor = n / 2 + 1;
    let mut halves = None;
    if n <= floor {
        return None;
    }
    if n >= thresholds.half.max(MIN_LEN) {
        let middle = 3 * n / 4 + 1;
        halves = upper_half_gcd(a, b, n / 2, matrix, thresholds, scratch);
        n = halves.unwrap_or(n);
        while n > middle {
            match step(&mut a[..n], &mut b[..n], floor, matrix, scratch) {
                Step::Reduced(len) => n = len,
                Step::Last(_) => return halves,
            }
            halves = Some(n);
        }
        if n > floor + 2 {
            let mut second = Matrix::identity(n - floor);
            let below = 2 * floor + 1 - n;
            if let Some(len) =
                upper_half_gcd(&mut a[..n], &mut b[..n], below, &mut second, thresholds, scratch)
            {
                matrix.halved(&second, scratch);
                n = len;
                halves = Some(n);
            }
        }
    }
    while n > floor {
        match step(&mut a[..n], &mut b[..n], floor, matrix, scratch) {
            Step::Reduced(len) => n = len,
            Step::Last(_) => break,
        }
        halves = Some(n);
    }
    halves
}

/// [`half_gcd`] of the words from p on, applied to the whole numbers: both stay longer than p words and half
/// of those above.
pub(in crate::integer) fn upper_half_gcd(
    a: &mut [u64],
    b: &mut [u64],
    p: usize,
    matrix: &mut Matrix,
    thresholds: Thresholds,
    scratch: &mut Scratch,
) -> Option<usize> {
    half_gcd(&mut a[p..], &mut b[p..], matrix, thresholds, scratch)?;
    matrix.reduce_below(p, a, b, scratch);
    Some(longer(a, b))
}
