//! To and from numbers of other widths, num-bigint and the integers of the language.

use generic_array::ArrayLength;
use num_bigint::{BigInt, BigUint};
use num_traits::{FromPrimitive, ToPrimitive};

use super::FixedInt;
use crate::{base::Base, convert, error::RangeError, int::Int, int_type::IntType, slice::bits, uint::Uint};

/// Conversions to `$Type` of values that may not fit.
macro_rules! try_from {
    ($($Type:ident)+: $($(@$P:ident)? $From:ty |$value:ident| $result:expr;)+) => {
        impls! { $($Type)+: $(
            $([$P: ArrayLength,])? TryFrom<$From> {
                type Error = RangeError;
                fn try_from($value: $From) -> Result<Self, RangeError> = $result;
            }
        )+}
    };
}

/// Both directions of num-bigint's type, primitives that fit a number if its width does, and other ones.
macro_rules! from {
    ($Type:ident, $Big:ident, |$number:ident| $to_big:expr; $($fitting:ident)+; $($other:ident)*) => {
        impl<B: Base, N: ArrayLength> From<&$Type<B, N>> for $Big {
            fn from($number: &$Type<B, N>) -> Self {
                $to_big
            }
        }

        impl<B: Base, N: ArrayLength> From<$Type<B, N>> for $Big {
            fn from(number: $Type<B, N>) -> Self {
                (&number).into()
            }
        }

        try_from! { $Type:
            &$Big |value| Self::from_big(value);
            $Big |value| Self::from_big(&value);
            $($other |value| Self::from_primitive(value);)*
        }
        impls! { $Type: $(
            /// A number type too narrow for every value of the primitive does not compile.
            From<$fitting> {
                fn from(value: $fitting) -> Self = {
                    const {
                        // A signed number has a bit less for unsigned values.
                        let sign = (Self::TYPE.is_signed() && <$fitting>::MIN == 0) as u32;
                        let needed = <$fitting>::BITS + sign;
                        assert!(Self::BITS >= needed, "too narrow: use from_primitive, or a wider number");
                    }
                    Self::wrapping_from(value)
                };
            }
        )+}
    };
}

from!(Uint, BigUint, |number| convert::to_biguint(&number.limbs);
    u8 u16 u32 u64 u128 usize; i8 i16 i32 i64 i128 isize);
from!(Int, BigInt, |number| number.to_bigint(); u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize;);

/// Numbers of other widths and of the other signedness.
macro_rules! from_widths {
    ($($From:ident)+) => {
        try_from! { Uint Int: $(
            @M &$From<B, M> |number| {
                let is_signed = Self::TYPE.is_signed();
                let needed = number.needed_bits(is_signed);
                if needed > u64::from(Self::BITS) || !is_signed && FixedInt::is_negative(number) {
                    return Err(RangeError { ty: Self::TYPE, needed });
                }
                Ok(Self { limbs: number.resize().limbs })
            };
        )+}
    };
}

from_widths!(Uint Int);

macro_rules! to_primitives {
    ($($Type:ident)+, $ty:ident $to:ident: $primitives:tt) => {
        $(to_primitives!(@one $Type, $ty $to: $primitives);)+
    };
    (@one $Type:ident, $ty:ident $to:ident: [$($primitive:ident)+]) => {$(
        impl<B: Base, N: ArrayLength> TryFrom<&$Type<B, N>> for $primitive {
            type Error = RangeError;

            fn try_from(number: &$Type<B, N>) -> Result<Self, RangeError> {
                const TY: IntType = match IntType::$ty(<$primitive>::BITS as u64) {
                    Ok(ty) => ty,
                    Err(_) => panic!("a primitive's width is valid"),
                };
                let value = number.$to().and_then(|value| value.try_into().ok());
                value.ok_or_else(|| RangeError { ty: TY, needed: number.needed_bits(TY.is_signed()) })
            }
        }

        impl<B: Base, N: ArrayLength> TryFrom<$Type<B, N>> for $primitive {
            type Error = RangeError;

            fn try_from(number: $Type<B, N>) -> Result<Self, RangeError> {
                Self::try_from(&number)
            }
        }
    )+};
}

to_primitives!(Uint Int, unsigned to_u128: [u8 u16 u32 u64 u128 usize]);
to_primitives!(Uint Int, signed to_i128: [i8 i16 i32 i64 i128 isize]);

impls! { Uint Int:
    /// 1 for true.
    From<bool> { fn from(value: bool) -> Self = Self::wrapping_from(u8::from(value)); }
    ToPrimitive {
        fn to_i64(&self) -> Option<i64> = self.to_i128()?.try_into().ok();
        fn to_u64(&self) -> Option<u64> = self.to_u128()?.try_into().ok();
        fn to_i128(&self) -> Option<i128> =
            (self.needed_bits(true) <= 128).then(|| self.low_128_bits() as i128);
        fn to_u128(&self) -> Option<u128> =
            (!FixedInt::is_negative(self) && self.needed_bits(false) <= 128).then(|| self.low_128_bits());
        /// Rounded to 24 significant bits, or infinity.
        fn to_f32(&self) -> Option<f32> = self.to_bigint().to_f32();
        /// Rounded to 53 significant bits, or infinity.
        fn to_f64(&self) -> Option<f64> = self.to_bigint().to_f64();
    }
    FromPrimitive {
        fn from_i64(value: i64) -> Option<Self> = Self::from_primitive(value).ok();
        fn from_u64(value: u64) -> Option<Self> = Self::from_primitive(value).ok();
        fn from_i128(value: i128) -> Option<Self> = Self::from_primitive(value).ok();
        fn from_u128(value: u128) -> Option<Self> = Self::from_primitive(value).ok();
        /// The number without its fraction.
        fn from_f64(value: f64) -> Option<Self> = {
            let (value, mut number) = (BigInt::from_f64(value)?, Self::zero());
            convert::from_bigint(&value, Self::TYPE, &mut number.limbs).is_ok().then_some(number)
        };
    }
}

both! {
    impl {
        /// Width of the narrowest type of this signedness (signed for a negative number) that holds the
        /// number.
        pub(crate) fn needed_bits(&self, signed: bool) -> u64 {
            if FixedInt::is_negative(self) {
                u64::from(bits::bit_len(&(!self).limbs)) + 1
            } else {
                u64::from(bits::bit_len(&self.limbs)) + u64::from(signed)
            }
        }

        pub(crate) fn low_128_bits(&self) -> u128 {
            let sign = if FixedInt::is_negative(self) { u128::MAX } else { 0 };
            let mut image = [0; 16];
            convert::to_le_bytes(&self.limbs, &mut image);
            u128::from_le_bytes(image) | sign.checked_shl(Self::BITS).unwrap_or(0)
        }

        fn to_bigint(&self) -> BigInt {
            convert::to_bigint(&self.limbs, Self::TYPE)
        }
    }
}
