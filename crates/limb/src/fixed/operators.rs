//! The operators, by value and by reference, with numbers and with primitive integers.

use core::iter::{Product, Sum};
use core::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign, Mul,
    MulAssign, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

use generic_array::ArrayLength;
use num_traits::PrimInt;

use super::{divided, primitive::Primitive};
use crate::{base::Base, int::Int, slice::bits, uint::Uint};

/// The right operand is a number (the first expression) or a primitive (the second).
macro_rules! binary {
    ($Type:ident: $($Op:ident $op:ident, $Assign:ident $assign:ident
                    |$a:ident, $b:ident| $value:expr, $mixed:expr;)*) => {$(
        operator!([] $Type: $Op $op, <&$Type<B, N>> for &$Type<B, N>, |$a, $b| $value);
        operator!([] $Type: $Op $op, <$Type<B, N>> for &$Type<B, N>, |a, b| a.$op(&b));
        operator!([] $Type: $Op $op, <&$Type<B, N>> for $Type<B, N>, |a, b| (&a).$op(b));
        operator!([] $Type: $Op $op, <$Type<B, N>> for $Type<B, N>, |a, b| (&a).$op(&b));
        assignment!([] $Type: $Assign $assign, <&$Type<B, N>>, $op);
        assignment!([] $Type: $Assign $assign, <$Type<B, N>>, $op);
        operator!([P: Primitive] $Type: $Op $op, <P> for &$Type<B, N>, |$a, $b| $mixed);
        operator!([P: Primitive] $Type: $Op $op, <P> for $Type<B, N>, |a, b| (&a).$op(b));
        assignment!([P: Primitive] $Type: $Assign $assign, <P>, $op);
    )*};
}

/// The primitive on the left.
macro_rules! reversed {
    ($Type:ident: $($primitive:ty)*) => {$(
        reversed!(@operators $Type, $primitive: Add add, Sub sub, Mul mul);
    )*};
    (@operators $Type:ident, $primitive:ty: $($Op:ident $op:ident),*) => {$(
        operator!([] $Type: $Op $op, <&$Type<B, N>> for $primitive, |a, b| $Type::wrapping_from(a).$op(b));
        operator!([] $Type: $Op $op, <$Type<B, N>> for $primitive, |a, b| a.$op(&b));
    )*};
}

macro_rules! shifts {
    ($Type:ident: $($Op:ident $op:ident, $Assign:ident $assign:ident, $shift:ident;)*) => {$(
        operator!(
            /// A negative amount, or one of `BITS` or more, shifts every bit out.
            [T: PrimInt] $Type: $Op $op, <T> for &$Type<B, N>, |a, n| a.$shift(n.to_u32().unwrap_or(u32::MAX))
        );
        operator!([T: PrimInt] $Type: $Op $op, <T> for $Type<B, N>, |a, n| (&a).$op(n));
        assignment!([T: PrimInt] $Type: $Assign $assign, <T>, $op);
    )*};
}

macro_rules! stamp {
    ($Type:ident) => {
        binary! { $Type:
            Add add, AddAssign add_assign |a, b| a.wrapping_add(b), a.wrapping_add(&$Type::wrapping_from(b));
            Sub sub, SubAssign sub_assign |a, b| a.wrapping_sub(b), a.wrapping_sub(&$Type::wrapping_from(b));
            Mul mul, MulAssign mul_assign |a, b| a.wrapping_mul(b), a.times_primitive(b);
            Div div, DivAssign div_assign |a, b| a.wrapping_div(b), divided(a.div_rem_primitive(b)).0;
            Rem rem, RemAssign rem_assign |a, b| a.wrapping_rem(b), divided(a.div_rem_primitive(b)).1;
            BitAnd bitand, BitAndAssign bitand_assign |a, b|
                $Type::filled(|out| bits::and(out, &a.limbs, &b.limbs)), a & &$Type::wrapping_from(b);
            BitOr bitor, BitOrAssign bitor_assign |a, b|
                $Type::filled(|out| bits::or(out, &a.limbs, &b.limbs)), a | &$Type::wrapping_from(b);
            BitXor bitxor, BitXorAssign bitxor_assign |a, b|
                $Type::filled(|out| bits::xor(out, &a.limbs, &b.limbs)), a ^ &$Type::wrapping_from(b);
        }

        reversed!($Type: u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

        // With one implementation for all amounts, an integer literal needs no suffix.
        shifts! { $Type:
            Shl shl, ShlAssign shl_assign, unbounded_shl;
            Shr shr, ShrAssign shr_assign, unbounded_shr;
        }

        unary!($Type: Not not, |a| $Type::filled(|out| bits::not(out, &a.limbs)));

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
