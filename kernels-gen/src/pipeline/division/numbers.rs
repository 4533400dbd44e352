//! What passes from one launch of a division to the next.

use crate::pipeline::Source;

/// A number between kernels: where it is, and its words in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    pub(super) source: Source,
    pub(super) words: u32,
}

/// A factor of a part's product: all of its words, and the h lower ones where a product takes them (else the
/// same again).
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) whole: Words,
    pub(super) lower: Words,
}

/// The dividend of a block of the quotient: its H + 1 upper words, and the factor of the upper part's
/// product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dividend {
    pub(super) top: Words,
    pub(super) part: Words,
}

impl Operand {
    /// From one plane, or two.
    pub(super) fn of(planes: &[Words]) -> Self {
        Self { whole: planes[0], lower: planes[planes.len() - 1] }
    }
}

/// A part of a sum: words of a number, perhaps times a word of another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub(super) number: Words,
    pub(super) from: u32,
    pub(super) count: u32,
    pub(super) place: u32,
    pub(super) negative: bool,
    pub(super) factor: Option<(Words, u32)>,
}

impl Term {
    /// The `count` lowest words, added at `place`.
    pub(super) const fn low(number: Words, count: u32, place: u32) -> Self {
        Self { number, from: 0, count, place, negative: false, factor: None }
    }

    /// `count` words from this one on, added at 0.
    pub(super) const fn high(number: Words, from: u32, count: u32) -> Self {
        Self { from, ..Self::low(number, count, 0) }
    }

    pub(super) const fn times(self, factor: Words, word: u32) -> Self {
        Self { factor: Some((factor, word)), ..self }
    }

    pub(super) const fn subtracted(self) -> Self {
        Self { negative: true, ..self }
    }

    /// All numbers that it is made of.
    pub(super) fn numbers(&self) -> impl Iterator<Item = Words> {
        [Some(self.number), self.factor.map(|(factor, _)| factor)].into_iter().flatten()
    }
}
