//! Products of the remainders: `a * b mod x^d -+ r` for each of the 2^depth polynomials that the transform
//! ends with.

use fearless_simd::{Simd, dispatch};

use super::lanes::Lanes;
use super::residues::Residues;
use super::transform::Context;

/// Largest degree d of the polynomials.
const MAX_DEGREE: usize = 7;

/// `a = a * b` for each polynomial of `degree` coefficients, or `a = a * a` without b. At most
/// [`FORWARD`](super::transform::FORWARD) in, [`REDUCED`](super::lanes::REDUCED) out.
pub(super) fn multiply(context: Context<'_>, a: &mut [Residues], b: Option<&[Residues]>, degree: usize) {
    dispatch!(context.level, simd => {
        let lanes = Lanes::new(simd, context.basis);
        for (i, a) in a.chunks_exact_mut(degree).enumerate() {
            let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
            let root = &context.roots[i / 2];
            multiply_one(lanes, a, b.map(|b| &b[i * degree..][..degree]), root, sign);
        }
    });
}

/// The schoolbook product, its high half folded back by `x^d = sign * root`.
///
/// In units of p: reduced factors have products of 1/4, reduced to 9/16; d - 1 of them, at most 27/8, times
/// the root, which is 1/2, are reduced to less than 1; with d of them, at most 63/16, that is below 8.
#[inline(always)]
fn multiply_one<S: Simd>(
    lanes: Lanes<S>,
    a: &mut [Residues],
    b: Option<&[Residues]>,
    root: &Residues,
    sign: f64,
) {
    let degree = a.len();
    let mut reduced = [Residues::ZERO; MAX_DEGREE];
    for (reduced, b) in reduced.iter_mut().zip(b.unwrap_or(a)) {
        reduced.store(lanes.reduce(b.load(lanes.simd)));
    }
    let mut wide = [Residues::ZERO; 2 * MAX_DEGREE];
    for (i, a) in a.iter().enumerate() {
        let x = lanes.reduce(a.load(lanes.simd));
        for (sum, y) in wide[i..].iter_mut().zip(&reduced[..degree]) {
            sum.store(sum.load(lanes.simd) + lanes.mul(x, y.load(lanes.simd)));
        }
    }
    let root = root.load(lanes.simd) * sign;
    let (low, high) = wide.split_at(degree);
    for ((a, low), high) in a.iter_mut().zip(low).zip(high) {
        let folded = lanes.mul(high.load(lanes.simd), root);
        a.store(lanes.reduce(low.load(lanes.simd) + folded));
    }
}
