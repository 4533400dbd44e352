//! The transform: `x^n - 1` is split, level by level, into polynomials `x^d - r`, n = d * 2^depth, and a
//! polynomial into its remainders by them; the inverse goes back. The results come in the order of the tree
//! and are never reordered: decimation in frequency forward, decimation in time backward.
//!
//! The step from `u + v x^m` modulo `x^(2m) - r^2` to modulo `x^m -+ r` is the butterfly `u +- r v`, with one
//! r for the whole block. Registers hold two levels at a time. Blocks beyond the first-level cache are
//! transformed depth first.
//!
//! Bounds, in units of p: forward, values of at most [`FORWARD`] give values of at most [`FORWARD`]; backward
//! the same with [`BACKWARD`]. `bounds.rs` proves both. A product by r = 1 is a reduction.

use fearless_simd::{Level, Simd, dispatch, f64x8};

use super::basis::{Basis, Residues};
use super::lanes::Lanes;

/// Bound of the values of a forward transform.
pub(super) const FORWARD: f64 = 2.2;

/// Bound of the values of an inverse transform.
pub(super) const BACKWARD: f64 = 0.999_999_99;

/// Points of a block that stays in the first-level cache.
const CACHED: usize = 512;

/// The constants of a transform.
#[derive(Clone, Copy)]
pub(super) struct Context<'t> {
    pub(super) level: Level,
    pub(super) basis: &'t Basis,
    pub(super) roots: &'t [Residues],
}

/// Remainders of the polynomial with coefficients `values`, in place, or, if INVERSE, the polynomial with the
/// remainders `values`, times 2^depth. At most [`FORWARD`], or [`BACKWARD`], in and out.
pub(super) fn transform<const INVERSE: bool>(context: Context<'_>, values: &mut [Residues], depth: u32) {
    let first_level = |values: &mut [Residues]| {
        dispatch!(context.level, simd => add_and_subtract(Lanes::new(simd, context.basis), values));
    };
    let odd = depth % 2;
    if odd == 1 && !INVERSE {
        first_level(values);
    }
    let len = values.len() >> odd;
    for (j, block) in values.chunks_exact_mut(len).enumerate() {
        blocks::<INVERSE>(context, block, j, depth / 2);
    }
    if odd == 1 && INVERSE {
        first_level(values);
    }
}

/// `pairs` pairs of levels on the j-th block of its level.
fn blocks<const INVERSE: bool>(context: Context<'_>, values: &mut [Residues], j: usize, pairs: u32) {
    if values.len() <= CACHED || pairs <= 1 {
        return passes::<INVERSE>(context, values, j, pairs);
    }
    if !INVERSE {
        passes::<INVERSE>(context, values, j, 1);
    }
    let quarter = values.len() / 4;
    for (i, block) in values.chunks_exact_mut(quarter).enumerate() {
        blocks::<INVERSE>(context, block, 4 * j + i, pairs - 1);
    }
    if INVERSE {
        passes::<INVERSE>(context, values, j, 1);
    }
}

fn passes<const INVERSE: bool>(context: Context<'_>, values: &mut [Residues], first: usize, pairs: u32) {
    dispatch!(context.level, simd => {
        let lanes = Lanes::new(simd, context.basis);
        for pass in 0..pairs {
            let pair = if INVERSE { pairs - 1 - pass } else { pass };
            let len = values.len() >> (2 * pair);
            for (i, block) in values.chunks_exact_mut(len).enumerate() {
                let j = (first << (2 * pair)) + i;
                match (INVERSE, j) {
                    (false, 0) => forward_block::<_, true>(lanes, block, context.roots, 0),
                    (false, j) => forward_block::<_, false>(lanes, block, context.roots, j),
                    (true, 0) => inverse_block::<_, true>(lanes, block, context.roots, 0),
                    (true, j) => inverse_block::<_, false>(lanes, block, context.roots, j),
                }
            }
        }
    });
}

