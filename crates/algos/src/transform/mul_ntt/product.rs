//! The product of machine words: one transform, or several where none is long enough.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, f64x8};
use limbforge_limb::slice::mul::Factors;
use limbforge_limb::slice::{add, bits};

use super::basis::{BASIS, Residues, roots};
use super::digits::{Shape, load};
use super::lanes::Lanes;
use super::transform::{Context, transform};
use super::{Scratch, recombination};
use crate::invariant::broken_invariant;

/// `out = product of the factors mod 2^64^M`, M the length of `out`, by transforms of at most `longest`
/// points.
pub(super) fn low(
    level: Level,
    out: &mut [u64],
    factors: Factors<'_, u64>,
    scratch: &mut Scratch,
    longest: usize,
) {
    let len = out.len();
    let cut = |words: &'_ [u64]| bits::significant(&words[..words.len().min(len)]).len();
    let (a, b) = match factors {
        Factors::Pair(a, b) => (&a[..cut(a)], Some(&b[..cut(b)])),
        Factors::Square(a) => (&a[..cut(a)], None),
    };
    let b_len = b.map_or(a.len(), <[u64]>::len);
    let (out, above) = out.split_at_mut(len.min(a.len() + b_len));
    above.fill(0);
    if a.is_empty() || b_len == 0 {
        return out.fill(0);
    }
    match Shape::new(a.len(), b_len).filter(|shape| shape.points() <= longest) {
        Some(shape) => by_transforms(level, out, a, b, shape, scratch),
        None => by_halves(level, out, a, b.unwrap_or(a), scratch, longest),
    }
}

/// Factors without zeros at the top; `out` is no longer than both together.
fn by_transforms(
    level: Level,
    out: &mut [u64],
    a: &[u64],
    b: Option<&[u64]>,
    shape: Shape,
    scratch: &mut Scratch,
) {
    let context = Context { level, basis: &BASIS, roots: roots(shape.depth) };
    let [x, y] = &mut scratch.values;
    let x = transformed(context, a, x, shape);
    let y = b.map(|b| &*transformed(context, b, y, shape));
    multiply(context, x, y, shape.degree);
    transform::<true>(context, x, shape.depth);
    recombination::store(context, out, &x[..shape.kept(out.len())], shape, &mut scratch.sums);
}

/// As many values as the shape has points.
pub(super) fn room(values: &mut Vec<Residues>, shape: Shape) -> &mut [Residues] {
    if values.len() < shape.points() {
        values.resize(shape.points(), Residues::ZERO);
    }
    &mut values[..shape.points()]
}

/// The transform of a number of words.
pub(super) fn transformed<'r>(
    context: Context<'_>,
    words: &[u64],
    values: &'r mut Vec<Residues>,
    shape: Shape,
) -> &'r mut [Residues] {
    let values = room(values, shape);
    load(context, values, words, shape);
    transform::<false>(context, values, shape.depth);
    values
}

/// Cuts the longer factor in two.
fn by_halves(level: Level, out: &mut [u64], a: &[u64], b: &[u64], scratch: &mut Scratch, longest: usize) {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let middle = long.len() / 2;
    low(level, out, Factors::Pair(&long[..middle], short), scratch, longest);
    if middle < out.len() {
        let mut upper = vec![0; out.len() - middle];
        low(level, &mut upper, Factors::Pair(&long[middle..], short), scratch, longest);
        add::add_assign(&mut out[middle..], &upper, false);
    }
}

/// A function with the degree as its parameter.
macro_rules! of_degrees {
    ($degree:expr, $function:ident($($argument:expr),*)) => {
        match $degree {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            4 => $function::<4>($($argument),*),
            5 => $function::<5>($($argument),*),
            6 => $function::<6>($($argument),*),
            7 => $function::<7>($($argument),*),
            _ => broken_invariant("degrees are from 1 to 7"),
        }
    };
}

/// `a = a * b mod x^d -+ r`, or `a = a * a` without b, for each polynomial of `degree` coefficients that the
/// transform ends with. At most [`FORWARD`](super::transform::FORWARD) in,
/// [`REDUCED`](super::lanes::REDUCED) out.
pub(super) fn multiply(context: Context<'_>, a: &mut [Residues], b: Option<&[Residues]>, degree: usize) {
    of_degrees!(degree, of_degree(context, a, b));
}

