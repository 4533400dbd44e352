//! The operators, by value and by reference.

use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::Zmod;
use crate::field::PrimeField;
use crate::modulus::PrimeModulus;
use crate::reduction::Reduction;

macro_rules! binary {
    ($($(#[$doc:meta])* $Op:ident $op:ident, $Assign:ident $assign:ident = |$a:ident, $b:ident| $value:expr;)*) => {$(
        $(#[$doc])*
        impl<P: PrimeModulus> $Op for Zmod<P> {
            type Output = Self;

            #[inline(always)]
            #[track_caller]
            fn $op(self, rhs: Self) -> Self {
                let ($a, $b) = (self, rhs);
                $value
            }
        }

        binary!(@by_reference $Op $op: <&Zmod<P>> for Zmod<P>, |a, b| a.$op(*b));
        binary!(@by_reference $Op $op: <Zmod<P>> for &Zmod<P>, |a, b| (*a).$op(b));
        binary!(@by_reference $Op $op: <&Zmod<P>> for &Zmod<P>, |a, b| (*a).$op(*b));

        impl<P: PrimeModulus> $Assign for Zmod<P> {
            #[inline(always)]
            #[track_caller]
            fn $assign(&mut self, rhs: Self) {
                *self = (*self).$op(rhs);
            }
        }

        impl<P: PrimeModulus> $Assign<&Self> for Zmod<P> {
            #[inline(always)]
            #[track_caller]
            fn $assign(&mut self, rhs: &Self) {
                *self = (*self).$op(*rhs);
            }
        }
    )*};
    (@by_reference $Op:ident $op:ident: <$Rhs:ty> for $Lhs:ty, |$a:ident, $b:ident| $value:expr) => {
        impl<P: PrimeModulus> $Op<$Rhs> for $Lhs {
            type Output = Zmod<P>;

            #[inline(always)]
            #[track_caller]
            fn $op(self, rhs: $Rhs) -> Zmod<P> {
                let ($a, $b) = (self, rhs);
                $value
            }
        }
    };
}

binary! {
    Add add, AddAssign add_assign = |a, b| Self::wrap(Self::REDUCTION.add(a.raw, b.raw));
    Sub sub, SubAssign sub_assign = |a, b| Self::wrap(Self::REDUCTION.sub(a.raw, b.raw));
    Mul mul, MulAssign mul_assign = |a, b| Self::wrap(Self::REDUCTION.mul(a.raw, b.raw));
    /// Panics where the divisor is 0, as the division of integers does; [`PrimeField::inverse`] says `None`.
    Div div, DivAssign div_assign = |a, b| match b.inverse() {
        Some(inverse) => Self::wrap(Self::REDUCTION.mul(a.raw, inverse.raw)),
        None => panic!("division by zero: the divisor must not be 0"),
    };
}

impl<P: PrimeModulus> Neg for Zmod<P> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self::wrap(Self::REDUCTION.neg(self.raw))
    }
}

impl<P: PrimeModulus> Neg for &Zmod<P> {
    type Output = Zmod<P>;

    #[inline(always)]
    fn neg(self) -> Zmod<P> {
        -*self
    }
}

impl<P: PrimeModulus> Sum for Zmod<P> {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(num_traits::zero(), |sum, term| sum + term)
    }
}

impl<P: PrimeModulus> Product for Zmod<P> {
    fn product<I: Iterator<Item = Self>>(factors: I) -> Self {
        factors.fold(num_traits::one(), |product, factor| product * factor)
    }
}

impl<'a, P: PrimeModulus> Sum<&'a Self> for Zmod<P> {
    fn sum<I: Iterator<Item = &'a Self>>(terms: I) -> Self {
        terms.copied().sum()
    }
}

impl<'a, P: PrimeModulus> Product<&'a Self> for Zmod<P> {
    fn product<I: Iterator<Item = &'a Self>>(factors: I) -> Self {
        factors.copied().product()
    }
}
