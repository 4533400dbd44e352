//! The products that a division is made of.

use limbforge_limb::Base;
use limbforge_limb::slice::add;
use limbforge_limb::slice::mul::{Factors, schoolbook};

use crate::integer::montgomery::add_product;
use crate::transform::mul_ntt;

/// Who multiplies. Divisions are written for any limb and any way to multiply.
pub trait Products<B: Base> {
    /// Limbs `from..from + out.len()` of `a * b`, which may have any lengths.
    ///
    /// Products of limbs `a[i] * b[j]` with `i + j < from` may be left out: the result is then less than the
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
            let carry = add_product(low, &row[..low.len()], factor);
            if !high.is_empty() {
                add::add_assign(high, &[carry], false);
            }
        }
    }
}

/// Products of machine words, by columns or by transforms, whichever takes less time.
#[derive(Clone, Debug, Default)]
pub struct Words {
    transforms: mul_ntt::Scratch,
}

/// A product by transforms takes as long as so many products of words for each word of its factors. Measured:
/// 20 ns against 0.5 ns.
const PRODUCTS_PER_WORD: usize = 38;

impl Products<u64> for Words {
    fn columns(&mut self, out: &mut [u64], a: &[u64], b: &[u64], from: usize) {
        let products = schoolbook::window_products(a.len(), b.len(), from, from + out.len());
        if products > PRODUCTS_PER_WORD * (a.len() + b.len()) && mul_ntt::is_fast() {
            mul_ntt::low_from(out, from, Factors::Pair(a, b), &mut self.transforms);
        } else {
            schoolbook::window(out, a, b, from);
        }
    }
}
