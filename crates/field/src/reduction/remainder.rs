//! Reduction by `%`.

use super::Reduction;
use crate::word::Word;

/// Reduction by `%` for any p, the reference in the tests of the others. Raw form: the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remainder<W> {
    p: W,
}

impl<W: Word> Remainder<W> {
    /// The reduction modulo `p`, which must be odd and at least 3.
    #[must_use]
    pub const fn new(p: W) -> Self {
        Self { p }
    }

    /// The raw form of 1, in constant expressions.
    #[must_use]
    pub const fn raw_one(&self) -> W {
        W::ONE
    }
}

impl<W: Word> Reduction for Remainder<W> {
    type Word = W;

    #[inline(always)]
    fn modulus(&self) -> W {
        self.p
    }

    #[inline(always)]
    fn one(&self) -> W {
        W::ONE
    }

    #[inline]
    fn encode(&self, value: W) -> W {
        value % self.p
    }

    #[inline(always)]
    fn decode(&self, raw: W) -> W {
        raw
    }

    #[inline]
    fn mul(&self, a: W, b: W) -> W {
        a.mul_rem(b, self.p)
    }
}
