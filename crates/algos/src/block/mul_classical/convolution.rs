//! The work of one thread: the coefficients of its columns, packed (figure 7).

use core::ops::Range;

use limbforge_limb::{Base, Wide};

/// The columns of thread `rank`: for each of `strides` padded lengths of `len = T * Q` limbs, `ceil(Q / 2)`
/// columns of its first half and `floor(Q / 2)` mirrored ones of its second half. Together the threads have
/// each column once.
pub fn chunks<const Q: usize>(rank: usize, len: usize, strides: usize) -> impl Iterator<Item = Range<usize>> {
    let (lower, upper) = (Q.div_ceil(2), Q / 2);
    let pair = [lower * rank..lower * (rank + 1), len - upper * (rank + 1)..len - upper * rank];
    let shifted = move |shift: usize| pair.clone().map(|chunk| chunk.start + shift..chunk.end + shift);
    (0..strides).flat_map(move |stride| shifted(stride * len)).filter(|chunk| !chunk.is_empty())
}

/// The columns of a chunk, added up with their weights: width + 2 limbs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed<B> {
    /// The chunk's first column, where limb 0 belongs.
    pub first: usize,
    /// Width low limbs, one high limb, one carry limb.
    pub limbs: Vec<B>,
}

/// A column's running sum, `sum + carry * B^2`: exact for up to `B + 1` terms and the carry from below, as
/// `n (B - 1) B < B^3`.
#[derive(Clone, Copy, Debug, Default)]
struct Accumulator<B: Base> {
    sum: B::Wide,
    carry: B,
}

impl<B: Base> Accumulator<B> {
    fn add_product(&mut self, a: B, b: B) {
        self.add(Self { sum: a.widening_mul(b), carry: B::ZERO });
    }

    fn add(&mut self, other: Self) {
        let overflow;
        (self.sum, overflow) = self.sum.overflowing_add(other.sum);
        self.carry = self.carry.carrying_add(other.carry, overflow).0;
    }
}

/// Convolves the columns of one chunk: of `a * b`, or of `a * a` without `b`. The operands have one length.
#[must_use]
pub fn chunk<B: Base>(a: &[B], b: Option<&[B]>, columns: Range<usize>) -> Packed<B> {
    let first = columns.start;
    let sums =
        b.map_or_else(|| square_columns(a, columns.clone()), |b| product_columns(a, b, columns.clone()));
    Packed { first, limbs: combine(&sums) }
}

/// The i with both i and k - i below `len`: the terms of column k.
fn terms(k: usize, len: usize) -> Range<usize> {
    (k + 1).saturating_sub(len).min(len)..(k + 1).min(len)
}

/// First the terms `a[i]` that all columns share, one `a[i]` for all of them; then the other terms of each.
fn product_columns<B: Base>(a: &[B], b: &[B], columns: Range<usize>) -> Vec<Accumulator<B>> {
    let mut sums = vec![Accumulator::default(); columns.len()];
    let shared = terms(columns.end - 1, a.len()).start..terms(columns.start, a.len()).end;
    for i in shared.clone() {
        for (k, sum) in columns.clone().zip(&mut sums) {
            sum.add_product(a[i], b[k - i]);
        }
    }
    for (k, sum) in columns.zip(&mut sums) {
        for i in terms(k, a.len()).filter(|i| !shared.contains(i)) {
            sum.add_product(a[i], b[k - i]);
        }
    }
    sums
}

/// As [`product_columns`] for a square: each pair i < k - i once, doubled, and the middle term if k is even.
fn square_columns<B: Base>(a: &[B], columns: Range<usize>) -> Vec<Accumulator<B>> {
    let column = |k: usize| {
        let terms = terms(k, a.len());
        let mut sum = Accumulator::default();
        for i in terms.start..terms.start + terms.len() / 2 {
            sum.add_product(a[i], a[k - i]);
        }
        sum.add(sum);
        if terms.len() % 2 == 1 {
            sum.add_product(a[k / 2], a[k / 2]);
        }
        sum
    };
    columns.map(column).collect()
}

/// Adds up the columns with their weights: the low limb of each stays, the rest moves up one column.
fn combine<B: Base>(sums: &[Accumulator<B>]) -> Vec<B> {
    let mut above = Accumulator::default();
    let mut limbs: Vec<B> = sums
        .iter()
        .map(|&sum| {
            let mut sum = sum;
            sum.add(above);
            above = Accumulator { sum: B::Wide::from_parts(sum.sum.high(), sum.carry), carry: B::ZERO };
            sum.sum.low()
        })
        .collect();
    limbs.extend([above.sum.low(), above.sum.high()]);
    limbs
}
