//! The greatest common divisor: Euclid's algorithm by Lehmer's steps, of any lengths.
//!
//! The quotients of many steps of Euclid's algorithm are read from the top words of both numbers (Lehmer
//! 1938; TAOCP 2, 4.5.2, Algorithm L), with Collins' condition, under which they are those of the whole
//! numbers. The steps are then done at once: two combinations of the numbers with factors of one word, about
//! 32 bits less of each. Quadratic.

use core::cmp::Ordering;
use core::mem;

use limbforge_limb::{Base, slice::words};

use super::packed::{compare, trim, word_rem};
use super::{Scratch, div::divide};
use crate::invariant::broken_invariant;

/// `out = gcd(a, b)`; `gcd(x, 0) = x`.
///
/// ```
/// use limbforge_algos::integer::{Scratch, gcd::gcd};
/// let mut out = [0; 2];
/// gcd(&mut out, &[0_u64, 12], &[0, 18], &mut Scratch::default());
/// assert_eq!(out, [0, 6]);
/// ```
///
/// # Panics
/// Unless all have one length.
pub fn gcd<B: Base>(out: &mut [B], a: &[B], b: &[B], scratch: &mut Scratch) {
    assert!(out.len() == a.len() && out.len() == b.len(), "operands of one length");
    let len = words::words_for::<B>(a.len());
    let [mut first, mut second] = mem::take(&mut scratch.euclid);
    for (words, limbs) in [(&mut first, a), (&mut second, b)] {
        words.clear();
        words.resize(len, 0);
        words::pack(words, limbs);
        trim(words);
    }
    if compare(&first, &second) == Ordering::Less {
        mem::swap(&mut first, &mut second);
    }
    while second.len() >= 2 {
        match simulate(&first, &second) {
            Some(steps) => combine(&mut first, &mut second, steps),
            None => _ = euclid(&mut first, &mut second, scratch),
        }
    }
    if let [word] = *second {
        first = vec![gcd_words(word, word_rem(&first, word))];
    }
    first.resize(len, 0);
    words::unpack(out, &first);
    scratch.euclid = [first, second];
}

/// Many steps at once: an even number of them gives `x = u0 a - v0 b`, `y = v1 b - u1 a`, an odd number the
/// negatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    pub(crate) u0: u64,
    pub(crate) u1: u64,
    pub(crate) v0: u64,
    pub(crate) v1: u64,
    pub(crate) even: bool,
}

/// The steps that the top words of `a >= b >= B` determine; `None` if there is none.
pub(crate) fn simulate(a: &[u64], b: &[u64]) -> Option<Steps> {
    let n = a.len();
    let shift = a[n - 1].leading_zeros();
    let top = |x: &[u64]| {
        let word = |i: usize| u128::from(x.get(i).copied().unwrap_or_default());
        (((word(n - 1) << 64 | word(n - 2)) << shift) >> 64) as u64
    };
    let (mut a1, mut a2) = (top(a), top(b));
    let mut even = false;
    let (mut u0, mut u1, mut u2) = (0_u64, 1_u64, 0_u64);
    let (mut v0, mut v1, mut v2) = (0_u64, 0_u64, 1_u64);
    // Collins' condition; the cofactors stay below the square root of B.
    while a2 >= v2 && a1 - a2 >= v1 + v2 {
        let (quotient, rest) = (a1 / a2, a1 % a2);
        (a1, a2) = (a2, rest);
        (u0, u1, u2) = (u1, u2, u1 + quotient * u2);
        (v0, v1, v2) = (v1, v2, v1 + quotient * v2);
        even = !even;
    }
    (v0 != 0).then_some(Steps { u0, u1, v0, v1, even })
}

/// Replaces both numbers by the combinations, which are not negative and shorter.
pub(crate) fn combine(a: &mut Vec<u64>, b: &mut Vec<u64>, steps: Steps) {
    let Steps { u0, u1, v0, v1, even } = steps;
    b.resize(a.len(), 0);
    let (mut x_carry, mut y_carry) = (0_i128, 0_i128);
    for (a, b) in a.iter_mut().zip(b.iter_mut()) {
        let (p, q) = (i128::from(*a), i128::from(*b));
        // Factors are below 2^32, so sums of products of a word stay below 2^97.
        let difference = |f: u64, g: u64| i128::from(f) * p - i128::from(g) * q;
        let (x, y) = (difference(u0, v0), -difference(u1, v1));
        let (x, y) = if even { (x, y) } else { (-x, -y) };
        x_carry += x;
        y_carry += y;
        (*a, *b) = (x_carry as u64, y_carry as u64);
        x_carry >>= 64;
        y_carry >>= 64;
    }
    if x_carry != 0 || y_carry != 0 {
        broken_invariant("combinations are shorter than the numbers");
    }
    trim(a);
    trim(b);
}

/// One step by division, for a quotient of more than half a word: `(a, b) = (b, a mod b)` for b not zero.
/// Returns the quotient.
pub(crate) fn euclid(a: &mut Vec<u64>, b: &mut Vec<u64>, scratch: &mut Scratch) -> Vec<u64> {
    let (quotient, mut rest) = divide(a, b, scratch);
    trim(&mut rest);
    *a = mem::replace(b, rest);
    quotient
}

/// Stein's algorithm on words; `gcd(x, 0) = x`.
fn gcd_words(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        (a, b) = (a.min(b), a.abs_diff(b));
    }
    a << twos
}
