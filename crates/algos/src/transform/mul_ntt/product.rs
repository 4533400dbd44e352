//! The product of machine words: one transform, or several where none is long enough.

use fearless_simd::Level;
use limbforge_limb::slice::mul::Factors;
use limbforge_limb::slice::{add, bits};

use super::basis::{BASIS, roots};
use super::length::Shape;
use super::transform::{Context, forward, inverse};
use super::{Residues, Scratch, convolution, digits, recombination};

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
    convolution::multiply(context, x, y, shape.degree);
    inverse(context, x, shape.depth);
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
    digits::load(context, values, words, shape);
    forward(context, values, shape.depth);
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

#[cfg(test)]
mod tests;
