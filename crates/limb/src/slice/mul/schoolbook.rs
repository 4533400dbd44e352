//! Schoolbook products by columns (product scanning): limb k of the result is the sum of all
//! `a[i] * b[k - i]`, kept in three limbs. A thread of the block algorithm computes the same sums for its
//! columns.
//!
//! For M limbs, the full product takes M^2 limb products and the low half M(M+1)/2; squares take about half
//! of these. Products of machine words run by [`rows`] instead where those are in assembly. M must be
//! below B, a limit that matters only to limbs of a few bits.

use super::{Factors, rows};
use crate::{base::Base, wide::Wide};

/// The running sum of a column. It is below `B^3`, enough for fewer than `B` limb products and the carry in.
#[derive(Clone, Copy, Default)]
struct Column<B: Base> {
    sum: B::Wide,
    carry: B,
}

impl<B: Base> Column<B> {
    #[inline(always)]
    fn add_product(&mut self, a: B, b: B) {
        let carry;
        (self.sum, carry) = self.sum.overflowing_add(a.widening_mul(b));
        self.carry = self.carry.carrying_add(B::ZERO, carry).0;
    }

    /// Adds `sum a[i] * b[len - 1 - i]`.
    #[inline(always)]
    fn add_products(&mut self, a: &[B], b: &[B]) {
        for (&a, &b) in a.iter().zip(b.iter().rev()) {
            self.add_product(a, b);
        }
    }

    #[inline(always)]
    fn add(&mut self, other: Self) {
        let carry;
        (self.sum, carry) = self.sum.overflowing_add(other.sum);
        self.carry = self.carry.carrying_add(other.carry, carry).0;
    }

    /// The finished limb; the rest becomes the carry into the next column.
    #[inline(always)]
    fn take_limb(&mut self) -> B {
        let limb = self.sum.low();
        self.sum = B::Wide::from_parts(self.sum.high(), self.carry);
        self.carry = B::ZERO;
        limb
    }
}

/// `out = product mod B^M`; `out` and the factors have M limbs.
#[inline]
pub fn low<B: Base>(out: &mut [B], factors: Factors<'_, B>) {
    debug_assert_eq!(out.len(), factors.len());
    if !on_fast_rows(out, factors, rows::low) {
        columns(out, factors);
    }
}

/// `out = product`, `2M` limbs.
#[inline]
pub fn wide<B: Base>(out: &mut [B], factors: Factors<'_, B>) {
    debug_assert_eq!(out.len(), 2 * factors.len());
    if !on_fast_rows(out, factors, rows::wide) {
        columns(out, factors);
    }
}

/// `out = a b`, for factors of any lengths, as many limbs as both have; a is the shorter one where that is known.
pub(super) fn full<B: Base>(out: &mut [B], a: &[B], b: &[B]) {
    debug_assert_eq!(out.len(), a.len() + b.len());
    if let (Some(a), Some(b), true) = (B::as_words(a), B::as_words(b), super::rows::are_fast())
        && let Some(out) = B::as_words_mut(out)
    {
        return super::rows::product(out, a, b);
    }
    window(out, a, b, 0);
}

/// Runs the product by rows if that is faster on this processor and with this limb; returns whether it is.
#[inline(always)]
fn on_fast_rows<B: Base>(
    out: &mut [B],
    factors: Factors<'_, B>,
    product: fn(&mut [u64], Factors<'_, u64>),
) -> bool {
    let (Some(factors), true) = (factors.as_words(), rows::are_fast()) else { return false };
    B::as_words_mut(out).map(|out| product(out, factors)).is_some()
}

/// The limbs `from..from + out.len()` of `a * b`, without the carry from the columns below `from`: at most
/// the exact value, and less by less than `min(a.len(), b.len())` units of limb `from + 1`. The operands may
/// have any lengths.
pub fn window<B: Base>(out: &mut [B], a: &[B], b: &[B], from: usize) {
    let mut column = Column::default();
    for (k, out) in (from..).zip(out) {
        let rows = (k + 1).saturating_sub(b.len())..(k + 1).min(a.len());
        if !rows.is_empty() {
            column.add_products(&a[rows.clone()], &b[k + 1 - rows.end..k + 1 - rows.start]);
        }
        *out = column.take_limb();
    }
}

/// Number of limb products of [`window`]: pairs `i < a`, `j < b` with `from <= i + j < to`.
#[must_use]
pub const fn window_products(a: usize, b: usize, from: usize, to: usize) -> usize {
    products_below(a, b, to) - products_below(a, b, if from < to { from } else { to })
}

const fn products_below(a: usize, b: usize, column: usize) -> usize {
    const fn triangle(n: usize) -> usize {
        n * (n + 1) / 2
    }
    if a == 0 || b == 0 {
        return 0;
    }
    let column = if column < a + b - 1 { column } else { a + b - 1 };
    triangle(column) - triangle(column.saturating_sub(a)) - triangle(column.saturating_sub(b))
}

#[inline(always)]
pub(super) fn columns<B: Base>(out: &mut [B], factors: Factors<'_, B>) {
    let fits = B::BITS >= usize::BITS || factors.len() >> B::BITS == 0;
    assert!(fits, "a product by columns has fewer than 2^{} limbs, found {}", B::BITS, factors.len());
    let mut column = Column::default();
    match factors {
        Factors::Pair(a, b) => {
            for (k, out) in out.iter_mut().enumerate() {
                let rows = rows(k, a.len());
                column.add_products(&a[rows.clone()], &b[rows]);
                *out = column.take_limb();
            }
        }
        Factors::Square(a) => {
            for (k, out) in out.iter_mut().enumerate() {
                column.add(square_column(a, k));
                *out = column.take_limb();
            }
        }
    }
}

/// The i with both i and k - i below `len`. The range is symmetric under i -> k - i.
#[inline(always)]
fn rows(k: usize, len: usize) -> core::ops::Range<usize> {
    (k + 1).saturating_sub(len).min(len)..(k + 1).min(len)
}

/// Column k of `a * a`: each pair i < k - i once, doubled, and the middle term if k is even.
#[inline(always)]
fn square_column<B: Base>(a: &[B], k: usize) -> Column<B> {
    let rows = rows(k, a.len());
    let pairs = rows.len() / 2;
    let mut column = Column::default();
    column.add_products(&a[rows.start..rows.start + pairs], &a[rows.end - pairs..rows.end]);
    column.add(column);
    if rows.len() % 2 == 1 {
        let middle = a[rows.start + pairs];
        column.add_product(middle, middle);
    }
    column
}
