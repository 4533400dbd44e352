//! The operators, by value and by reference.

use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::Zmod;
use crate::field::PrimeField;
use crate::modulus::PrimeModulus;
use crate::reduction::Reduction;

macro_rules! binary {
    ($($Op:ident $op:ident, $Assign:ident $assign:ident = |$a:ident, $b:ident| $value:expr;)*) => {$(
        binary!(@operator $Op $op: <Zmod<P>> for Zmod<P>, |$a, $b| $value);
        binary!(@operator $Op $op: <&Zmod<P>> for Zmod<P>, |a, b| a.$op(*b));
        binary!(@operator $Op $op: <Zmod<P>> for &Zmod<P>, |a, b| (*a).$op(b));
        binary!(@operator $Op $op: <&Zmod<P>> for &Zmod<P>, |a, b| (*a).$op(*b));
        binary!(@assignment $Assign $assign: <Zmod<P>>, $op);
        binary!(@assignment $Assign $assign: <&Zmod<P>>, $op);
    )*};
    (@operator $Op:ident $op:ident: <$Rhs:ty> for $Lhs:ty, |$a:ident, $b:ident| $value:expr) => {
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
    (@assignment $Assign:ident $assign:ident: <$Rhs:ty>, $op:ident) => {
        impl<P: PrimeModulus> $Assign<$Rhs> for Zmod<P> {
            #[inline(always)]
            #[track_caller]
            fn $assign(&mut self, rhs: $Rhs) {
                *self = (*self).$op(rhs);
            }
        }
    };
}

binary! {
    Add add, AddAssign add_assign = |a, b| Zmod::wrap(Zmod::<P>::REDUCTION.add(a.raw, b.raw));
    Sub sub, SubAssign sub_assign = |a, b| Zmod::wrap(Zmod::<P>::REDUCTION.sub(a.raw, b.raw));
    Mul mul, MulAssign mul_assign = |a, b| Zmod::wrap(Zmod::<P>::REDUCTION.mul(a.raw, b.raw));
    // Panics if the divisor is 0, as the division of integers does; `inverse` returns `None`.
    Div div, DivAssign div_assign = |a, b| match b.inverse() {
        Some(inverse) => Zmod::wrap(Zmod::<P>::REDUCTION.mul(a.raw, inverse.raw)),
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

impl<T, P: PrimeModulus> Sum<T> for Zmod<P>
where
    Self: Add<T, Output = Self>,
{
    fn sum<I: Iterator<Item = T>>(terms: I) -> Self {
        terms.fold(Self::ZERO, |sum, term| sum + term)
    }
}

impl<T, P: PrimeModulus> Product<T> for Zmod<P>
where
    Self: Mul<T, Output = Self>,
{
    fn product<I: Iterator<Item = T>>(factors: I) -> Self {
        factors.fold(Self::ONE, |product, factor| product * factor)
    }
}
