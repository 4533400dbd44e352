//! The traits of num-traits.

use num_traits::{CheckedDiv, ConstOne, ConstZero, Inv, MulAdd, MulAddAssign, One, Pow, Zero};

use super::Zmod;
use crate::field::PrimeField;
use crate::modulus::PrimeModulus;

impl<P: PrimeModulus> Zero for Zmod<P> {
    #[inline(always)]
    fn zero() -> Self {
        Self::ZERO
    }

    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.raw.is_zero()
    }
}

impl<P: PrimeModulus> ConstZero for Zmod<P> {
    const ZERO: Self = Self::ZERO;
}

impl<P: PrimeModulus> One for Zmod<P> {
    #[inline(always)]
    fn one() -> Self {
        Self::ONE
    }
}

impl<P: PrimeModulus> ConstOne for Zmod<P> {
    const ONE: Self = Self::ONE;
}

impl<P: PrimeModulus> Inv for Zmod<P> {
    type Output = Option<Self>;

    /// The inverse, or `None` for 0.
    fn inv(self) -> Option<Self> {
        self.inverse()
    }
}

impl<P: PrimeModulus> CheckedDiv for Zmod<P> {
    fn checked_div(&self, rhs: &Self) -> Option<Self> {
        rhs.inverse().map(|inverse| *self * inverse)
    }
}

impl<P: PrimeModulus> MulAdd for Zmod<P> {
    type Output = Self;

    #[inline]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self * factor + addend
    }
}

impl<P: PrimeModulus> MulAddAssign for Zmod<P> {
    #[inline]
    fn mul_add_assign(&mut self, factor: Self, addend: Self) {
        *self = *self * factor + addend;
    }
}

macro_rules! impl_pow {
    ($($exponent:ty)*) => {$(
        impl<P: PrimeModulus> Pow<$exponent> for Zmod<P> {
            type Output = Self;

            /// `self^exponent`, with `0^0 = 1`.
            fn pow(self, exponent: $exponent) -> Self {
                PrimeField::pow(self, exponent.into())
            }
        }
    )*};
}

impl_pow!(u32 u64);
