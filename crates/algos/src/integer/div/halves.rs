//! Long quotients without remainders, in halves: each product is known but for a part of its words.
//!
//! The upper half h of a quotient of k words comes from the upper words of the dividend u and the divisor v. What
//! they leave, `u - h v`, is as long as v, because the upper words of `h v` are those of u. So it follows from a
//! product modulo `B^N - 1` for N = k + 3, one of half the points. The lower half is the quotient of what is left.
//! `docs/div.md` bounds the error.

use core::cmp::Ordering;

use limbforge_limb::slice::mul::Factors;
use limbforge_limb::slice::{add, cmp, div::normalised, shift, sub};

use crate::integer::products::Product;
use crate::transform::mul_ntt::{self, Residues, wrapped::Wrapped, wrapped::is_negative};

/// Words of a quotient, with or without its remainder, from which it is computed in halves, with AVX-512 and with
/// shorter vectors. Measured.
const FROM: (usize, usize) = (288, 400);

/// Words from which a half is computed in halves. Those of a level share the transform of the divisor.
const HALF_FROM: (usize, usize) = (200, 250);

/// The words of a quotient from which this machine computes it in halves.
pub(in crate::integer) fn from() -> usize {
    of_machine(FROM)
}

fn of_machine((long, short): (usize, usize)) -> usize {
    match (mul_ntt::is_fast(), mul_ntt::has_long_vectors()) {
        (false, _) => usize::MAX,
        (true, true) => long,
        (true, false) => short,
    }
}

/// Units by which a quotient may be off, up or down.
pub(in crate::integer) const ERROR: u64 = 2;

/// A quotient of k words that is less than [`ERROR`] from `B^k U / V`, for fractions `U < V`, `1/2 <= V < 1`. These
/// have the words of u and v below their points, and zeros below. Returns false and finds nothing if k has too many
/// words.
pub(in crate::integer) fn estimate(q: &mut [u64], u: &[u64], v: &[u64], product: &mut Product) -> bool {
    let k = q.len();
    let Some(mut halves) = Halves::new(k, v, product) else { return false };
    let mut dividend = vec![0; k + 2];
    top(&mut dividend, u);
    halves.quotient(q, &mut dividend, 0);
    true
}

/// The upper `len` words of u and v, or all, so that v has its top bit set: of u with a word above it.
pub(super) fn shifted(u: &[u64], v: &[u64], len: usize) -> [Vec<u64>; 2] {
    let bits = v.last().map_or(0, |top| top.leading_zeros());
    let upper = |a: &'_ [u64]| a.len().saturating_sub(len);
    let (u, v) = (&u[upper(u)..], &v[upper(v)..]);
    let (mut dividend, mut divisor) = (vec![0; u.len() + 1], vec![0; v.len()]);
    dividend[u.len()] = shift::shl_bits(&mut dividend[..u.len()], u, bits);
    shift::shl_bits(&mut divisor, v, bits);
    [dividend, divisor]
}

/// The upper words of a, with zeros below.
fn top(out: &mut [u64], a: &[u64]) {
    let kept = a.len().min(out.len());
    let (zeros, words) = out.split_at_mut(out.len() - kept);
    zeros.fill(0);
    words.copy_from_slice(&a[a.len() - kept..]);
}

/// The upper words of the divisor, transformed for all quotients of a level.
struct Level {
    words: usize,
    wrapped: Wrapped,
    divisor: Box<[Residues]>,
}

struct Halves<'p> {
    product: &'p mut Product,
    divisor: Vec<u64>,
    levels: Vec<Level>,
    room: Vec<u64>,
}

impl<'p> Halves<'p> {
    /// For quotients of k words: those of a level have one length, or one word less.
    fn new(k: usize, v: &[u64], product: &'p mut Product) -> Option<Self> {
        let mut divisor = vec![0; k + 1];
        top(&mut divisor, v);
        let (mut levels, mut len) = (vec![], k);
        while len >= of_machine(HALF_FROM) {
            let words = len + 1;
            let wrapped = Wrapped::of_words(words + 2)?;
            let upper = &divisor[k + 1 - words..];
            levels.push(Level { words, wrapped, divisor: wrapped.transformed(upper, product.transforms()) });
            len = len.div_ceil(2);
        }
        Some(Self { product, divisor, levels, room: vec![0; normalised::room(len + 1)] })
    }

    /// The quotient of k words by k + 2 of the dividend, which are overwritten.
    fn quotient(&mut self, q: &mut [u64], u: &mut [u64], depth: usize) {
        let k = q.len();
        let Some(level) = self.levels.get(depth) else {
            let v = &self.divisor[self.divisor.len() - k - 1..];
            normalised::estimate(q, u, v, &mut self.room);
            return;
        };
        let (words, n) = (level.words, level.wrapped.len());
        let (low, high) = q.split_at_mut(k / 2);
        let (l, h) = (low.len(), high.len());
        let mut left = vec![0; n];
        top(&mut left[..h + 2], u);
        self.quotient(high, &mut left[..h + 2], depth + 1);
        // u - high v in units of B^-words, where u is shifted around.
        let (rest, multiple) = (&mut left, &mut vec![0; n]);
        rest.fill(0);
        rest[..k + 2].copy_from_slice(u);
        rest.rotate_right(h + words - (k + 2));
        let level = &self.levels[depth];
        level.wrapped.product_by(multiple, high, &level.divisor, self.product.transforms());
        level.wrapped.difference(rest, multiple);
        let v = &self.divisor[self.divisor.len() - words..];
        while is_negative(rest) {
            sub::decrement(high, true);
            add::add_assign(rest, v, false);
        }
        while !is_below(rest, v) {
            if high.iter().all(|&word| word == u64::MAX) {
                return low.fill(u64::MAX);
            }
            add::increment(high, true);
            sub::sub_assign(rest, v, false);
        }
        self.quotient(low, &mut rest[words - (l + 2)..words], depth + 1);
    }
}

/// a < v, for a that is longer and not negative.
fn is_below(a: &[u64], v: &[u64]) -> bool {
    let (low, above) = a.split_at(v.len());
    cmp::is_zero(above) && cmp::cmp(low, v) == Ordering::Less
}

/// `rest = u - q v` for n words of rest and v, by a quotient that is off by a few at most, and corrected. Returns
/// false and finds nothing if v has too many words.
pub(in crate::integer) fn remainder(
    q: &mut [u64],
    rest: &mut [u64],
    u: &[u64],
    v: &[u64],
    product: &mut Product,
) -> bool {
    let Some(wrapped) = Wrapped::of_words(q.len().max(v.len() + 2)) else { return false };
    let (mut left, mut multiple) = (vec![0; wrapped.len()], vec![0; wrapped.len()]);
    wrapped.fold(&mut left, u);
    wrapped.product(&mut multiple, Factors::Pair(q, v), product.transforms());
    wrapped.difference(&mut left, &multiple);
    while is_negative(&left) {
        sub::decrement(q, true);
        add::add_assign(&mut left, v, false);
    }
    while !is_below(&left, v) {
        add::increment(q, true);
        sub::sub_assign(&mut left, v, false);
    }
    rest.copy_from_slice(&left[..rest.len()]);
    true
}

#[cfg(test)]
mod tests;
