//! The traits of num-traits. Each forwards to the type's method of the same name.

use generic_array::ArrayLength;
use num_traits::ops::overflowing::{OverflowingAdd, OverflowingMul, OverflowingSub};
use num_traits::{
    Bounded, CheckedAdd, CheckedDiv, CheckedEuclid, CheckedMul, CheckedNeg, CheckedRem, CheckedShl,
    CheckedShr, CheckedSub, Euclid, Num, One, Pow, SaturatingAdd, SaturatingMul, SaturatingSub, WrappingAdd,
    WrappingMul, WrappingNeg, WrappingShl, WrappingShr, WrappingSub, Zero,
};

use super::divided;
use crate::base::Base;
use crate::int::Int;
use crate::text::ParseError;
use crate::uint::Uint;

macro_rules! forward {
    ($Type:ident: $($Trait:ident $method:ident($($rhs:ident: $Rhs:ty)?) -> $Output:ty;)*) => {$(
        impl<B: Base, N: ArrayLength> $Trait for $Type<B, N> {
            #[inline]
            fn $method(&self, $($rhs: $Rhs)?) -> $Output {
                $Type::$method(self, $($rhs)?)
            }
        }
    )*};
}

macro_rules! stamp {
    ($Type:ident) => {
        impl<B: Base, N: ArrayLength> Zero for $Type<B, N> {
            #[inline]
            fn zero() -> Self {
                $Type::zero()
            }

            #[inline]
            fn is_zero(&self) -> bool {
                $Type::is_zero(self)
            }
        }

        impl<B: Base, N: ArrayLength> One for $Type<B, N> {
            #[inline]
            fn one() -> Self {
                $Type::one()
            }
        }

        impl<B: Base, N: ArrayLength> Bounded for $Type<B, N> {
            #[inline]
            fn min_value() -> Self {
                $Type::min_value()
            }

            #[inline]
            fn max_value() -> Self {
                $Type::max_value()
            }
        }

        impl<B: Base, N: ArrayLength> Num for $Type<B, N> {
            type FromStrRadixErr = ParseError;

            /// Accepts a sign as [`FromStr`](core::str::FromStr) does, and no prefix.
            fn from_str_radix(text: &str, radix: u32) -> Result<Self, ParseError> {
                Self::parse_digits(text, radix)
            }
        }

        forward! { $Type:
            WrappingAdd wrapping_add(rhs: &Self) -> Self;
            WrappingSub wrapping_sub(rhs: &Self) -> Self;
            WrappingMul wrapping_mul(rhs: &Self) -> Self;
            WrappingNeg wrapping_neg() -> Self;
            WrappingShl wrapping_shl(n: u32) -> Self;
            WrappingShr wrapping_shr(n: u32) -> Self;
            CheckedAdd checked_add(rhs: &Self) -> Option<Self>;
            CheckedSub checked_sub(rhs: &Self) -> Option<Self>;
            CheckedMul checked_mul(rhs: &Self) -> Option<Self>;
            CheckedDiv checked_div(rhs: &Self) -> Option<Self>;
            CheckedRem checked_rem(rhs: &Self) -> Option<Self>;
            CheckedNeg checked_neg() -> Option<Self>;
            CheckedShl checked_shl(n: u32) -> Option<Self>;
            CheckedShr checked_shr(n: u32) -> Option<Self>;
            OverflowingAdd overflowing_add(rhs: &Self) -> (Self, bool);
            OverflowingSub overflowing_sub(rhs: &Self) -> (Self, bool);
            OverflowingMul overflowing_mul(rhs: &Self) -> (Self, bool);
            SaturatingAdd saturating_add(rhs: &Self) -> Self;
            SaturatingSub saturating_sub(rhs: &Self) -> Self;
            SaturatingMul saturating_mul(rhs: &Self) -> Self;
        }

        impl<B: Base, N: ArrayLength> Euclid for $Type<B, N> {
            #[track_caller]
            fn div_euclid(&self, rhs: &Self) -> Self {
                divided(self.div_rem_euclid(rhs)).0
            }

            #[track_caller]
            fn rem_euclid(&self, rhs: &Self) -> Self {
                divided(self.div_rem_euclid(rhs)).1
            }
        }

        impl<B: Base, N: ArrayLength> CheckedEuclid for $Type<B, N> {
            fn checked_div_euclid(&self, rhs: &Self) -> Option<Self> {
                self.checked_div_rem_euclid(rhs).map(|(quotient, _)| quotient)
            }

            fn checked_rem_euclid(&self, rhs: &Self) -> Option<Self> {
                self.checked_div_rem_euclid(rhs).map(|(_, remainder)| remainder)
            }

            fn checked_div_rem_euclid(&self, rhs: &Self) -> Option<(Self, Self)> {
                if self.division_overflows(rhs) { None } else { self.div_rem_euclid(rhs).ok() }
            }
        }

        impl<B: Base, N: ArrayLength> Pow<u32> for $Type<B, N> {
            type Output = Self;

            /// `self^exponent mod 2^BITS`.
            fn pow(self, exponent: u32) -> Self {
                $Type::pow(&self, exponent)
            }
        }
    };
}

stamp!(Uint);
stamp!(Int);
