//! Operators and comparisons with primitive integers.
//!
//! The primitive is taken at its exact value, whatever the width and sign of the number. As with every
//! operator, the result is mod `2^BITS`.

use core::cmp::Ordering;
use core::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign, Mul,
    MulAssign, Rem, RemAssign, Sub, SubAssign,
};

use generic_array::ArrayLength;

use super::divided;
use super::macros::{assignment, operator};
use super::primitive::Primitive;
use crate::base::Base;
use crate::error::DivisionByZero;
use crate::int::Int;
use crate::slice::sub;
use crate::uint::Uint;

/// `value` as one limb.
fn limb<B: Base>(value: u128) -> Option<B> {
    <B as num_traits::NumCast>::from(value)
}

impl<B: Base, N: ArrayLength> Uint<B, N> {
    /// `self * factor mod 2^BITS`.
    fn times(&self, factor: u128) -> Self {
        let Some(factor) = limb::<B>(factor) else { return self.wrapping_mul(&Self::wrapping_from(factor)) };
        let mut carry = B::ZERO;
        Self::filled(|out| {
            for (out, &limb) in out.iter_mut().zip(&self.limbs) {
                (*out, carry) = limb.carrying_mul_add(factor, B::ZERO, carry);
            }
        })
    }

    /// (quotient, remainder) by a divisor that may be wider than the number.
    fn divided_by(&self, divisor: u128) -> Result<(Self, Self), DivisionByZero> {
        if let Some(divisor) = limb::<B>(divisor) {
            let (quotient, rest) = self.div_rem_limb(divisor)?;
            return Ok((quotient, Self::filled(|out| out[0] = rest)));
        }
        match Self::from_widest_unsigned(divisor) {
            Ok(divisor) => self.div_rem(&divisor),
            Err(_) => Ok((Self::zero(), self.clone())),
        }
    }

    /// The order of the number and `other`.
    fn compared(&self, other: u128) -> Ordering {
        if self.bits() > u128::BITS { Ordering::Greater } else { self.low_128_bits().cmp(&other) }
    }
}

macro_rules! mixed {
    ($Type:ident: $($Op:ident $op:ident, $Assign:ident $assign:ident = |$a:ident, $b:ident| $value:expr;)*) => {$(
        operator!([P: Primitive] $Type: $Op $op, <P> for &$Type<B, N>, |$a, $b| $value);
        operator!([P: Primitive] $Type: $Op $op, <P> for $Type<B, N>, |a, b| (&a).$op(b));
        assignment!([P: Primitive] $Type: $Assign $assign, <P>, $op);
    )*};
}

/// The primitive on the left.
macro_rules! reversed {
    ($Type:ident: $($primitive:ty)*) => {$(
        reversed!(@ops $Type, $primitive: Add add, Sub sub, Mul mul);
    )*};
    (@ops $Type:ident, $primitive:ty: $($Op:ident $op:ident),*) => {$(
        operator!([] $Type: $Op $op, <&$Type<B, N>> for $primitive, |a, b| $Type::wrapping_from(a).$op(b));
        operator!([] $Type: $Op $op, <$Type<B, N>> for $primitive, |a, b| a.$op(&b));
    )*};
}

macro_rules! stamp {
    ($Type:ident) => {
        mixed! { $Type:
            Add add, AddAssign add_assign = |a, b| a.wrapping_add(&$Type::wrapping_from(b));
            Sub sub, SubAssign sub_assign = |a, b| a.wrapping_sub(&$Type::wrapping_from(b));
            Mul mul, MulAssign mul_assign = |a, b| a.times_primitive(b);
            Div div, DivAssign div_assign = |a, b| divided(a.div_rem_primitive(b)).0;
            Rem rem, RemAssign rem_assign = |a, b| divided(a.div_rem_primitive(b)).1;
            BitAnd bitand, BitAndAssign bitand_assign = |a, b| a & &$Type::wrapping_from(b);
            BitOr bitor, BitOrAssign bitor_assign = |a, b| a | &$Type::wrapping_from(b);
            BitXor bitxor, BitXorAssign bitxor_assign = |a, b| a ^ &$Type::wrapping_from(b);
        }

        reversed!($Type: u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

        impl<B: Base, N: ArrayLength> $Type<B, N> {
            fn times_primitive(&self, factor: impl Primitive) -> Self {
                let (negative, factor) = factor.parts();
                // Modulo 2^BITS, the sign of the factor does not matter.
                let mut product = Uint { limbs: self.limbs.clone() }.times(factor);
                if negative {
                    sub::neg_assign(&mut product.limbs);
                }
                Self { limbs: product.limbs }
            }

            /// (`self / divisor` rounded towards 0, the remainder, which has the sign of `self`), mod
            /// `2^BITS`.
            fn div_rem_primitive(&self, divisor: impl Primitive) -> Result<(Self, Self), DivisionByZero> {
                let (divisor_negative, divisor) = divisor.parts();
                let (negative, magnitude) = self.sign_and_magnitude();
                let (mut quotient, mut rest) = magnitude.divided_by(divisor)?;
                if negative != divisor_negative {
                    sub::neg_assign(&mut quotient.limbs);
                }
                if negative {
                    sub::neg_assign(&mut rest.limbs);
                }
                Ok((Self { limbs: quotient.limbs }, Self { limbs: rest.limbs }))
            }
        }

        /// A number equals any primitive of the same value, whatever the primitive's type.
        impl<B: Base, N: ArrayLength, P: Primitive> PartialEq<P> for $Type<B, N> {
            #[inline]
            fn eq(&self, other: &P) -> bool {
                self.partial_cmp(other) == Some(Ordering::Equal)
            }
        }

        /// The order of the values, whatever the primitive's type.
        impl<B: Base, N: ArrayLength, P: Primitive> PartialOrd<P> for $Type<B, N> {
            #[inline]
            fn partial_cmp(&self, other: &P) -> Option<Ordering> {
                let (negative, magnitude) = self.sign_and_magnitude();
                Some(match (negative, other.parts()) {
                    (false, (true, _)) => Ordering::Greater,
                    (true, (false, _)) => Ordering::Less,
                    (false, (false, other)) => magnitude.compared(other),
                    (true, (true, other)) => magnitude.compared(other).reverse(),
                })
            }
        }
    };
}

stamp!(Uint);
stamp!(Int);
