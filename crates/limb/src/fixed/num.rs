//! The traits of num-traits. Each forwards to the type's method of the same name.

use num_traits::ops::overflowing::{OverflowingAdd, OverflowingMul, OverflowingSub};
use num_traits::{
    Bounded, CheckedAdd, CheckedDiv, CheckedEuclid, CheckedMul, CheckedNeg, CheckedRem, CheckedShl,
    CheckedShr, CheckedSub, Euclid, Num, One, Pow, SaturatingAdd, SaturatingMul, SaturatingSub, WrappingAdd,
    WrappingMul, WrappingNeg, WrappingShl, WrappingShr, WrappingSub, Zero,
};

use super::divided;
use crate::text::ParseError;

macro_rules! forward {
    ($($Trait:ident $method:ident($($rhs:ident: $Rhs:ty)?) -> $Output:ty;)*) => {
        impls! { Uint Int: $(
            $Trait { fn $method(&self, $($rhs: $Rhs)?) -> $Output = Self::$method(self, $($rhs)?); }
        )*}
    };
}

forward! {
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

impls! { Uint Int:
    Zero {
        fn zero() -> Self = Self::zero();
        fn is_zero(&self) -> bool = Self::is_zero(self);
    }
    One { fn one() -> Self = Self::one(); }
    Bounded {
        fn min_value() -> Self = Self::min_value();
        fn max_value() -> Self = Self::max_value();
    }
    /// Accepts a sign as [`FromStr`](core::str::FromStr) does, and no prefix.
    Num {
        type FromStrRadixErr = ParseError;
        fn from_str_radix(text: &str, radix: u32) -> Result<Self, ParseError> =
            Self::from_str_radix(text, radix);
    }
    Euclid {
        #[track_caller]
        fn div_euclid(&self, rhs: &Self) -> Self = divided(self.div_rem_euclid(rhs)).0;
        #[track_caller]
        fn rem_euclid(&self, rhs: &Self) -> Self = divided(self.div_rem_euclid(rhs)).1;
    }
    CheckedEuclid {
        fn checked_div_euclid(&self, rhs: &Self) -> Option<Self> = Some(self.checked_div_rem_euclid(rhs)?.0);
        fn checked_rem_euclid(&self, rhs: &Self) -> Option<Self> = Some(self.checked_div_rem_euclid(rhs)?.1);
        fn checked_div_rem_euclid(&self, rhs: &Self) -> Option<(Self, Self)> =
            if self.division_overflows(rhs) { None } else { self.div_rem_euclid(rhs).ok() };
    }
    /// `self^exponent mod 2^BITS`.
    Pow<u32> {
        type Output = Self;
        fn pow(self, exponent: u32) -> Self = Self::pow(&self, exponent);
    }
}
