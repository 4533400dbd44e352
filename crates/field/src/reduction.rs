//! Modular reductions.
//!
//! A reduction is a small value computed from the prime. [`Zmod`](crate::Zmod) stores it as a constant of the
//! type, which the compiler folds into the code; [`DynField`](crate::DynField) stores it at run time. Both
//! run the same code.
//!
//! A residue is stored in *raw* form, a word below p: the value itself, or for Montgomery the value times
//! 2^BITS mod p. Raw forms are unique, and their sums are the raw forms of sums.

use core::fmt::Debug;
use core::hint::select_unpredictable;

use crate::shoup::ShoupConstant;
use crate::word::{Base, Word, has_spare_bit};

mod arithmetic;
mod goldilocks;
mod montgomery;

pub use arithmetic::Arithmetic;
pub use goldilocks::Goldilocks;
pub use montgomery::{Montgomery, Proth};

/// Arithmetic modulo an odd prime p on raw words. Operands and results are below p unless stated otherwise.
/// By default the raw form is the value.
///
/// [`Arithmetic`] adds powers, inverses and roots to every reduction.
pub trait Reduction: Copy + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// The word that stores a residue.
    type Word: Word;

    /// The prime p.
    fn modulus(&self) -> Self::Word;

    /// The raw form of 1.
    #[inline(always)]
    fn one(&self) -> Self::Word {
        num_traits::one()
    }

    /// The raw form of `value mod p`, for any word.
    #[inline]
    fn encode(&self, value: Self::Word) -> Self::Word {
        value % self.modulus()
    }

    /// The residue in `0..p` whose raw form is `raw`.
    #[inline(always)]
    fn decode(&self, raw: Self::Word) -> Self::Word {
        raw
    }

    /// The product.
    fn mul(&self, a: Self::Word, b: Self::Word) -> Self::Word;

    /// The product, below `min(2p, 2^BITS)`. The operands may be any words with `a * b < p * 2^BITS`; if
    /// `4p <= 2^BITS`, both may be lazy products.
    #[inline(always)]
    fn mul_lazy(&self, a: Self::Word, b: Self::Word) -> Self::Word {
        self.mul(a, b)
    }

    /// The square.
    #[inline(always)]
    fn square(&self, a: Self::Word) -> Self::Word {
        self.mul(a, a)
    }

    /// Reduces a lazy word below 2p to a word below p.
    #[inline(always)]
    fn reduce_2p(&self, a: Self::Word) -> Self::Word {
        a.reduce_once(self.modulus())
    }

    /// The sum.
    // With a spare bit, a 32-bit sum or difference needs a minimum, one vector instruction. Elsewhere the
    // borrow is faster and needs no spare bit.
    #[inline(always)]
    fn add(&self, a: Self::Word, b: Self::Word) -> Self::Word {
        if Self::Word::BITS == 32 && has_spare_bit(self.modulus()) {
            self.reduce_2p(a.wrapping_add(b))
        } else {
            self.sub(a, self.modulus().wrapping_sub(b))
        }
    }

    /// The difference; the subtrahend may be p.
    #[inline(always)]
    fn sub(&self, a: Self::Word, b: Self::Word) -> Self::Word {
        let (difference, borrow) = a.borrowing_sub(b, false);
        if Self::Word::BITS == 32 && has_spare_bit(self.modulus()) {
            difference.min(difference.wrapping_add(self.modulus()))
        } else {
            // No branch: a borrow is as likely as not.
            select_unpredictable(borrow, difference.wrapping_add(self.modulus()), difference)
        }
    }

    /// The negative.
    #[inline(always)]
    fn neg(&self, a: Self::Word) -> Self::Word {
        self.sub(num_traits::zero(), a)
    }

    /// Twice `a`.
    #[inline(always)]
    fn double(&self, a: Self::Word) -> Self::Word {
        self.add(a, a)
    }

    /// The residue whose double is `a`.
    #[inline]
    fn halve(&self, a: Self::Word) -> Self::Word {
        // For odd a, (a + p) / 2 = floor(a/2) + floor(p/2) + 1, which does not overflow.
        let half = a >> 1;
        let one = num_traits::one();
        if a & one == one { half + (self.modulus() >> 1) + one } else { half }
    }

    /// A constant factor, given in raw form, prepared for [`ShoupConstant::mul`].
    #[inline]
    fn shoup(&self, constant: Self::Word) -> ShoupConstant<Self::Word> {
        ShoupConstant::new(self.decode(constant), self.modulus())
    }
}

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
}

impl<W: Word> Reduction for Remainder<W> {
    type Word = W;

    #[inline(always)]
    fn modulus(&self) -> W {
        self.p
    }

    #[inline]
    fn mul(&self, a: W, b: W) -> W {
        a.mul_rem(b, self.p)
    }
}
