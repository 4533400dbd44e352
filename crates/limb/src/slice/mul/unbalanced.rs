//! The full product of factors of different lengths: the longer one in pieces as long as the shorter one.

use super::{Factors, Scratch, karatsuba, karatsuba_or_schoolbook, schoolbook};
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

/// [`wide`] of machine words, in memory that grows as needed.
///
/// ```
/// use limbforge_limb::slice::mul::{Scratch, unbalanced::wide_of_words};
/// let mut out = [7; 3];
/// wide_of_words(&mut out, &[u64::MAX], &[2, 3], &mut Scratch::default());
/// assert_eq!(out, [u64::MAX - 1, u64::MAX - 1, 2]);
/// ```
///
/// # Panics
/// Unless `out` has the length of both factors together.
pub fn wide_of_words(out: &mut [u64], a: &[u64], b: &[u64], scratch: &mut Scratch) {
    assert_eq!(out.len(), a.len() + b.len(), "a wide product has the length of its factors together");
    let need = scratch_len(a.len().min(b.len()));
    wide(out, a, b, scratch.take(need));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ones, whose carries go far, and others: against products by columns.
    #[test]
    fn lengths_may_differ() {
        let number = |len: usize, factor: u64| -> Vec<u64> {
            (1..=len as u64).map(|i| if factor == 1 { u64::MAX } else { i.wrapping_mul(factor) }).collect()
        };
        let mut scratch = Scratch::default();
        for (a, b) in [0, 1, 5, 8, 9, 27, 28, 29, 60, 90].iter().flat_map(|&a| (0..100).map(move |b| (a, b)))
        {
            for factor in [1, 0x9e37_79b9_7f4a_7c15] {
                let (a, b) = (number(a, factor), number(b, factor));
                let [mut found, mut expected] = [(); 2].map(|()| vec![3; a.len() + b.len()]);
                wide_of_words(&mut found, &a, &b, &mut scratch);
                schoolbook::window(&mut expected, &a, &b, 0);
                assert_eq!(found, expected, "{} by {} words", a.len(), b.len());
            }
        }
    }
}
