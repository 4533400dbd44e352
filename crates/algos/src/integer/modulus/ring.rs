//! Arithmetic of residues in words.

use core::mem;

use limbforge_limb::DivisionByZero;
use limbforge_limb::slice::{bits, cmp, div::LimbDivisor, mul::Factors, mul::rows, sub};

use super::constants::{Reduction, Ring};
use crate::integer::montgomery::{fused_mul, negated_inverse, reduce, reduce_by_products, reduce_by_rows};
use crate::integer::{Scratch, barrett, div::divide, modinv2k, products::Schoolbook};
use crate::{invariant::broken_invariant, transform::mul_ntt};

/// Below so many words, the half products of Barrett's reduction are faster by rows.
const HALVES_BY_ROWS_BELOW: usize = 100;

/// From so many words on, Montgomery's reduction by products is faster than word by word, if transforms are.
/// Measured: the same time at 128 words, a fifth at 512.
const BY_PRODUCTS: usize = 136;

/// As [`BY_PRODUCTS`], compared with the reduction by fast rows.
const BY_PRODUCTS_AFTER_ROWS: usize = 200;

/// From so many words on, a product and a reduction by fast rows are faster than both at once. Measured.
const BY_FAST_ROWS: usize = 12;

/// Words of `-1/m` that Montgomery's reduction of a modulus of n words takes.
fn inverse_words(n: usize) -> usize {
    let by_products = if rows::are_fast() { BY_PRODUCTS_AFTER_ROWS } else { BY_PRODUCTS };
    if n >= by_products && mul_ntt::is_fast() {
        n
    } else if n >= BY_FAST_ROWS && rows::are_fast() {
        n.min(rows::MOST)
    } else {
        0
    }
}

impl Ring {
    /// The residues modulo any number, in words: Barrett's reduction.
    pub(crate) fn barrett(modulus: &[u64], scratch: &mut Scratch) -> Result<Self, DivisionByZero> {
        let modulus = bits::significant(modulus);
        let reciprocal = barrett::reciprocal(modulus, scratch)?;
        let word = if let [word] = *modulus { Some(LimbDivisor::new(word)?) } else { None };
        let one = small(u64::from(modulus != [1]), modulus.len());
        Ok(Self { modulus: modulus.to_vec(), one, reduction: Reduction::Barrett { reciprocal, word } })
    }

    /// The residues modulo an odd number, in words: Montgomery's reduction. `None` if it is even.
    pub(crate) fn montgomery(modulus: &[u64], scratch: &mut Scratch) -> Option<Self> {
        let (m, n) = (bits::significant(modulus), bits::significant(modulus).len());
        if !bits::bit(m, 0) {
            return None;
        }
        let mut negated_long = vec![0; inverse_words(n)];
        modinv2k::lift(&mut negated_long, &m[..inverse_words(n)], scratch)
            .unwrap_or_else(|_| broken_invariant("the modulus is odd"));
        sub::neg_assign(&mut negated_long);
        let mut power = vec![0; 2 * n + 1];
        power[2 * n] = 1;
        let square = divide(&power, m, scratch).1;
        let reduction = Reduction::Montgomery { negated: negated_inverse(m[0]), square, negated_long };
        let mut ring = Self { modulus: m.to_vec(), one: small(1, n), reduction };
        ring.one = ring.enter(&ring.one, scratch);
        Some(ring)
    }

