//! The products that the other algorithms are made of.

use limbforge_limb::Base;
use limbforge_limb::slice::{add, mul, mul::Factors, mul::rows::multiple};

use crate::transform::mul_ntt;

mod pairs;

/// A way to multiply. Divisions are written for any limb and any such way.
pub trait Products<B: Base> {
    /// Limbs `from..from + out.len()` of `a * b`, which may have any lengths.
    ///
    /// Products of limbs `a[i] * b[j]` with `i + j < from` may be omitted: the result is then less than the
    /// exact limbs, mod `B^out.len()`, by fewer than `min(a.len(), b.len())`.
    fn columns(&mut self, out: &mut [B], a: &[B], b: &[B], from: usize);

    /// `out = a * b mod B^out.len()`, exactly.
    fn low(&mut self, out: &mut [B], a: &[B], b: &[B]) {
        self.columns(out, a, b, 0);
    }
}

/// Products row by row, for any limb, however narrow.
#[derive(Clone, Copy, Debug, Default)]
pub struct Schoolbook;

impl<B: Base> Products<B> for Schoolbook {
    fn columns(&mut self, out: &mut [B], a: &[B], b: &[B], from: usize) {
        out.fill(B::ZERO);
        for (i, &factor) in a.iter().enumerate() {
            let skipped = from.saturating_sub(i);
            let (Some(row), Some(out)) = (b.get(skipped..), out.get_mut((i + skipped) - from..)) else {
                continue;
            };
            let (low, high) = out.split_at_mut(row.len().min(out.len()));
            let carry = multiple::add_inline(low, &row[..low.len()], factor);
            if !high.is_empty() {
                add::add_assign(high, &[carry], false);
            }
        }
    }
}

/// Bits from which transforms are faster where they run in vectors: (of pairs, of squares). Measured: with
/// AVX-512 transforms win from 5000 (low, wide), 5600 (square, wide) and 8000 bits (square, low) on, with
/// AVX2 from 8000, 7000, 10000 and 12000 on. The limb makes little difference.
const LOW_BY_TRANSFORMS: (usize, usize) = (7168, 10240);
const WIDE_BY_TRANSFORMS: (usize, usize) = (6144, 8192);

/// As [`LOW_BY_TRANSFORMS`] and [`WIDE_BY_TRANSFORMS`], compared with products by fast rows, with AVX-512.
/// Measured, microseconds by rows and by transforms: wide 4.7 and 4.8 at 136 words, 5.1 and 4.9 at 144, 7.4
/// and 6.6 at 192, low 4.5 and 4.5 at 168, 5.5 and 5.0 at 192, wide squares 7.1 and 6.9 at 240, low ones 5.5 and 5.4 at
/// 256.
const LOW_AFTER_ROWS: (usize, usize) = (11264, 16384);
const WIDE_AFTER_ROWS: (usize, usize) = (9216, 15360);

/// The same with shorter vectors: wide 10.6 and 10.8 at 224 words, 11.3 and 11.2 at 240, low 9.5 and 9.7 at 264, 10.0 and
/// 9.8 at 272, wide squares 15.2 and 14.2 at 384, low ones 11.5 and 10.1.
const LOW_AFTER_ROWS_SHORT: (usize, usize) = (17408, 24576);
const WIDE_AFTER_ROWS_SHORT: (usize, usize) = (15360, 24576);

/// Words of factors from which this machine computes products by transforms; `usize::MAX` if it has no fast
/// transforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransformsFrom {
    /// Of low products.
    pub low: usize,
    /// Of low squares.
    pub low_square: usize,
    /// Of wide products.
    pub wide: usize,
    /// Of wide squares.
    pub wide_square: usize,
}

/// The words from which this machine computes products by transforms.
///
/// ```
/// use limbforge_algos::integer::transforms_from;
/// let from = transforms_from();
/// assert!(from.low >= from.wide && from.low_square >= from.wide_square);
/// ```
#[must_use]
pub fn transforms_from() -> TransformsFrom {
    let words = |bits: usize| if mul_ntt::is_fast() { bits.div_ceil(64) } else { usize::MAX };
    let ((low, low_square), (wide, wide_square)) = (low_by_transforms(), wide_by_transforms());
    TransformsFrom {
        low: words(low),
        low_square: words(low_square),
        wide: words(wide),
        wide_square: words(wide_square),
    }
}

/// The bits of pairs and of squares from which low products are by transforms on this machine.
fn low_by_transforms() -> (usize, usize) {
    match (mul::rows::are_fast(), mul_ntt::has_long_vectors()) {
        (false, _) => LOW_BY_TRANSFORMS,
        (true, true) => LOW_AFTER_ROWS,
        (true, false) => LOW_AFTER_ROWS_SHORT,
    }
}

