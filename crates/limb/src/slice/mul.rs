//! Multiplication on machine words. Each algorithm has a module, which states its minimum length and its
//! scratch memory.
//!
//! | algorithm | full product | low product (mod B^M) |
//! | --- | --- | --- |
//! | [`schoolbook`] | by columns | the columns below M |
//! | [`fixed`] | the same for up to four limbs, without memory | the same |
//! | [`rows`] | the same by rows of machine words, in assembly on x86-64 | a triangle of rows |
//! | [`rows::straight`] | one block of assembly for each number of up to eight limbs | the same |
//! | [`karatsuba`], [`short`] | three half-size products | one full product and two smaller low ones |
//!
//! Factors of different lengths are cut ([`unbalanced`]).
//!
//! [`low`] and [`wide`] choose the algorithm and first repack other limbs to 64-bit words; the algorithms run
//! on any limb.

use self::rows::straight;
use crate::{base::Base, slice::words};

pub mod fixed;
pub mod karatsuba;
pub mod rows;
pub mod schoolbook;
pub mod short;
pub mod unbalanced;

pub use super::Scratch;

/// The two factors of a product, or the factor of a square, which costs about half.
#[derive(Clone, Copy, Debug)]
pub enum Factors<'a, B> {
    /// `a * b`, two slices of one length.
    Pair(&'a [B], &'a [B]),
    /// `a * a`.
    Square(&'a [B]),
}

impl<'a, B: Base> Factors<'a, B> {
    /// Limbs of each factor.
    #[must_use]
    pub fn len(self) -> usize {
        match self {
            Self::Pair(a, b) => {
                assert_eq!(a.len(), b.len(), "factors of one length");
                a.len()
            }
            Self::Square(a) => a.len(),
        }
    }

    /// Whether there are no limbs.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Both factors.
    const fn both(self) -> (&'a [B], &'a [B]) {
        match self {
            Self::Pair(a, b) => (a, b),
            Self::Square(a) => (a, a),
        }
    }

    /// The factors' low `middle` limbs and the limbs above them.
    fn split_at(self, middle: usize) -> (Self, Self) {
        match self {
            Self::Pair(a, b) => {
                (Self::Pair(&a[..middle], &b[..middle]), Self::Pair(&a[middle..], &b[middle..]))
            }
            Self::Square(a) => (Self::Square(&a[..middle]), Self::Square(&a[middle..])),
        }
    }

    fn pack<'w>(self, room: &'w mut [u64]) -> Factors<'w, u64> {
        match self {
            Self::Pair(a, b) => {
                let (a_words, b_words) = room.split_at_mut(room.len() / 2);
                words::pack(a_words, a);
                words::pack(b_words, b);
                Factors::Pair(a_words, b_words)
            }
            Self::Square(a) => {
                words::pack(room, a);
                Factors::Square(room)
            }
        }
    }

    fn as_words(self) -> Option<Factors<'a, u64>> {
        match self {
            Self::Pair(a, b) => Some(Factors::Pair(B::as_words(a)?, B::as_words(b)?)),
            Self::Square(a) => B::as_words(a).map(Factors::Square),
        }
    }

    /// The value for two factors or for a square.
    const fn choose(self, pair: usize, square: usize) -> usize {
        match self {
            Self::Pair(..) => pair,
            Self::Square(_) => square,
        }
    }
}

/// `out = product of the factors mod B^M`, for factors and result of M limbs.
#[inline]
pub fn low<B: Base>(out: &mut [B], factors: Factors<'_, B>, scratch: &mut Scratch) {
    assert_eq!(out.len(), factors.len(), "a low product has the length of its factors");
    if straight::low(out, factors) {
        return;
    }
    longer_low(out, factors, scratch);
}

