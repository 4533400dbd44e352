//! The field of p elements, where p is part of the type.

use core::marker::PhantomData;

use num_traits::ConstZero;

use crate::check;
use crate::field::{PrimeField, TwoAdicField};
use crate::modulus::PrimeModulus;
use crate::reduction::{Arithmetic, Reduction};
use crate::shoup::ShoupConstant;
use crate::word::Base;

mod num;
mod operators;
#[cfg(feature = "rand")]
mod rand;
#[cfg(feature = "serde")]
mod serde;
mod standard;

/// An element of the field of p elements, where P determines p and its reduction. It has the size of its
/// word.
///
/// The operators, [`PrimeField`] and [`TwoAdicField`] compute. `/` panics if the divisor is 0. `From` reduces
/// integers mod p; text and serde accept only residues in `0..p`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Zmod<P: PrimeModulus> {
    raw: WordOf<P>,
    prime: PhantomData<P>,
}

/// The word of a prime.
type WordOf<P> = <<P as PrimeModulus>::Reduction as Reduction>::Word;

impl<P: PrimeModulus> Zmod<P> {
    /// A compile error unless P is a prime with a root of order 2^n, and its reduction supports it.
    pub const CHECKED: () = {
        let () = P::CHECKED;
        let _reduction = P::REDUCTION;
    };

    /// 0.
    pub const ZERO: Self = Self::wrap(<WordOf<P> as ConstZero>::ZERO);

    /// 1.
    pub const ONE: Self = {
        let () = Self::CHECKED;
        Self::wrap(P::RAW_ONE)
    };

    /// The reduction of a checked prime.
    const REDUCTION: P::Reduction = {
        let () = Self::CHECKED;
        P::REDUCTION
    };

    /// The element with a raw form below p.
    #[inline(always)]
    const fn wrap(raw: WordOf<P>) -> Self {
        Self { raw, prime: PhantomData }
    }

    /// `value mod p`.
    #[inline]
    #[must_use]
    pub fn new(value: u64) -> Self {
        let value = if value < P::MODULUS { value } else { value % P::MODULUS };
        Self::wrap(Self::REDUCTION.encode(Base::from_word(value)))
    }

    /// This element as a constant factor for [`mul_shoup`](Self::mul_shoup).
    #[inline]
    #[must_use]
    pub fn shoup(self) -> ShoupConstant<WordOf<P>> {
        Self::REDUCTION.shoup(self.raw)
    }

    /// The product with a constant made by [`shoup`](Self::shoup).
    #[inline(always)]
    #[must_use]
    pub fn mul_shoup(self, constant: &ShoupConstant<WordOf<P>>) -> Self {
        Self::wrap(constant.mul(self.raw, Self::REDUCTION.modulus()))
    }
}

macro_rules! forward {
    ($($method:ident)*) => {$(
        #[inline(always)]
        fn $method(self) -> Self {
            Self::wrap(Self::REDUCTION.$method(self.raw))
        }
    )*};
}

impl<P: PrimeModulus> PrimeField for Zmod<P> {
    type Word = WordOf<P>;
    type Reduction = P::Reduction;

    const MODULUS: u64 = P::MODULUS;
    const REDUCTION: P::Reduction = Self::REDUCTION;

    #[inline]
    fn value(self) -> Self::Word {
        Self::REDUCTION.decode(self.raw)
    }

    #[inline(always)]
    fn raw(self) -> Self::Word {
        self.raw
    }

    #[inline(always)]
    fn from_raw(raw: Self::Word) -> Self {
        let p = Self::REDUCTION.modulus();
        Self::wrap(if raw < p { raw } else { raw % p })
    }

    forward!(double halve square);

    fn pow(self, exponent: u64) -> Self {
        Self::wrap(Self::REDUCTION.pow(self.raw, exponent))
    }

    fn inverse(self) -> Option<Self> {
        Self::REDUCTION.inverse(self.raw).map(Self::wrap)
    }

    fn batch_inverse(elements: &mut [Self]) {
        Self::REDUCTION.batch_inverse(elements, |element| &mut element.raw);
    }

    fn sqrt(self) -> Option<Self> {
        Self::REDUCTION.sqrt(self.raw, Self::root().raw).map(Self::wrap)
    }

    fn quadratic_character(self) -> i8 {
        Self::REDUCTION.quadratic_character(self.raw)
    }
}

impl<P: PrimeModulus> TwoAdicField for Zmod<P> {
    const K: u64 = P::K;
    const ADICITY: u32 = P::ADICITY;

    fn root() -> Self {
        Self::new(P::ROOT)
    }

    fn root_of_unity(order: u64) -> Option<Self> {
        check::root_of_unity(P::MODULUS, P::ROOT, order).map(Self::new)
    }
}
