//! The greatest common divisor, of any lengths.
//!
//! | rung | words | cost |
//! | --- | --- | --- |
//! | binary algorithm | 1 | |
//! | [`lehmer`], Lehmer's steps with cofactors of a word | 2 and more | quadratic |
//! | `half`, half-gcds of the upper words | [`THRESHOLDS`] | products of the length, times its logarithm |
//!
//! The same steps with a record of their cofactors compute [`xgcd`](mod@super::xgcd) and
//! [`modinv`](mod@super::modinv).

use core::mem;

use limbforge_limb::Base;
use limbforge_limb::slice::words;

use super::Scratch;
use crate::invariant::broken_invariant;
use cofactors::{Matrix, Track};
use half::upper_half_gcd;
use lehmer::longer;
use step::{Found, Step, step};

pub(super) mod cofactors;
mod half;
pub mod lehmer;
pub(super) mod step;

/// Words of the numbers from which the algorithms split them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// The half-gcd consists of two of half the words.
    pub half: usize,
    /// The greatest common divisor consists of half-gcds.
    pub whole: usize,
}

/// Measured on AMD's Zen 4: 150 to 180 and 250 to 400 words make 2 % of difference from 256 to 4096 words; 400 and 700
/// words take 1 to 5 % longer.
pub const THRESHOLDS: Thresholds = Thresholds { half: 170, whole: 350 };

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
    gcd_with(out, a, b, THRESHOLDS, scratch);
}

/// [`gcd`] with other thresholds, which change the time only.
///
/// # Panics
/// Unless all have one length.
pub fn gcd_with<B: Base>(out: &mut [B], a: &[B], b: &[B], thresholds: Thresholds, scratch: &mut Scratch) {
    assert!(out.len() == a.len() && out.len() == b.len(), "operands of one length");
    let len = words::words_for::<B>(a.len());
    let [mut first, mut second] = mem::take(&mut scratch.euclid);
    for (words, limbs) in [(&mut first, a), (&mut second, b)] {
        words.resize(len, 0);
        words::pack(words, limbs);
    }
    match run(&mut first, &mut second, &mut (), thresholds, scratch) {
        Ended::Found(Found::First | Found::Both) => words::unpack(out, &first),
        Ended::Found(Found::Second) => words::unpack(out, &second),
        Ended::Words(a, b) => {
            first.fill(0);
            if let Some(lowest) = first.first_mut() {
                *lowest = gcd_words(a, b);
            }
            words::unpack(out, &first);
        }
        Ended::Rest(_) => broken_invariant("steps without a record go on to the end"),
    }
    scratch.euclid = [first, second];
}

/// What steps lead to.
pub(super) enum Ended {
    /// The greatest common divisor, with zeros above it.
    Found(Found),
    /// Two words.
    Words(u64, u64),
    /// Two numbers of so many words, for which [`Track::rests`] says that a record of their own is shorter.
    Rest(usize),
}

/// Steps until the greatest common divisor is found or both numbers, slices of one length, are words.
pub(super) fn run<T: Track>(
    a: &mut [u64],
    b: &mut [u64],
    track: &mut T,
    thresholds: Thresholds,
    scratch: &mut Scratch,
) -> Ended {
    let mut n = longer(a, b);
    while n >= 2 {
        if track.rests(n, thresholds) {
            return Ended::Rest(n);
        }
        let (a, b) = (&mut a[..n], &mut b[..n]);
        if n >= thresholds.whole.max(half::MIN_LEN) {
            let p = track.words_below(n);
            let mut matrix = Matrix::identity((n - p) / 2);
            if let Some(len) = upper_half_gcd(a, b, p, &mut matrix, thresholds, scratch) {
                track.halved(&matrix, scratch);
                n = len;
                continue;
            }
        }
        match step(a, b, 0, track, scratch) {
            Step::Reduced(len) => n = len,
            Step::Last(found) => return Ended::Found(found),
        }
    }
    let word = |x: &[u64]| x.first().copied().unwrap_or_default();
    Ended::Words(word(a), word(b))
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
