//! Montgomery's reduction by transforms of which those of its constants are kept.
//!
//! With `T = a b + q m`, a multiple of `B^n`, the result is `t = T / B^n`. It is below 2m, and so it is known
//! from its residue modulo `Q = B^3L - 1`, the integer of a cyclic convolution of L digits, if 2m is below Q.
//! There a division by `B^n` rotates the words. So of `q m` only a transform of L points is needed, half of
//! those of the low product `q = a b (-1/m) mod B^n`, and of `a b` the first half of its transform, which is
//! that modulo `x^L - 1`: added before the inverse transform. Of `a b` only the low half is computed.
//!
//! A product takes transforms of 2L points there and back for each of `a b` and q, and of L points for T.

use limbforge_limb::slice::mul::Factors;

use super::basis::{BASIS, Residues, roots};
use super::digits::{DIGIT_WORDS, MAX_PRODUCTS, Shape, load};
use super::lanes::add_reduced;
use super::product::{multiply, room, transformed};
use super::recombination::{Sums, store, store_cyclic};
use super::transform::{Context, transform};
use super::{Scratch, level::level};
use crate::invariant::broken_invariant;

/// An odd modulus m of n words and `-1/m mod B^n`, transformed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reduction {
    words: usize,
    /// Of 2L points.
    shape: Shape,
    /// The modulus, of L points.
    modulus: Box<[Residues]>,
    /// `-1/m`, of 2L points.
    negated: Box<[Residues]>,
}

// The values are numbers.
impl Eq for Reduction {}

impl Reduction {
    /// Transforms the constants, n words each; `None` if n is 0 or if they have more than three million bits.
    ///
    /// # Panics
    /// If their lengths differ.
    pub(crate) fn new(modulus: &[u64], negated: &[u64], scratch: &mut Scratch) -> Option<Self> {
        assert_eq!(modulus.len(), negated.len(), "constants of one length");
        let words = modulus.len();
        // One bit more than the words have. A coefficient of T is the sum of two products'.
        let digits = words / DIGIT_WORDS + 1;
        let shape = Shape::with_coefficients(8, (2 * digits).max(Shape::LEAST_HALVES));
        let shape = shape.filter(|_| words > 0 && 2 * digits <= MAX_PRODUCTS)?;
        let (context, half) = (Self::context(shape), shape.half());
        let [x, y] = &mut scratch.values;
        let (modulus, negated) =
            (&*transformed(context, modulus, x, half), &*transformed(context, negated, y, shape));
        Some(Self { words, shape, modulus: modulus.into(), negated: negated.into() })
    }

    fn context(shape: Shape) -> Context<'static> {
        Context { level: level(), basis: &BASIS, roots: roots(shape.depth) }
    }

    /// `t < 2m`, of n + 1 words, with `t B^n = a b mod m`, for factors of n words whose product is below
    /// `m B^n`.
    ///
    /// # Panics
    /// Unless the factors have n words.
    pub(crate) fn product<'s>(&self, factors: Factors<'_, u64>, scratch: &'s mut Scratch) -> &'s [u64] {
        assert_eq!(factors.len(), self.words, "factors as long as the modulus");
        let (context, shape) = (Self::context(self.shape), self.shape);
        let Scratch { values: [x, y], sums, product: words, .. } = scratch;
        let y = room(y, shape);
        let x = match factors {
            Factors::Square(a) => {
                let x = transformed(context, a, x, shape);
                multiply(context, x, None, shape.degree);
                x
            }
            Factors::Pair(a, b) => {
                let x = transformed(context, a, x, shape);
                load(context, y, b, shape);
                transform::<false>(context, y, shape.depth);
                multiply(context, x, Some(y), shape.degree);
                x
            }
        };
        let y = &mut y[..shape.half().points()];
        y.copy_from_slice(&x[..y.len()]);
        words.resize(DIGIT_WORDS * y.len(), 0);
        let low = &mut words[..self.words];
        transform::<true>(context, x, shape.depth);
        store(context, low, &x[..shape.digits(self.words)], shape, sums);
        self.multiply_low(low, x, sums);
        self.add_multiple(words, x, y, sums);
        self.divided(words)
    }

    /// `low = low * (-1/m) mod B^n`. `x` is room for 2L values.
    fn multiply_low(&self, low: &mut [u64], x: &mut [Residues], sums: &mut Sums) {
        let (context, shape) = (Self::context(self.shape), self.shape);
        load(context, x, low, shape);
        transform::<false>(context, x, shape.depth);
        multiply(context, x, Some(&self.negated), shape.degree);
        transform::<true>(context, x, shape.depth);
        store(context, low, &x[..shape.digits(self.words)], shape, sums);
    }

    /// `words = q m + a b mod Q` for q in the low n words, and the transform `y` of `a b`. `x` is room.
    fn add_multiple(&self, words: &mut [u64], x: &mut [Residues], y: &[Residues], sums: &mut Sums) {
        let (context, shape) = (Self::context(self.shape), self.shape.half());
        let x = &mut x[..shape.points()];
        load(context, x, &words[..self.words], shape);
        transform::<false>(context, x, shape.depth);
        multiply(context, x, Some(&self.modulus), shape.degree);
        add_reduced(context.level, context.basis, x, y);
        transform::<true>(context, x, shape.depth);
        store_cyclic(context, words, x, shape, sums);
    }

    /// `T / B^n` of T modulo Q.
    fn divided<'s>(&self, words: &'s mut [u64]) -> &'s [u64] {
        words.rotate_left(self.words);
        let (found, above) = words.split_at(self.words + 1);
        if found[self.words] > 1 || above.iter().any(|&word| word != 0) {
            broken_invariant("a reduced number is below 2m");
        }
        found
    }
}

#[cfg(test)]
mod tests;
