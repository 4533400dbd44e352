//! The traits of num-traits that a field has.

use num_traits::{CheckedDiv, ConstOne, ConstZero, Inv, MulAdd, MulAddAssign, One, Pow, Zero};

use super::Zmod;
use crate::field::PrimeField;
use crate::modulus::Modulus;

impl<P: Modulus> Zero for Zmod<P> {
    #[inline(always)]
    fn zero() -> Self {
        Self::ZERO
    }

    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.raw.is_zero()
    }
}

impl<P: Modulus> ConstZero for Zmod<P> {
    const ZERO: Self = Self::ZERO;
}

impl<P: Modulus> One for Zmod<P> {
    #[inline(always)]
    fn one() -> Self {
        Self::ONE
    }
}

impl<P: Modulus> ConstOne for Zmod<P> {
    const ONE: Self = Self::ONE;
}

impl<P: Modulus> Inv for Zmod<P> {
    type Output = Option<Self>;

    /// The inverse, or `None` for 0.
    fn inv(self) -> Option<Self> {
        self.inverse()
    }
}

impl<P: Modulus> CheckedDiv for Zmod<P> {
    fn checked_div(&self, rhs: &Self) -> Option<Self> {
        rhs.inverse().map(|inverse| *self * inverse)
    }
}

impl<P: Modulus> MulAdd for Zmod<P> {
    type Output = Self;

    #[inline]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self * factor + addend
    }
}

impl<P: Modulus> MulAddAssign for Zmod<P> {
    #[inline]
    fn mul_add_assign(&mut self, factor: Self, addend: Self) {
        *self = *self * factor + addend;
    }
}

macro_rules! impl_pow {
    ($($exponent:ty)*) => {$(
        impl<P: Modulus> Pow<$exponent> for Zmod<P> {
            type Output = Self;

            /// `self^exponent`, with `0^0 = 1`.
            fn pow(self, exponent: $exponent) -> Self {
                PrimeField::pow(self, exponent.into())
            }
        }
    )*};
}

impl_pow!(u32 u64);
