//! The low product by recursion (Mulders, "On short multiplications and divisions", 2000).
//!
//! With `a = a1 * X + a0`, `X = B^l`, `M/2 <= l < M`: the product mod `B^M` is the full `a0 * b0` cut at M
//! limbs, plus `X` times the low products `a0 * b1` and `a1 * b0` of `M - l` limbs each. With Karatsuba's
//! full product the best l is near 0.7 M, and the low product costs about 0.8 of the full one.

use super::{Factors, karatsuba, karatsuba_or_schoolbook, short_or_schoolbook};
use crate::{base::Base, slice::add};

/// Shortest factors that can be split into two non-empty parts.
pub const MIN_LEN: usize = 2;
/// The short product is faster than the schoolbook low product from this many 64-bit limbs on.
pub const THRESHOLD: usize = 112;
/// [`THRESHOLD`] for squares, whose schoolbook form is cheaper.
pub const THRESHOLD_SQUARE: usize = 208;

const _: () = assert!(THRESHOLD >= MIN_LEN && THRESHOLD_SQUARE >= MIN_LEN);

/// Length of the full product's factors, `l` above: near 0.7 M, and whole passes of eight rows.
const fn split(len: usize) -> usize {
    const PASS: usize = 8;
    let (l, half) = (len * 7 / 10, len.div_ceil(2));
    if len >= 5 * PASS {
        (l + PASS / 2) / PASS * PASS
    } else if l < half {
        half
    } else {
        l
    }
}

/// Limbs of scratch for factors of `len` limbs: the full product of `split(len)` limbs and its own scratch.
#[must_use]
pub const fn scratch_len(len: usize) -> usize {
    2 * split(len) + karatsuba::scratch_len(split(len))
}

/// `out = product mod B^M`, M limbs from factors of `M >= MIN_LEN`, with `scratch_len(M)` limbs of scratch.
pub fn low<B: Base>(out: &mut [B], factors: Factors<'_, B>, scratch: &mut [B]) {
    let (len, middle) = (out.len(), split(out.len()));
    let (low, _) = factors.split_at(middle);
    let (full, rest) = scratch.split_at_mut(2 * middle);
    karatsuba_or_schoolbook(full, low, rest);
    out.copy_from_slice(&full[..len]);

    let (cross, rest) = scratch.split_at_mut(len - middle);
    let (_, out_high) = out.split_at_mut(middle);
    match factors {
        Factors::Pair(a, b) => {
            for (low, high) in [(a, b), (b, a)] {
                let factors = Factors::Pair(&low[..len - middle], &high[middle..]);
                short_or_schoolbook(cross, factors, rest);
                add::add_assign(out_high, cross, false);
            }
        }
        Factors::Square(a) => {
            short_or_schoolbook(cross, Factors::Pair(&a[..len - middle], &a[middle..]), rest);
            add::add_assign(out_high, cross, false);
            add::add_assign(out_high, cross, false);
        }
    }
}
