//! The full product of factors of different lengths: the longer one in pieces as long as the shorter one.

use super::{Factors, karatsuba, karatsuba_or_schoolbook, schoolbook};
use crate::base::Base;
use crate::slice::add;

/// Limbs of scratch for a shorter factor of `len` limbs: a product of a piece and its own scratch. Less is
/// needed for the last piece, whose product has a shorter factor again.
#[must_use]
pub const fn scratch_len(len: usize) -> usize {
    2 * (2 * len + karatsuba::scratch_len(len))
}

/// `out = a b`, of as many limbs as both together, with [`scratch_len`] limbs of scratch for the shorter one.
pub fn wide<B: Base>(out: &mut [B], a: &[B], b: &[B], scratch: &mut [B]) {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let len = short.len();
    if len < karatsuba::THRESHOLD {
        return schoolbook::full(out, short, long);
    }
    if long.len() == len {
        return karatsuba_or_schoolbook(out, Factors::Pair(long, short), scratch);
    }
    out.fill(B::ZERO);
    let (product, scratch) = scratch.split_at_mut(2 * len);
    for (i, piece) in long.chunks(len).enumerate() {
        let product = &mut product[..piece.len() + len];
        if piece.len() == len {
            karatsuba_or_schoolbook(product, Factors::Pair(piece, short), scratch);
        } else {
            wide(product, short, piece, scratch);
        }
        add::add_assign(&mut out[i * len..], product, false);
    }
}
