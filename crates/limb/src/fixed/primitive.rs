//! Primitive integers as operands, and conversions from them.

use generic_array::ArrayLength;

use crate::base::Base;
use crate::convert;
use crate::error::RangeError;
use crate::int::Int;
use crate::slice::sub;
use crate::uint::Uint;

/// A primitive integer: `u8` to `u128`, `usize`, `i8` to `i128`, `isize`.
///
/// [`Uint`] and [`Int`] accept each of them as an operand (`a + 1`, `a % 10_u64`, `a == 5`) and convert it
/// ([`from_primitive`](Uint::from_primitive)). The trait is sealed.
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
            #[allow(clippy::cast_lossless, clippy::unnecessary_cast, reason = "one expression for all widths")]
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

/// The signed value of a sign and a magnitude; `None` outside of `i128`.
fn signed(negative: bool, magnitude: u128) -> Option<i128> {
    if negative { 0_i128.checked_sub_unsigned(magnitude) } else { i128::try_from(magnitude).ok() }
}

macro_rules! stamp {
    ($Type:ident) => {
        impl<B: Base, N: ArrayLength> $Type<B, N> {
            /// The number with the value of any primitive integer.
            ///
            /// `From` accepts only types that always fit, which the compiler checks.
            ///
            /// ```
            #[doc = concat!("use limbforge_limb::{", stringify!($Type), "M, RangeError};")]
            #[doc = concat!("type Small = ", stringify!($Type), "M<u32, 1>;")]
            ///
            /// assert_eq!(Small::from_primitive(7_u64)?, 7);
            /// assert!(Small::from_primitive(u64::MAX).is_err());
            /// # Ok::<(), RangeError>(())
            /// ```
            ///
            /// `From` a type that may not fit does not compile:
            ///
            /// ```compile_fail,E0080
            #[doc = concat!("use limbforge_limb::", stringify!($Type), "M;")]
            #[doc = concat!("assert_eq!(", stringify!($Type), "M::<u32, 1>::from(7_u64), 7);")]
            /// ```
            ///
            /// # Errors
            /// [`RangeError`] if the value does not fit.
            pub fn from_primitive(value: impl Primitive) -> Result<Self, RangeError> {
                match value.parts() {
                    (false, magnitude) => Self::from_widest_unsigned(magnitude),
                    (true, magnitude) => match signed(true, magnitude) {
                        Some(value) => Self::from_widest_signed(value),
                        // No primitive is below `i128::MIN`.
                        None => Err(RangeError { ty: Self::TYPE, needed: 129 }),
                    },
                }
            }

            /// The value of a primitive integer mod `2^BITS`.
            ///
            /// ```
            #[doc = concat!("use limbforge_limb::", stringify!($Type), "M;")]
            #[doc = concat!("type Small = ", stringify!($Type), "M<u32, 1>;")]
            ///
            /// assert_eq!(Small::wrapping_from(-1), Small::zero() - 1);
            /// assert_eq!(Small::wrapping_from((1_u64 << 32) + 5), 5);
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
        }
    };
}

stamp!(Uint);
stamp!(Int);
