//! Products modulo `B^N - 1`: a transform of N words gives what one of twice as many would give, if the upper words
//! of a product are known.

use limbforge_limb::slice::mul::Factors;
use limbforge_limb::slice::{add, sub};

use super::basis::{BASIS, Residues, roots};
use super::digits::{DIGIT_WORDS, MAX_PRODUCTS, Shape, load};
use super::product::{multiply, room, transformed};
use super::recombination::store_cyclic;
use super::transform::{Context, transform};
use super::{Scratch, level::level};

/// A modulus `B^N - 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wrapped {
    shape: Shape,
}

impl Wrapped {
    /// The shortest of at least so many words; `None` if no transform is long enough.
    pub(crate) fn of_words(words: usize) -> Option<Self> {
        let digits = words.div_ceil(DIGIT_WORDS).max(Shape::LEAST_HALVES);
        let shape = Shape::with_coefficients(8, digits)?;
        (shape.points() <= MAX_PRODUCTS).then_some(Self { shape })
    }

    /// N.
    pub(crate) const fn len(self) -> usize {
        DIGIT_WORDS * self.shape.points()
    }

    fn context(self) -> Context<'static> {
        Context { level: level(), basis: &BASIS, roots: roots(self.shape.depth) }
    }

    /// The transform of a number of at most N words.
    pub(crate) fn transformed(self, words: &[u64], scratch: &mut Scratch) -> Box<[Residues]> {
        let [x, _] = &mut scratch.values;
        (&*transformed(self.context(), words, x, self.shape)).into()
    }

    /// `out = product of the factors mod B^N - 1`, of N words, for factors of at most N.
    pub(crate) fn product(self, out: &mut [u64], factors: Factors<'_, u64>, scratch: &mut Scratch) {
        let [x, y] = &mut scratch.values;
        let (Factors::Pair(a, _) | Factors::Square(a)) = factors;
        let x = transformed(self.context(), a, x, self.shape);
        let y = match factors {
            Factors::Pair(_, b) => Some(&*transformed(self.context(), b, y, self.shape)),
            Factors::Square(_) => None,
        };
        multiply(self.context(), x, y, self.shape.degree);
        transform::<true>(self.context(), x, self.shape.depth);
        store_cyclic(self.context(), out, x, self.shape, &mut scratch.sums);
    }

    /// [`product`](Self::product) by a factor that is transformed.
    pub(crate) fn product_by(self, out: &mut [u64], a: &[u64], b: &[Residues], scratch: &mut Scratch) {
        let x = room(&mut scratch.values[0], self.shape);
        load(self.context(), x, a, self.shape);
        transform::<false>(self.context(), x, self.shape.depth);
        multiply(self.context(), x, Some(b), self.shape.degree);
        transform::<true>(self.context(), x, self.shape.depth);
        store_cyclic(self.context(), out, x, self.shape, &mut scratch.sums);
    }

    /// `out = a mod B^N - 1`, of any length.
    pub(crate) fn fold(self, out: &mut [u64], a: &[u64]) {
        out.fill(0);
        for words in a.chunks(self.len()) {
            let again = add::add_assign(out, words, false);
            add::increment(out, again);
        }
    }

    /// The number of least magnitude that is congruent to `a - b`, as a two's complement.
    pub(crate) fn difference(self, a: &mut [u64], b: &[u64]) {
        let again = sub::sub_assign(a, b, false);
        sub::decrement(a, again);
        // Above the half, B^N - 1 less.
        add::increment(a, is_negative(a));
    }
}

/// The sign of a two's complement.
pub(crate) fn is_negative(a: &[u64]) -> bool {
    a.last().is_some_and(|&top| top >> 63 == 1)
}

#[cfg(test)]
mod tests;
