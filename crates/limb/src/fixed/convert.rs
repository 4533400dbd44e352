//! To and from num-bigint and the integers of the language.

use generic_array::ArrayLength;
use num_bigint::{BigInt, BigUint};
use num_traits::{FromPrimitive, ToPrimitive};

use crate::base::Base;
use crate::error::RangeError;
use crate::int::Int;
use crate::int_type::IntType;
use crate::uint::Uint;

/// Both directions of num-bigint's type; `&Self -> Big` and `&Big -> Result<Self>` are the types' own.
macro_rules! big {
    ($Type:ident, $Big:ident) => {
        impl<B: Base, N: ArrayLength> From<&$Type<B, N>> for $Big {
            fn from(number: &$Type<B, N>) -> Self {
                number.to_big()
            }
        }

        impl<B: Base, N: ArrayLength> From<$Type<B, N>> for $Big {
            fn from(number: $Type<B, N>) -> Self {
                number.to_big()
            }
        }

        impl<B: Base, N: ArrayLength> TryFrom<&$Big> for $Type<B, N> {
            type Error = RangeError;

            fn try_from(value: &$Big) -> Result<Self, RangeError> {
                Self::from_big(value)
            }
        }

        impl<B: Base, N: ArrayLength> TryFrom<$Big> for $Type<B, N> {
            type Error = RangeError;

            fn try_from(value: $Big) -> Result<Self, RangeError> {
                Self::from_big(&value)
            }
        }
    };
}

big!(Uint, BigUint);
big!(Int, BigInt);

/// Primitives that fit a number if its width does, which the compiler checks, and those whose sign does not.
macro_rules! from_primitives {
    ($Type:ident: always { $($fitting:ty)+ } fallible { $($signed:ty)* }) => {
        $(
            impl<B: Base, N: ArrayLength> From<$fitting> for $Type<B, N> {
                /// A number type too narrow for every value of the primitive does not compile.
                #[inline]
                fn from(value: $fitting) -> Self {
                    const {
                        // A signed number has a bit less for unsigned values.
                        let sign = (Self::TYPE.is_signed() && <$fitting>::MIN == 0) as u32;
                        let needed = <$fitting>::BITS + sign;
                        assert!(Self::BITS >= needed, "too narrow: use from_primitive, or a wider number");
                    }
                    Self::wrapping_from(value)
                }
            }
        )+
        $(
            impl<B: Base, N: ArrayLength> TryFrom<$signed> for $Type<B, N> {
                type Error = RangeError;

                fn try_from(value: $signed) -> Result<Self, RangeError> {
                    Self::from_primitive(value)
                }
            }
        )*
    };
}

from_primitives! { Uint:
    always { u8 u16 u32 u64 u128 usize }
    fallible { i8 i16 i32 i64 i128 isize }
}

from_primitives! { Int:
    always { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
    fallible {}
}

macro_rules! from_bool {
    ($Type:ident) => {
        impl<B: Base, N: ArrayLength> From<bool> for $Type<B, N> {
            /// 1 for true.
            #[inline]
            fn from(value: bool) -> Self {
                if value { Self::one() } else { Self::zero() }
            }
        }
    };
}

from_bool!(Uint);
from_bool!(Int);

macro_rules! to_primitives {
    ($Type:ident: $($primitive:ty, $ty:ident, $to:ident;)+) => {$(
        impl<B: Base, N: ArrayLength> TryFrom<&$Type<B, N>> for $primitive {
            type Error = RangeError;

            fn try_from(number: &$Type<B, N>) -> Result<Self, RangeError> {
                const TY: IntType = match IntType::$ty(<$primitive>::BITS as u64) {
                    Ok(ty) => ty,
                    Err(_) => panic!("a primitive's width is valid"),
                };
                number.$to().ok_or_else(|| RangeError { ty: TY, needed: number.needed_bits(TY.is_signed()) })
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

macro_rules! stamp {
    ($Type:ident) => {
        to_primitives! { $Type:
            u8, unsigned, to_u8;
            u16, unsigned, to_u16;
            u32, unsigned, to_u32;
            u64, unsigned, to_u64;
            u128, unsigned, to_u128;
            usize, unsigned, to_usize;
            i8, signed, to_i8;
            i16, signed, to_i16;
            i32, signed, to_i32;
            i64, signed, to_i64;
            i128, signed, to_i128;
            isize, signed, to_isize;
        }

        impl<B: Base, N: ArrayLength> ToPrimitive for $Type<B, N> {
            fn to_i64(&self) -> Option<i64> {
                self.to_i128()?.try_into().ok()
            }

            fn to_u64(&self) -> Option<u64> {
                self.to_u128()?.try_into().ok()
            }

            fn to_i128(&self) -> Option<i128> {
                (self.needed_bits(true) <= 128).then(|| self.low_128_bits() as i128)
            }

            fn to_u128(&self) -> Option<u128> {
                let negative = *self < Self::zero();
                (!negative && self.needed_bits(false) <= 128).then(|| self.low_128_bits())
            }

            /// The number rounded to 24 significant bits, or infinity.
            fn to_f32(&self) -> Option<f32> {
                self.to_big().to_f32()
            }

            /// The number rounded to 53 significant bits, or infinity.
            fn to_f64(&self) -> Option<f64> {
                self.to_big().to_f64()
            }
        }

        impl<B: Base, N: ArrayLength> FromPrimitive for $Type<B, N> {
            fn from_i64(value: i64) -> Option<Self> {
                Self::from_primitive(value).ok()
            }

            fn from_u64(value: u64) -> Option<Self> {
                Self::from_primitive(value).ok()
            }

            fn from_i128(value: i128) -> Option<Self> {
                Self::from_primitive(value).ok()
            }

            fn from_u128(value: u128) -> Option<Self> {
                Self::from_primitive(value).ok()
            }

            /// The number without its fraction.
            fn from_f64(value: f64) -> Option<Self> {
                BigInt::from_f64(value).and_then(|value| Self::from_signed_big(&value))
            }
        }
    };
}

stamp!(Uint);
stamp!(Int);
