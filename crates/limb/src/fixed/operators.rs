//! The operators of `std`, by value and by reference.

use core::iter::{Product, Sum};
use core::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign, Mul,
    MulAssign, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

use generic_array::ArrayLength;
use num_traits::PrimInt;

use crate::base::Base;
use crate::int::Int;
use crate::slice::bits;
use crate::uint::Uint;

macro_rules! binary {
    ($Type:ident: $($Op:ident $op:ident, $Assign:ident $assign:ident = |$a:ident, $b:ident| $value:expr;)*) => {$(
        impl<B: Base, N: ArrayLength> $Op<&$Type<B, N>> for &$Type<B, N> {
            type Output = $Type<B, N>;

            #[inline]
            #[track_caller]
            fn $op(self, rhs: &$Type<B, N>) -> $Type<B, N> {
                let ($a, $b) = (self, rhs);
                $value
            }
        }

        binary!(@by_value $Type, $Op $op: <$Type<B, N>> for &$Type<B, N>, |a, b| a.$op(&b));
        binary!(@by_value $Type, $Op $op: <&$Type<B, N>> for $Type<B, N>, |a, b| (&a).$op(b));
        binary!(@by_value $Type, $Op $op: <$Type<B, N>> for $Type<B, N>, |a, b| (&a).$op(&b));

        impl<B: Base, N: ArrayLength> $Assign<&$Type<B, N>> for $Type<B, N> {
            #[inline]
            #[track_caller]
            fn $assign(&mut self, rhs: &$Type<B, N>) {
                *self = (&*self).$op(rhs);
            }
        }

        impl<B: Base, N: ArrayLength> $Assign for $Type<B, N> {
            #[inline]
            #[track_caller]
            fn $assign(&mut self, rhs: Self) {
                *self = (&*self).$op(&rhs);
            }
        }
    )*};
    (@by_value $Type:ident, $Op:ident $op:ident: <$Rhs:ty> for $Lhs:ty, |$a:ident, $b:ident| $value:expr) => {
        impl<B: Base, N: ArrayLength> $Op<$Rhs> for $Lhs {
            type Output = $Type<B, N>;

            #[inline]
            #[track_caller]
            fn $op(self, rhs: $Rhs) -> $Type<B, N> {
                let ($a, $b) = (self, rhs);
                $value
            }
        }
    };
}

macro_rules! shifts {
    ($Type:ident: $($Op:ident $op:ident, $Assign:ident $assign:ident, $shift:ident;)*) => {$(
        impl<B: Base, N: ArrayLength, T: PrimInt> $Op<T> for &$Type<B, N> {
            type Output = $Type<B, N>;

            /// An amount of `BITS` or more, and so a negative one, shifts every bit out.
            #[inline]
            fn $op(self, n: T) -> $Type<B, N> {
                self.$shift(n.to_u32().unwrap_or(u32::MAX))
            }
        }

        impl<B: Base, N: ArrayLength, T: PrimInt> $Op<T> for $Type<B, N> {
            type Output = Self;

            #[inline]
            fn $op(self, n: T) -> Self {
                (&self).$op(n)
            }
        }

        impl<B: Base, N: ArrayLength, T: PrimInt> $Assign<T> for $Type<B, N> {
            #[inline]
            fn $assign(&mut self, n: T) {
                *self = (&*self).$op(n);
            }
        }
    )*};
}

macro_rules! stamp {
    ($Type:ident) => {
        binary! { $Type:
            Add add, AddAssign add_assign = |a, b| a.wrapping_add(b);
            Sub sub, SubAssign sub_assign = |a, b| a.wrapping_sub(b);
            Mul mul, MulAssign mul_assign = |a, b| a.wrapping_mul(b);
            Div div, DivAssign div_assign = |a, b| a.wrapping_div(b);
            Rem rem, RemAssign rem_assign = |a, b| a.wrapping_rem(b);
            BitAnd bitand, BitAndAssign bitand_assign = |a, b| $Type::filled(|out| bits::and(out, &a.limbs, &b.limbs));
            BitOr bitor, BitOrAssign bitor_assign = |a, b| $Type::filled(|out| bits::or(out, &a.limbs, &b.limbs));
            BitXor bitxor, BitXorAssign bitxor_assign = |a, b| $Type::filled(|out| bits::xor(out, &a.limbs, &b.limbs));
        }

        // One implementation for all amounts, so that an integer literal needs no suffix.
        shifts! { $Type:
            Shl shl, ShlAssign shl_assign, unbounded_shl;
            Shr shr, ShrAssign shr_assign, unbounded_shr;
        }

        impl<B: Base, N: ArrayLength> Not for &$Type<B, N> {
            type Output = $Type<B, N>;

            #[inline]
            fn not(self) -> $Type<B, N> {
                $Type::filled(|out| bits::not(out, &self.limbs))
            }
        }

        impl<B: Base, N: ArrayLength> Not for $Type<B, N> {
            type Output = Self;

            #[inline]
            fn not(self) -> Self {
                !&self
            }
        }

        impl<T, B: Base, N: ArrayLength> Sum<T> for $Type<B, N>
        where
            Self: Add<T, Output = Self>,
        {
            fn sum<I: Iterator<Item = T>>(terms: I) -> Self {
                terms.fold(Self::zero(), |sum, term| sum + term)
            }
        }

        impl<T, B: Base, N: ArrayLength> Product<T> for $Type<B, N>
        where
            Self: Mul<T, Output = Self>,
        {
            fn product<I: Iterator<Item = T>>(factors: I) -> Self {
                factors.fold(Self::one(), |product, factor| product * factor)
            }
        }
    };
}

stamp!(Uint);
stamp!(Int);
