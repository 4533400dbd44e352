//! Many products of one length in one call. To choose the algorithm for each, call after call, takes 8 to 10 ns: more
//! than a product of four limbs, and a sixth of a low product of 16.

use super::super::{karatsuba, short};
use super::{MOST, are_fast, low_product, product, square, straight};

/// The kind of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All `2M` limbs of `a b`.
    Wide,
    /// M limbs of `a b`.
    Low,
    /// All limbs of `a a`.
    Square,
    /// M limbs of `a a`.
    LowSquare,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Wide, Self::Low, Self::Square, Self::LowSquare];

    /// Limbs of the result, for factors of so many.
    #[must_use]
    pub const fn result_limbs(self, limbs: usize) -> usize {
        match self {
            Self::Wide | Self::Square => 2 * limbs,
            Self::Low | Self::LowSquare => limbs,
        }
    }

    /// Whether it has one factor.
    #[must_use]
    pub const fn is_square(self) -> bool {
        matches!(self, Self::Square | Self::LowSquare)
    }

    /// Limbs from which other algorithms are faster than rows.
    const fn threshold(self) -> usize {
        match self {
            Self::Wide => karatsuba::THRESHOLD,
            Self::Low => short::THRESHOLD,
            Self::Square => karatsuba::THRESHOLD_SQUARE,
            Self::LowSquare => short::THRESHOLD_SQUARE,
        }
    }
}

/// Numbers of M limbs: one after the other, or a single one for all products.
#[derive(Clone, Copy, Debug)]
pub struct Numbers<'a> {
    /// The limbs of all.
    pub limbs: &'a [u64],
    /// Limbs from one number to the next: M, or 0 for a single one.
    pub step: usize,
}

impl<'a> Numbers<'a> {
    /// Whether there are `count` numbers of `limbs` limbs.
    fn has(self, count: usize, limbs: usize) -> bool {
        let needed = if self.step == 0 { limbs } else { count * limbs };
        [0, limbs].contains(&self.step) && (count == 0 || self.limbs.len() >= needed)
    }

    /// Number i, of `limbs` limbs.
    #[inline(always)]
    fn get(self, i: usize, limbs: usize) -> &'a [u64] {
        &self.limbs[i * self.step..][..limbs]
    }
}

/// Whether [`products`] computes products of factors of so many limbs: rows run in assembly on this processor, and no
/// other algorithm is faster.
#[must_use]
#[inline]
pub fn has(kind: Kind, limbs: usize) -> bool {
    (1..kind.threshold()).contains(&limbs) && are_fast()
}

/// Computes as many products as `out` holds, of factors of M limbs; returns false and computes none unless it [has] such
/// products. A square ignores b.
///
/// ```
/// use limbforge_limb::slice::mul::rows::batch::{Kind, Numbers, has, products};
/// let (a, b) = (Numbers { limbs: &[2, 3], step: 1 }, Numbers { limbs: &[10], step: 0 });
/// let mut out = [0; 4];
/// assert_eq!(products(Kind::Wide, 1, &mut out, a, b), has(Kind::Wide, 1));
/// assert!(!has(Kind::Wide, 1) || out == [20, 0, 30, 0]);
/// ```
///
/// # Panics
/// If `out` is no whole number of products, or a factor is missing.
pub fn products(kind: Kind, limbs: usize, out: &mut [u64], a: Numbers<'_>, b: Numbers<'_>) -> bool {
    if !has(kind, limbs) {
        return false;
    }
    let step = kind.result_limbs(limbs);
    let b = if kind.is_square() { a } else { b };
    assert!(out.len().is_multiple_of(step), "whole products");
    let count = out.len() / step;
    assert!([a, b].iter().all(|factor| factor.has(count, limbs)), "a factor of each product");
    if limbs <= MOST {
        straight::products(kind, limbs, out, a, b);
        return true;
    }
    let results = out.chunks_exact_mut(step).enumerate();
    match kind {
        Kind::Wide => results.for_each(|(i, out)| product(out, a.get(i, limbs), b.get(i, limbs))),
        Kind::Low => results.for_each(|(i, out)| low_product(out, a.get(i, limbs), b.get(i, limbs))),
        Kind::Square => results.for_each(|(i, out)| square::square(out, a.get(i, limbs))),
        Kind::LowSquare => results.for_each(|(i, out)| square::low_square(out, a.get(i, limbs))),
    }
    true
}
