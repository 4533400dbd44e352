//! The low product by recursion (Mulders, "On short multiplications and divisions", 2000).
//!
//! With `a = a1 * X + a0`, `X = B^l`, `M/2 <= l < M`: the product mod `B^M` is the full `a0 * b0` cut at M
//! limbs, plus `X` times the low products `a0 * b1` and `a1 * b0` of `M - l` limbs each. With Karatsuba's
//! full product the best l is between M/2 and 3/4 M, and the low product costs about 0.7 of the full one.

use super::{Factors, karatsuba, karatsuba_or_schoolbook, short_or_schoolbook};
use crate::{base::Base, slice::add};

/// Shortest factors that can be split into two non-empty parts.
pub const MIN_LEN: usize = 2;
/// The short product is faster than the schoolbook low product from this many 64-bit limbs on.
pub const THRESHOLD: usize = 92;
/// [`THRESHOLD`] for squares, whose schoolbook form is cheaper.
pub const THRESHOLD_SQUARE: usize = 136;

const _: () = assert!(THRESHOLD >= MIN_LEN && THRESHOLD_SQUARE >= MIN_LEN);

/// Length of the full product's factors, `l` above: the longest one up to 3/4 M, else the shortest one from M/2 on, whose
/// halves of halves are whole passes of eight rows: 16 or 24 limbs, times a power of two. In between Karatsuba's product
/// takes up to a fifth longer for its length.
const fn split(len: usize) -> usize {
    let (half, most) = (len.div_ceil(2), len * 3 / 4);
    let (mut below, mut next) = (1, [16, 24]);
    while next[0] <= most {
        (below, next) = (next[0], [next[1], 2 * next[0]]);
    }
    if below >= half {
        below
    } else if next[0] < len {
        next[0]
    } else {
        half
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
    if 2 * middle == len {
        karatsuba_or_schoolbook(out, low, scratch);
    } else {
        let (full, rest) = scratch.split_at_mut(2 * middle);
        karatsuba_or_schoolbook(full, low, rest);
        out.copy_from_slice(&full[..len]);
    }

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
