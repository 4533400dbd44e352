//! The product of machine words: one transform, or several where none is long enough.

use fearless_simd::{Level, Simd, dispatch};
use limbforge_limb::slice::mul::Factors;
use limbforge_limb::slice::{add, bits};

use super::basis::{BASIS, Residues, roots};
use super::digits::{Shape, load};
use super::lanes::Lanes;
use super::transform::{Context, transform};
use super::{Scratch, recombination};

/// Largest degree d of the polynomials.
const MAX_DEGREE: usize = 7;

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

fn transformed<'r>(
    context: Context<'_>,
    words: &[u64],
    room: &'r mut Vec<Residues>,
    shape: Shape,
) -> &'r mut [Residues] {
    if room.len() < shape.points() {
        room.resize(shape.points(), Residues::ZERO);
    }
    let values = &mut room[..shape.points()];
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

/// `a = a * b mod x^d -+ r`, or `a = a * a` without b, for each polynomial of `degree` coefficients that the
/// transform ends with. At most [`FORWARD`](super::transform::FORWARD) in,
/// [`REDUCED`](super::lanes::REDUCED) out.
fn multiply(context: Context<'_>, a: &mut [Residues], b: Option<&[Residues]>, degree: usize) {
    dispatch!(context.level, simd => {
        let lanes = Lanes::new(simd, context.basis);
        for (i, a) in a.chunks_exact_mut(degree).enumerate() {
            let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
            let root = &context.roots[i / 2];
            multiply_one(lanes, a, b.map(|b| &b[i * degree..][..degree]), root, sign);
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
    dispatch!(context.level, simd => {
        let lanes = Lanes::new(simd, context.basis);
        for (i, out) in out.chunks_exact_mut(degree).enumerate() {
            let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
            let root = &context.roots[i / 2];
            let at = i * degree..(i + 1) * degree;
            let mut other = [Residues::ZERO; MAX_DEGREE];
            let other = &mut other[..degree];
            out.copy_from_slice(&a[0][at.clone()]);
            other.copy_from_slice(&a[1][at.clone()]);
            multiply_one(lanes, out, Some(&b[0][at.clone()]), root, sign);
            multiply_one(lanes, other, Some(&b[1][at]), root, sign);
            for (out, other) in out.iter_mut().zip(other) {
                out.store(lanes.reduce(out.load(simd) + other.load(simd)));
            }
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

#[cfg(test)]
mod tests;
