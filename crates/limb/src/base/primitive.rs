//! The primitive limbs `u32`, `u64` and `u128`, and the table form of an implementation.

use super::Base;
use crate::{pair::Pair, wide::Wide};

/// Implements traits, `Trait { fn name(arguments) -> Output = value; .. }`.
#[doc(hidden)]
#[macro_export]
macro_rules! __limb_impls {
    (@text $Name:ident: $($Trait:ident)+) => {$(
        $crate::__limb_impls!($Name: ::core::fmt::$Trait {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result =
                ::core::fmt::$Trait::fmt(&self.0, f);
        });
    )+};
    (@to $Name:ident: $($to:ident $primitive:ident),+) => {
        $crate::__limb_impls!($Name: $crate::num_traits::ToPrimitive {$(
            fn $to(&self) -> ::core::option::Option<$primitive> =
                $crate::num_traits::ToPrimitive::$to(&self.0);
        )+});
    };
    (@checked $Name:ident: $($Op:ident $op:ident),+) => {$(
        $crate::__limb_impls!($Name: $crate::num_traits::$Op {
            fn $op(&self, rhs: &Self) -> ::core::option::Option<Self> = self.0.$op(rhs.0).map(Self);
        });
    )+};
    ($Name:ident: $($Trait:path { $($items:tt)* })+) => {$(
        impl $Trait for $Name {
            $crate::__limb_impls!(@items $($items)*);
        }
    )+};
    (@items
        $(type $Type:ident = $Value:ty;)*
        $(const $constant:ident: $Constant:ty = $number:expr;)*
        $(
            $(#[$meta:meta])*
            fn $name:ident $(<$T:ident: $Bound:path>)? ($($arguments:tt)*) -> $Output:ty = $value:expr;
        )*
    ) => {
        $(type $Type = $Value;)*
        $(const $constant: $Constant = $number;)*
        $(
            $(#[$meta])*
            #[inline(always)]
            fn $name $(<$T: $Bound>)? ($($arguments)*) -> $Output {
                $value
            }
        )*
    };
}

macro_rules! primitive_limb {
    ($limb:ident, half: $half:ty, wide: $wide:ty $(; $($functions:tt)*)?) => {
        crate::__limb_impls! { $limb: Base {
            type Half = $half;
            type Wide = $wide;
            const BITS: u32 = <$limb>::BITS;
            const HIGHEST: Self = <$limb>::MAX;
            const NAME: &'static str = stringify!($limb);
            fn carrying_add(self, rhs: Self, carry: bool) -> (Self, bool) =
                <$limb>::carrying_add(self, rhs, carry);
            fn borrowing_sub(self, rhs: Self, borrow: bool) -> (Self, bool) =
                <$limb>::borrowing_sub(self, rhs, borrow);
            fn widening_mul(self, rhs: Self) -> Self::Wide = {
                let (low, high) = <$limb>::carrying_mul(self, rhs, 0);
                Wide::from_parts(low, high)
            };
            fn carrying_mul_add(self, rhs: Self, addend: Self, carry: Self) -> (Self, Self) =
                <$limb>::carrying_mul_add(self, rhs, addend, carry);
            fn split(self) -> (Self::Half, Self::Half) = (self as $half, (self >> <$half>::BITS) as $half);
            #[allow(clippy::cast_lossless, reason = "lossless for some limbs only")]
            fn from_word(word: u64) -> Self = word as $limb;
            #[allow(clippy::cast_lossless, reason = "lossless for some limbs only")]
            fn low_word(self) -> u64 = self as u64;
            fn from_le_bytes(bytes: &[u8]) -> Self = {
                let mut image = [0; size_of::<$limb>()];
                let kept = bytes.len().min(image.len());
                image[..kept].copy_from_slice(&bytes[..kept]);
                <$limb>::from_le_bytes(image)
            };
            fn write_le_bytes(self, out: &mut [u8]) -> () = {
                let image = self.to_le_bytes();
                let kept = out.len().min(image.len());
                out[..kept].copy_from_slice(&image[..kept]);
            };
            $($($functions)*)?
        }}
    };
}

primitive_limb!(u32, half: u16, wide: u64);
primitive_limb!(u64, half: u32, wide: u128;
    fn as_words(limbs: &[Self]) -> Option<&[u64]> = Some(limbs);
    fn as_words_mut(limbs: &mut [Self]) -> Option<&mut [u64]> = Some(limbs););
primitive_limb!(u128, half: u64, wide: Pair<u128>);