    /// `out = product of the residues`.
    pub(crate) fn mul(&self, out: &mut [u64], factors: Factors<'_, u64>, scratch: &mut Scratch) {
        let (a, b) = match factors {
            Factors::Pair(a, b) => (a, b),
            Factors::Square(a) => (a, a),
        };
        if let Reduction::Montgomery { negated, negated_long, .. } = &self.reduction
            && negated_long.is_empty()
            && fused_mul(out, a, b, &self.modulus, *negated)
        {
            return;
        }
        let mut wide = mem::take(&mut scratch.wide);
        scratch.product.words(&mut wide, factors);
        match &self.reduction {
            Reduction::Barrett { .. } => self.reduce(out, &wide, scratch),
            Reduction::Montgomery { negated, negated_long, .. } if negated_long.is_empty() => {
                reduce(out, &mut wide, &self.modulus, *negated);
            }
            Reduction::Montgomery { negated_long, .. }
                if negated_long.len() < self.modulus.len() || negated_long.len() <= rows::MOST =>
            {
                reduce_by_rows(out, &mut wide, &self.modulus, negated_long);
            }
            Reduction::Montgomery { negated_long, .. } => {
                reduce_by_products(out, &mut wide, &self.modulus, negated_long, scratch);
            }
        }
        scratch.wide = wide;
    }

    /// `out = x mod m`, for x of at most twice the words of m, by Barrett's reduction.
    fn reduce(&self, out: &mut [u64], x: &[u64], scratch: &mut Scratch) {
        let Reduction::Barrett { reciprocal, word } = &self.reduction else {
            broken_invariant("the modulus has a reciprocal")
        };
        if let Some(word) = word {
            return out[0] = word.rem(x);
        }
        let (m, mut room) = (&self.modulus, mem::take(&mut scratch.room));
        if m.len() < HALVES_BY_ROWS_BELOW {
            barrett::reduce(out, x, m, reciprocal, &mut room, &mut Schoolbook);
        } else {
            barrett::reduce(out, x, m, reciprocal, &mut room, scratch);
        }
        scratch.room = room;
    }

    /// `a * b`.
    pub(crate) fn product(&self, a: &[u64], b: &[u64], scratch: &mut Scratch) -> Vec<u64> {
        let mut out = vec![0; a.len()];
        self.mul(&mut out, Factors::Pair(a, b), scratch);
        out
    }

    /// `a = a * b`, or `a * a` without b, by way of `room`.
    pub(crate) fn mul_assign(
        &self,
        a: &mut Vec<u64>,
        b: Option<&[u64]>,
        room: &mut Vec<u64>,
        scratch: &mut Scratch,
    ) {
        room.resize(a.len(), 0);
        self.mul(room, b.map_or(Factors::Square(a), |b| Factors::Pair(a, b)), scratch);
        mem::swap(a, room);
    }

    /// The residue of a number of any length.
    pub(crate) fn enter(&self, x: &[u64], scratch: &mut Scratch) -> Vec<u64> {
        let (n, x) = (self.modulus.len(), bits::significant(x));
        let mut rest = vec![0; n];
        if x.len() <= n {
            rest[..x.len()].copy_from_slice(x);
        }
        let is_residue = x.len() <= n && cmp::cmp(&rest, &self.modulus).is_lt();
        match &self.reduction {
            Reduction::Montgomery { square, .. } => {
                if !is_residue {
                    rest = divide(x, &self.modulus, scratch).1;
                }
                return self.product(&rest, square, scratch);
            }
            Reduction::Barrett { word: Some(word), .. } if !is_residue => rest[0] = word.rem(x),
            Reduction::Barrett { .. } if !is_residue => {
                // Blocks as long as the modulus, from the top.
                rest.fill(0);
                let mut block = vec![0; 2 * n];
                for part in x.chunks(n).rev() {
                    block[..n].fill(0);
                    block[..part.len()].copy_from_slice(part);
                    block[n..].copy_from_slice(&rest);
                    self.reduce(&mut rest, &block, scratch);
                }
            }
            Reduction::Barrett { .. } => {}
        }
        rest
    }

    /// The number of a residue.
    pub(crate) fn leave(&self, a: &[u64], scratch: &mut Scratch) -> Vec<u64> {
        match self.reduction {
            Reduction::Barrett { .. } => a.to_vec(),
            Reduction::Montgomery { .. } => self.product(a, &small(1, a.len()), scratch),
        }
    }
}

/// A word as n words.
fn small(word: u64, n: usize) -> Vec<u64> {
    let mut words = vec![0; n];
    words[0] = word;
    words
}