/// The same of wide products.
fn wide_by_transforms() -> (usize, usize) {
    match (mul::rows::are_fast(), mul_ntt::has_long_vectors()) {
        (false, _) => WIDE_BY_TRANSFORMS,
        (true, true) => WIDE_AFTER_ROWS,
        (true, false) => WIDE_AFTER_ROWS_SHORT,
    }
}

/// A product by transforms takes as long as so many products of words for each word of its factors, with
/// AVX-512 and with shorter vectors. Measured: 13.5 and 18.7 ns against 0.94 ns at 128 words, 12.5 and 15.9
/// against 0.93 at 96.
const PRODUCTS_PER_WORD: (usize, usize) = (16, 22);

/// Below so many words, products by rows are faster than those by columns, whose loops are too short.
const ROWS_BELOW: usize = 24;

/// Products of slices, each by the fastest way for its length: the ladder of `limbforge_limb`, or transforms.
/// It holds their memory; one per thread.
#[derive(Clone, Debug, Default)]
pub struct Product {
    ladder: mul::Scratch,
    transforms: mul_ntt::Scratch,
}

impl Product {
    /// `out = product of the factors mod B^M`, all of M limbs.
    ///
    /// # Panics
    /// If a length differs.
    pub fn low<B: Base>(&mut self, out: &mut [B], factors: Factors<'_, B>) {
        if by_transforms(factors, low_by_transforms()) {
            mul_ntt::low(out, factors, &mut self.transforms);
        } else {
            mul::low(out, factors, &mut self.ladder);
        }
    }

    /// `out = product of the factors`, 2M limbs for factors of M limbs.
    ///
    /// # Panics
    /// If a length differs.
    pub fn wide<B: Base>(&mut self, out: &mut [B], factors: Factors<'_, B>) {
        if by_transforms(factors, wide_by_transforms()) {
            mul_ntt::wide(out, factors, &mut self.transforms);
        } else {
            mul::wide(out, factors, &mut self.ladder);
        }
    }

    /// The memory of transforms.
    pub(crate) const fn transforms(&mut self) -> &mut mul_ntt::Scratch {
        &mut self.transforms
    }

    /// `wide = product of the factors`, of machine words.
    pub(crate) fn words(&mut self, wide: &mut Vec<u64>, factors: Factors<'_, u64>) {
        let n = factors.len();
        wide.resize(2 * n, 0);
        let (a, b) = match factors {
            _ if n >= ROWS_BELOW || mul::rows::are_fast() => return self.wide(wide, factors),
            Factors::Pair(a, b) => (a, b),
            Factors::Square(a) => (a, a),
        };
        wide.fill(0);
        for (i, &factor) in b.iter().enumerate() {
            wide[i + n] = multiple::add_inline(&mut wide[i..i + n], a, factor);
        }
    }

    /// `out = a b`, with zeros above.
    fn wide_of_lengths(&mut self, out: &mut [u64], a: &[u64], b: &[u64]) {
        if mul_ntt::is_fast() && !rows_are_faster(a.len().min(b.len()), a.len().max(b.len())) {
            return mul_ntt::low(out, Factors::Pair(a, b), &mut self.transforms);
        }
        let (out, above) = out.split_at_mut(a.len() + b.len());
        above.fill(0);
        mul::unbalanced::wide_of_words(out, a, b, &mut self.ladder);
    }

    /// [`Products::columns`] of machine words.
    pub(crate) fn columns(&mut self, out: &mut [u64], a: &[u64], b: &[u64], from: usize) {
        if from == 0 && out.len() >= a.len() + b.len() && (mul::rows::are_fast() || !mul_ntt::is_fast()) {
            return self.wide_of_lengths(out, a, b);
        }
        let products = mul::schoolbook::window_products(a.len(), b.len(), from, from + out.len());
        let (long, short) = PRODUCTS_PER_WORD;
        let per_word = if mul_ntt::has_long_vectors() { long } else { short };
        if products > per_word * (a.len() + b.len()) && mul_ntt::is_fast() {
            mul_ntt::low_from(out, from, Factors::Pair(a, b), &mut self.transforms);
        } else {
            mul::schoolbook::window(out, a, b, from);
        }
    }
}

/// The fast rows' products take 12 + 0.15 n ns for each word of the longer factor, n the length of the shorter
/// one; transforms 16.7 ns for each word of both, with shorter vectors than AVX-512 23. Measured.
fn rows_are_faster(short: usize, long: usize) -> bool {
    let (less, more) = if mul_ntt::has_long_vectors() { (94, 334) } else { (220, 460) };
    3 * short <= less || long * (3 * short - less) < more * short
}

fn by_transforms<B: Base>(factors: Factors<'_, B>, (pair, square): (usize, usize)) -> bool {
    let crossover = if matches!(factors, Factors::Pair(..)) { pair } else { square };
    factors.len() * B::BITS as usize >= crossover && mul_ntt::is_fast()
}
