//! Primitive integers as operands: conversion, products, quotients and comparison.
//!
//! The primitive is taken at its exact value, whatever the width and sign of the number.

use core::cmp::Ordering;

use generic_array::ArrayLength;

use crate::error::{DivisionByZero, RangeError};
use crate::{base::Base, convert, slice::sub, uint::Uint};

/// A primitive integer: `u8` to `u128`, `usize`, `i8` to `i128`, `isize`.
///
/// [`Uint`] and [`Int`](crate::Int) accept them as operands (`a + 1`, `a % 10_u64`, `a == 5`) and convert
/// them ([`from_primitive`](Uint::from_primitive)). The trait is sealed.
pub trait Primitive: parts::Parts {}

/// Seals [`Primitive`].
pub(crate) mod parts {
    /// A primitive integer in sign and magnitude.
    pub trait Parts: Copy {
        /// (whether the value is negative, the absolute value).
        fn parts(self) -> (bool, u128);
    }
}

macro_rules! primitives {
    (|$value:ident| $parts:expr; $($primitive:ty)*) => {$(
        impl parts::Parts for $primitive {
            #[inline]
            #[allow(clippy::cast_lossless, clippy::unnecessary_cast, reason = "one text for all widths")]
            fn parts(self) -> (bool, u128) {
                let $value = self;
                $parts
            }
        }

        impl Primitive for $primitive {}
    )*};
}

primitives!(|value| (false, value as u128); u8 u16 u32 u64 u128 usize);
primitives!(|value| (value < 0, value.unsigned_abs() as u128); i8 i16 i32 i64 i128 isize);

both! {
    impl {
        /// The number with the value of any primitive integer.
        ///
        /// `From` accepts only types that always fit, which the compiler checks.
        ///
        /// ```
        /// use limbforge_limb::{IntM, RangeError, UintM};
        /// assert_eq!(UintM::<u32, 1>::from_primitive(7_u64)?, 7);
        /// assert_eq!(IntM::<u32, 1>::from_primitive(-7_i64)?, -7);
        /// assert!(UintM::<u32, 1>::from_primitive(-7).is_err());
        /// assert!(IntM::<u32, 1>::from_primitive(u64::MAX).is_err());
        /// # Ok::<(), RangeError>(())
        /// ```
        ///
        /// `From` a type that may not fit does not compile:
        ///
        /// ```compile_fail,E0080
        /// assert_eq!(limbforge_limb::UintM::<u32, 1>::from(7_u64), 7);
        /// ```
        ///
        /// # Errors
        /// [`RangeError`] if the value does not fit.
        pub fn from_primitive(value: impl Primitive) -> Result<Self, RangeError> {
            let (negative, magnitude) = value.parts();
            // -2^(n-1) fits n bits.
            let bits = u128::BITS - (magnitude - u128::from(negative)).leading_zeros();
            let needed = bits + u32::from(negative || Self::TYPE.is_signed());
            if needed > Self::BITS || negative && !Self::TYPE.is_signed() {
                return Err(RangeError { ty: Self::TYPE, needed: needed.into() });
            }
            Ok(Self::wrapping_from(value))
        }

        /// The value of a primitive integer mod `2^BITS`.
        ///
        /// ```
        /// use limbforge_limb::{IntM, UintM};
        /// assert_eq!(UintM::<u32, 1>::wrapping_from(-1), u32::MAX);
        /// assert_eq!(IntM::<u32, 1>::wrapping_from((1_u64 << 32) + 5), 5);
        /// ```
        #[inline]
        #[must_use]
        pub fn wrapping_from(value: impl Primitive) -> Self {
            let (negative, magnitude) = value.parts();
            Self::filled(|out| {
                // Bytes above the limbs are a multiple of 2^BITS.
                _ = convert::from_le_bytes(&magnitude.to_le_bytes(), out);
                if negative {
                    sub::neg_assign(out);
                }
            })
        }

        /// `self * factor mod 2^BITS`.
        pub(super) fn times_primitive(&self, factor: impl Primitive) -> Self {
            let (negative, factor) = factor.parts();
            // Modulo 2^BITS, the sign of the factor does not matter.
            let mut product = Uint { limbs: self.limbs.clone() }.times(factor);
            if negative {
                sub::neg_assign(&mut product.limbs);
            }
            Self { limbs: product.limbs }
        }

        /// (`self / rhs` rounded towards 0, the remainder, which has the sign of `self`), mod `2^BITS`.
        pub(super) fn div_rem_primitive(&self, rhs: impl Primitive) -> Result<(Self, Self), DivisionByZero> {
            let (divisor_negative, divisor) = rhs.parts();
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
}

impl<B: Base, N: ArrayLength> Uint<B, N> {
    /// `self * factor mod 2^BITS`.
    fn times(&self, factor: u128) -> Self {
        let Some(factor) = <B as num_traits::NumCast>::from(factor) else {
            return self.wrapping_mul(&Self::wrapping_from(factor));
        };
        let mut carry = B::ZERO;
        Self::filled(|out| {
            for (out, &limb) in out.iter_mut().zip(&self.limbs) {
                (*out, carry) = limb.carrying_mul_add(factor, B::ZERO, carry);
            }
        })
    }

    /// (quotient, remainder) by a divisor that may be wider than the number.
    fn divided_by(&self, divisor: u128) -> Result<(Self, Self), DivisionByZero> {
        if let Some(divisor) = <B as num_traits::NumCast>::from(divisor) {
            let (quotient, rest) = self.div_rem_limb(divisor)?;
            return Ok((quotient, Self::filled(|out| out[0] = rest)));
        }
        match Self::from_primitive(divisor) {
            Ok(divisor) => self.div_rem(&divisor),
            Err(_) => Ok((Self::zero(), self.clone())),
        }
    }

    fn compared(&self, other: u128) -> Ordering {
        if self.bits() > u128::BITS { Ordering::Greater } else { self.low_128_bits().cmp(&other) }
    }
}

impls! { Uint Int:
    /// A number equals any primitive of the same value, whatever the primitive's type.
    [P: Primitive,] PartialEq<P> {
        fn eq(&self, other: &P) -> bool = self.partial_cmp(other) == Some(Ordering::Equal);
    }
    /// The order of the values, whatever the primitive's type.
    [P: Primitive,] PartialOrd<P> {
        fn partial_cmp(&self, other: &P) -> Option<Ordering> = {
            let (negative, magnitude) = self.sign_and_magnitude();
            Some(match (negative, other.parts()) {
                (false, (true, _)) => Ordering::Greater,
                (true, (false, _)) => Ordering::Less,
                (false, (false, other)) => magnitude.compared(other),
                (true, (true, other)) => magnitude.compared(other).reverse(),
            })
        };
    }
}