/// Apart: what it keeps in registers, short products would save and restore.
#[inline(never)]
fn longer_low<B: Base>(out: &mut [B], factors: Factors<'_, B>, scratch: &mut Scratch) {
    if is_short(factors, short::THRESHOLD, short::THRESHOLD_SQUARE) {
        let (a, b) = factors.both();
        if a.len() <= fixed::MOST {
            fixed::low(out, a, b);
        } else {
            schoolbook::low(out, factors);
        }
        return;
    }
    let need = short::scratch_len(words::words_for::<B>(out.len()));
    on_words(out, factors, 1, need, scratch, short_or_schoolbook);
}

/// `out = product of the factors`, all `2M` limbs.
#[inline]
pub fn wide<B: Base>(out: &mut [B], factors: Factors<'_, B>, scratch: &mut Scratch) {
    assert_eq!(out.len(), 2 * factors.len(), "a wide product has twice the length of its factors");
    if straight::wide(out, factors) {
        return;
    }
    longer_wide(out, factors, scratch);
}

/// Apart, as [`longer_low`].
#[inline(never)]
fn longer_wide<B: Base>(out: &mut [B], factors: Factors<'_, B>, scratch: &mut Scratch) {
    if is_short(factors, karatsuba::THRESHOLD, karatsuba::THRESHOLD_SQUARE) {
        let (a, b) = factors.both();
        if a.len() <= fixed::MOST {
            fixed::wide(out, a, b);
        } else {
            schoolbook::wide(out, factors);
        }
        return;
    }
    let need = karatsuba::scratch_len(words::words_for::<B>(factors.len()));
    on_words(out, factors, 2, need, scratch, karatsuba_or_schoolbook);
}

/// Whether the product is one of machine words that takes neither scratch nor another choice, which would take
/// longer than a short product.
#[inline(always)]
fn is_short<B: Base>(factors: Factors<'_, B>, pair: usize, square: usize) -> bool {
    B::as_words(&[]).is_some() && factors.len() < factors.choose(pair, square)
}

/// Runs `product` on machine words; repacks limbs that are not machine words.
fn on_words<B: Base>(
    out: &mut [B],
    factors: Factors<'_, B>,
    out_lengths: usize,
    need: usize,
    scratch: &mut Scratch,
    product: fn(&mut [u64], Factors<'_, u64>, &mut [u64]),
) {
    if let Some(factors) = factors.as_words()
        && let Some(out) = B::as_words_mut(out)
    {
        return product(out, factors, scratch.take(need));
    }
    let len = words::words_for::<B>(factors.len());
    let packed_len = len * factors.choose(2, 1);
    let scratch = scratch.take(packed_len + len * out_lengths + need);
    let (packed, scratch) = scratch.split_at_mut(packed_len);
    let (out_words, scratch) = scratch.split_at_mut(len * out_lengths);
    product(out_words, factors.pack(packed), scratch);
    words::unpack(out, out_words);
}

/// The full product by the algorithm for its length, with [`karatsuba::scratch_len`] limbs of scratch.
#[inline(always)]
fn karatsuba_or_schoolbook<B: Base>(out: &mut [B], factors: Factors<'_, B>, scratch: &mut [B]) {
    if straight::wide(out, factors) {
        return;
    }
    longer(out, factors, scratch);
}

/// Apart, as [`longer_low`].
#[inline(never)]
fn longer<B: Base>(out: &mut [B], factors: Factors<'_, B>, scratch: &mut [B]) {
    if factors.len() < factors.choose(karatsuba::THRESHOLD, karatsuba::THRESHOLD_SQUARE) {
        schoolbook::wide(out, factors);
    } else {
        karatsuba::wide(out, factors, scratch);
    }
}

/// The low product by the algorithm for its length, with [`short::scratch_len`] limbs of scratch.
fn short_or_schoolbook<B: Base>(out: &mut [B], factors: Factors<'_, B>, scratch: &mut [B]) {
    if factors.len() < factors.choose(short::THRESHOLD, short::THRESHOLD_SQUARE) {
        schoolbook::low(out, factors);
    } else {
        short::low(out, factors, scratch);
    }
}
