//! The greatest common divisor, of any lengths.
//!
//! | rung | words | cost |
//! | --- | --- | --- |
//! | `plain`, the binary algorithm | 1 and 2 | |
//! | [`lehmer`], Lehmer's steps with cofactors of a word | 3 and more | quadratic |
//! | `half`, half-gcds of the upper words | [`THRESHOLDS`] | products of the length, times its logarithm |
//!
//! The same steps with a record of their cofactors compute [`xgcd`](mod@super::xgcd) and
//! [`modinv`](mod@super::modinv).

use core::mem;

use limbforge_limb::Base;
use limbforge_limb::slice::words;

use super::Scratch;
use super::packed::shift_up;
use crate::invariant::broken_invariant;
use binary::binary_step;
use cofactors::Matrix;
use half::upper_half_gcd;
pub(crate) use plain::remainder;
use step::{Found, lehmer_step};
use track::{Shortened, Track};

mod binary;
pub(super) mod cofactors;
mod half;
pub mod lehmer;
mod multiple;
mod plain;
mod recorded;
pub(super) mod step;
pub(super) mod track;

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
    if of_word(out, a, b) {
        return;
    }
    let len = words::words_for::<B>(a.len());
    let [mut first, mut second] = mem::take(&mut scratch.euclid);
    for (words, limbs) in [(&mut first, a), (&mut second, b)] {
        words.resize(len, 0);
        words::pack(words, limbs);
    }
    divisor(&mut first, &mut second, thresholds, scratch);
    words::unpack(out, &first);
    scratch.euclid = [first, second];
}

/// Writes the greatest common divisor if it is found at once: one number is 0, or a word times a power of two. For
/// limbs that are words; otherwise, and for other limbs, returns false.
pub(crate) fn of_word<B: Base>(out: &mut [B], a: &[B], b: &[B]) -> bool {
    match (B::as_words_mut(out), B::as_words(a), B::as_words(b)) {
        (Some(out), Some(a), Some(b)) => plain::by_word(out, a, b),
        _ => false,
    }
}

/// Two numbers of about the same length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alike {
    /// Words of the longer one, 3 or more.
    pub(crate) len: usize,
}

/// Takes the factors 2 and the steps of words and divisions. Returns the exponent of 2 in the greatest common divisor,
/// and two numbers, with zeros above them, whose greatest common divisor is the odd rest; or else nothing: `a` is it.
pub(crate) fn prepare(a: &mut [u64], b: &mut [u64], scratch: &mut Scratch) -> (u32, Option<Alike>) {
    let twos = plain::make_odd(a, b);
    let ended = match plain::shorten(a, b, false, scratch) {
        Shortened::Alike(len) => return (twos, Some(Alike { len })),
        Shortened::Ended(ended) => ended,
    };
    finish(&ended, a, b);
    (twos, None)
}

/// `a = gcd(a, b)`, for words of one length; b is then unspecified.
fn divisor(a: &mut [u64], b: &mut [u64], thresholds: Thresholds, scratch: &mut Scratch) {
    let twos = plain::make_odd(a, b);
    let ended = run(a, b, &mut (), thresholds, scratch);
    finish(&ended, a, b);
    shift_up(a, twos);
}

/// Moves the greatest common divisor to a.
fn finish(ended: &Ended, a: &mut [u64], b: &[u64]) {
    match ended {
        Ended::Found(Found::First | Found::Both) => {}
        Ended::Found(Found::Second) => a.copy_from_slice(b),
        Ended::Words(..) | Ended::Rest(_) => broken_invariant("steps without a record go on to the end"),
    }
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
    let (mut n, mut divides, mut is_dense) = (a.len(), false, false);
    loop {
        n = match track.shorten(&mut a[..n], &mut b[..n], divides, scratch) {
            Shortened::Alike(n) => n,
            Shortened::Ended(ended) => return ended,
        };
        if track.rests(n, thresholds) {
            return Ended::Rest(n);
        }
        let (a, b) = (&mut a[..n], &mut b[..n]);
        if n >= thresholds.whole.max(half::MIN_LEN) {
            let p = track.words_below(n);
            let mut matrix = Matrix::identity((n - p) / 2);
            if let Some(len) = upper_half_gcd(a, b, p, &mut matrix, thresholds, scratch) {
                track.halved(&matrix, scratch);
                (n, divides) = (len, false);
                continue;
            }
        }
        is_dense = is_dense || T::HALVES && (binary::is_dense(a) || binary::is_dense(b));
        let binary = if is_dense { binary_step(a, b, track) } else { None };
        match binary.or_else(|| lehmer_step(a, b, 0, track)) {
            Some(len) => (n, divides) = (len, false),
            None => divides = true,
        }
    }
}
