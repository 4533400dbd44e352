//! Products and squares of short factors, each number of limbs by assembly of its own without loops.

use super::super::Factors;
use crate::base::Base;

/// Limbs of the longest factors.
pub const MOST: usize = 8;

/// The kind of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All `2M` limbs of `a b`.
    Wide,
    /// M limbs of `a b`.
    Low,
    /// All limbs of `a a`.
    Square,
}

/// Numbers of M limbs: one after the other, or a single one for all products.
#[derive(Clone, Copy, Debug)]
pub struct Numbers<'a> {
    /// The limbs of all.
    pub limbs: &'a [u64],
    /// Limbs from one number to the next: M, or 0 for a single one.
    pub step: usize,
}

/// Whether this processor has kernels for factors of so many limbs.
#[must_use]
#[inline(always)]
pub fn has(limbs: usize) -> bool {
    cfg!(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))
        && (1..=MOST).contains(&limbs)
        && super::are_fast()
}

/// Computes as many products as `out` holds, of factors of M limbs; returns false and computes none unless
/// this processor [has] a kernel. A square ignores b.
///
/// ```
/// use limbforge_limb::slice::mul::rows::straight::{Kind, Numbers, has, products};
/// let (a, b) = (Numbers { limbs: &[2, 3], step: 1 }, Numbers { limbs: &[10], step: 0 });
/// let mut out = [0; 4];
/// assert_eq!(products(Kind::Wide, 1, &mut out, a, b), has(1));
/// assert!(!has(1) || out == [20, 0, 30, 0]);
/// ```
///
/// # Panics
/// If `out` is no whole number of products, or a factor is missing.
pub fn products(kind: Kind, limbs: usize, out: &mut [u64], a: Numbers<'_>, b: Numbers<'_>) -> bool {
    if !has(limbs) {
        return false;
    }
    let step = if kind == Kind::Low { limbs } else { 2 * limbs };
    let count = out.len() / step;
    assert!(out.len().is_multiple_of(step), "whole products");
    for factor in [a, b] {
        let needed = if factor.step == 0 { limbs } else { count * limbs };
        let fits = [0, limbs].contains(&factor.step) && (count == 0 || factor.limbs.len() >= needed);
        assert!(fits, "a factor of each product");
    }
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    // SAFETY: the processor has the instructions, and the lengths are checked.
    #[allow(unsafe_code, reason = "assembly")]
    unsafe {
        let (a_start, b_start) = (a.limbs.as_ptr(), b.limbs.as_ptr());
        kernels(kind, limbs).1(out.as_mut_ptr(), a_start, b_start, count, &[step, a.step, b.step]);
    }
    true
}

#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
use super::adx::straight::{Many, One, low as low_kernels, square as square_kernels, wide as wide_kernels};

#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
#[inline(always)]
fn kernels(kind: Kind, limbs: usize) -> (One, Many) {
    match kind {
        Kind::Wide => wide_kernels(limbs),
        Kind::Low => low_kernels(limbs),
        Kind::Square => square_kernels(limbs),
    }
}

/// `out = product of the factors`, `2M` limbs; returns false and computes nothing if there is no kernel, as
/// for limbs that are no machine words.
#[inline(always)]
pub(in super::super) fn wide<B: Base>(out: &mut [B], factors: Factors<'_, B>) -> bool {
    assert_eq!(out.len(), 2 * factors.len(), "a wide product has twice the length of its factors");
    one(if matches!(factors, Factors::Square(_)) { Kind::Square } else { Kind::Wide }, out, factors)
}

/// `out = product of the factors mod B^M`; returns false and computes nothing as [`wide`].
#[inline(always)]
pub(in super::super) fn low<B: Base>(out: &mut [B], factors: Factors<'_, B>) -> bool {
    assert_eq!(out.len(), factors.len(), "a low product has the length of its factors");
    one(Kind::Low, out, factors)
}

/// A product whose lengths are checked.
#[inline(always)]
fn one<B: Base>(kind: Kind, out: &mut [B], factors: Factors<'_, B>) -> bool {
    let (Some(out), Some(factors)) = (B::as_words_mut(out), factors.as_words()) else { return false };
    let limbs = factors.len();
    if !has(limbs) {
        return false;
    }
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    // SAFETY: the processor has the instructions, and the lengths are checked.
    #[allow(unsafe_code, reason = "assembly")]
    unsafe {
        let (a, b) = factors.both();
        kernels(kind, limbs).0(out.as_mut_ptr(), a.as_ptr(), b.as_ptr());
    }
    #[cfg(not(all(target_arch = "x86_64", not(feature = "portable"), not(miri))))]
    let _ = (kind, out, factors);
    true
}