/// Two levels of the j-th block; the roots of the FIRST block are 1, 1 and i.
#[inline(always)]
fn forward_block<S: Simd, const FIRST: bool>(
    lanes: Lanes<S>,
    block: &mut [Residues],
    roots: &[Residues],
    j: usize,
) {
    let (upper, simd) = (roots[j].load(lanes.simd), lanes.simd);
    let (left, right) = (roots[2 * j].load(simd), roots[2 * j + 1].load(simd));
    for [x0, x1, x2, x3] in quadruples(block) {
        let (u, v) = (lanes.reduce(x0.load(simd)), times::<_, FIRST>(lanes, x2.load(simd), upper));
        let (y0, y2) = (u + v, u - v);
        let (u, v) = (x1.load(simd), times::<_, FIRST>(lanes, x3.load(simd), upper));
        let (y1, y3) = (times::<_, FIRST>(lanes, u + v, left), lanes.mul(u - v, right));
        x0.store(y0 + y1);
        x1.store(y0 - y1);
        x2.store(y2 + y3);
        x3.store(y2 - y3);
    }
}

/// Inverse of [`forward_block`], times 4.
#[inline(always)]
fn inverse_block<S: Simd, const FIRST: bool>(
    lanes: Lanes<S>,
    block: &mut [Residues],
    roots: &[Residues],
    j: usize,
) {
    let simd = lanes.simd;
    // The negated inverses of the roots.
    let upper = roots[negated_inverse(j)].load(simd);
    let left = roots[negated_inverse(2 * j)].load(simd);
    let right = roots[negated_inverse(2 * j + 1)].load(simd);
    for [y0, y1, y2, y3] in quadruples(block) {
        let (u, v) = (y0.load(simd), y1.load(simd));
        let (x0, x1) = (u + v, divided::<_, FIRST>(lanes, u, v, left));
        let (u, v) = (y2.load(simd), y3.load(simd));
        let (x2, x3) = (u + v, lanes.mul(v - u, right));
        y0.store(lanes.reduce(x0 + x2));
        y1.store(lanes.reduce(x1 + x3));
        y2.store(divided::<_, FIRST>(lanes, x0, x2, upper));
        y3.store(divided::<_, FIRST>(lanes, x1, x3, upper));
    }
}

/// x times the root, which is 1 if FIRST.
#[inline(always)]
fn times<S: Simd, const FIRST: bool>(lanes: Lanes<S>, x: f64x8<S>, root: f64x8<S>) -> f64x8<S> {
    if FIRST { lanes.reduce(x) } else { lanes.mul(x, root) }
}

/// u - v, divided by the root with this negated inverse, which is 1 if FIRST.
#[inline(always)]
fn divided<S: Simd, const FIRST: bool>(
    lanes: Lanes<S>,
    u: f64x8<S>,
    v: f64x8<S>,
    negated_inverse: f64x8<S>,
) -> f64x8<S> {
    if FIRST { lanes.reduce(u - v) } else { lanes.mul(v - u, negated_inverse) }
}

/// j' with `roots[j'] = -1 / roots[j]`, for j > 0. In the half `2^k <= j < 2^(k+1)` of the table, the
/// exponents of the root of order 2^(k+2) are the odd numbers below 2^(k+1) in bit-reversed order, and j'
/// mirrors j.
pub(super) const fn negated_inverse(j: usize) -> usize {
    match j.checked_ilog2() {
        Some(bits) => (3 << bits) - 1 - j,
        None => 0,
    }
}

/// The i-th values of the four quarters of the block, for each i.
#[inline(always)]
fn quadruples(block: &mut [Residues]) -> impl Iterator<Item = [&mut Residues; 4]> {
    let (low, high) = block.split_at_mut(block.len() / 2);
    let ((x0, x1), (x2, x3)) = (low.split_at_mut(low.len() / 2), high.split_at_mut(high.len() / 2));
    let (low, high) = (x0.iter_mut().zip(x1), x2.iter_mut().zip(x3));
    low.zip(high).map(|((x0, x1), (x2, x3))| [x0, x1, x2, x3])
}

/// One level with root 1, its own inverse but for a factor of 2: (u + v, u - v), reduced.
#[inline(always)]
fn add_and_subtract<S: Simd>(lanes: Lanes<S>, values: &mut [Residues]) {
    let (low, high) = values.split_at_mut(values.len() / 2);
    for (u, v) in low.iter_mut().zip(high) {
        let (x, y) = (u.load(lanes.simd), v.load(lanes.simd));
        u.store(lanes.reduce(x + y));
        v.store(lanes.reduce(x - y));
    }
}