fn of_degree<const D: usize>(context: Context<'_>, a: &mut [Residues], b: Option<&[Residues]>) {
    dispatch!(context.level, simd => {
        let lanes = Lanes::new(simd, context.basis);
        let (a, _) = a.as_chunks_mut::<D>();
        match b {
            Some(b) => for (i, (a, b)) in a.iter_mut().zip(b.as_chunks::<D>().0).enumerate() {
                multiply_one(lanes, a, b, signed_root(context, simd, i));
            },
            None => for (i, a) in a.iter_mut().enumerate() {
                square_one(lanes, a, signed_root(context, simd, i));
            },
        }
    });
}

/// `out = a[0] b[0] + a[1] b[1]`, polynomial by polynomial as [`multiply`]. At most
/// [`FORWARD`](super::transform::FORWARD) in, [`REDUCED`](super::lanes::REDUCED) out.
pub(super) fn multiply_pairs(
    context: Context<'_>,
    out: &mut [Residues],
    a: [&[Residues]; 2],
    b: [&[Residues]; 2],
    degree: usize,
) {
    of_degrees!(degree, pairs_of_degree(context, out, a, b));
}

fn pairs_of_degree<const D: usize>(
    context: Context<'_>,
    out: &mut [Residues],
    a: [&[Residues]; 2],
    b: [&[Residues]; 2],
) {
    dispatch!(context.level, simd => {
        let lanes = Lanes::new(simd, context.basis);
        let [[a, c], [b, d]] = [a, b].map(|pair| pair.map(|values| values.as_chunks::<D>().0));
        for (i, out) in out.as_chunks_mut::<D>().0.iter_mut().enumerate() {
            let root = signed_root(context, simd, i);
            let mut other = c[i];
            *out = a[i];
            multiply_one(lanes, out, &b[i], root);
            multiply_one(lanes, &mut other, &d[i], root);
            for (out, other) in out.iter_mut().zip(other) {
                out.store(lanes.reduce(out.load(simd) + other.load(simd)));
            }
        }
    });
}

/// The root of the i-th polynomial, `x^d - root`.
#[inline(always)]
fn signed_root<S: Simd>(context: Context<'_>, simd: S, i: usize) -> f64x8<S> {
    context.roots[i / 2].load(simd) * if i.is_multiple_of(2) { 1.0 } else { -1.0 }
}

/// The schoolbook product, its high half folded back by `x^d = root`, column by column.
///
/// In units of p: reduced factors have products of 1/4, reduced to 9/16; d - 1 of them, at most 27/8, times
/// the root, which is 1/2, are reduced to less than 1; with d of them, at most 63/16, that is below 8.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "indices are known where loops are unrolled")]
fn multiply_one<S: Simd, const D: usize>(
    lanes: Lanes<S>,
    a: &mut [Residues; D],
    b: &[Residues; D],
    root: f64x8<S>,
) {
    let zero = f64x8::splat(lanes.simd, 0.0);
    let ([mut x, mut y], mut columns) = ([[zero; D]; 2], [[zero; D]; 2]);
    for i in 0..D {
        (x[i], y[i]) = (lanes.reduce(a[i].load(lanes.simd)), lanes.reduce(b[i].load(lanes.simd)));
    }
    for i in 0..D {
        for j in 0..D {
            let (half, k) = if i + j < D { (0, i + j) } else { (1, i + j - D) };
            columns[half][k] += lanes.mul(x[i], y[j]);
        }
    }
    fold(lanes, a, columns, root);
}

/// [`multiply_one`] of equal factors: products of different coefficients once, with one of them doubled. Such
/// a product is reduced to 5/8, less than two.
#[inline(always)]
fn square_one<S: Simd, const D: usize>(lanes: Lanes<S>, a: &mut [Residues; D], root: f64x8<S>) {
    let zero = f64x8::splat(lanes.simd, 0.0);
    let (mut x, mut columns) = ([zero; D], [[zero; D]; 2]);
    for i in 0..D {
        x[i] = lanes.reduce(a[i].load(lanes.simd));
    }
    for i in 0..D {
        for j in i..D {
            let (half, k) = if i + j < D { (0, i + j) } else { (1, i + j - D) };
            columns[half][k] += lanes.mul(if i == j { x[i] } else { x[i] + x[i] }, x[j]);
        }
    }
    fold(lanes, a, columns, root);
}

/// `a = low + root * high`.
#[inline(always)]
fn fold<S: Simd, const D: usize>(
    lanes: Lanes<S>,
    a: &mut [Residues; D],
    [low, high]: [[f64x8<S>; D]; 2],
    root: f64x8<S>,
) {
    for k in 0..D - 1 {
        a[k].store(lanes.reduce(low[k] + lanes.mul(high[k], root)));
    }
    a[D - 1].store(lanes.reduce(low[D - 1]));
}

#[cfg(test)]
mod tests;
