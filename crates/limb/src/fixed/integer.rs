//! A trait of both types, for code that is generic over the sign.

use core::fmt::{Debug, Display};
use core::hash::Hash;
use core::str::FromStr;

use generic_array::ArrayLength;

use crate::text::ParseError;
use crate::{base::Base, int::Int, int_type::IntType, uint::Uint};

/// Seals [`FixedInt`].
mod sealed {
    pub trait Sealed {}
}

/// A fixed-width integer: a [`Uint`] or an [`Int`]. The trait is sealed.
///
/// ```
/// use limbforge_limb::{FixedInt, I256, U256};
///
/// fn describe<T: FixedInt>(value: &T) -> String {
///     format!("{value} of {}, {}", T::TYPE, if value.is_negative() { "negative" } else { "not negative" })
/// }
///
/// assert_eq!(describe(&U256::from(7_u8)), "7 of u256, not negative");
/// assert_eq!(describe(&I256::from(-7)), "-7 of i256, negative");
/// ```
pub trait FixedInt:
    Clone
    + Debug
    + Default
    + Display
    + FromStr<Err = ParseError>
    + Hash
    + Ord
    + Send
    + Sync
    + sealed::Sealed
    + 'static
{
    /// The limb.
    type Limb: Base;
    /// The number of limbs, as a type.
    type Len: ArrayLength;
    /// The width and the signedness as a value.
    const TYPE: IntType;

    /// The limbs, least significant first.
    #[must_use]
    fn as_limbs(&self) -> &[Self::Limb];

    /// The limbs, least significant first, to write to.
    #[must_use]
    fn as_limbs_mut(&mut self) -> &mut [Self::Limb];

    /// Whether the number is below 0.
    #[must_use]
    fn is_negative(&self) -> bool;

    /// The absolute value, which always fits.
    #[must_use]
    fn unsigned_abs(&self) -> Uint<Self::Limb, Self::Len>;

    /// `magnitude`, or `-magnitude`, mod `2^BITS`.
    #[must_use]
    fn from_sign_and_magnitude(negative: bool, magnitude: Uint<Self::Limb, Self::Len>) -> Self;
}

macro_rules! stamp {
    ($Type:ident, |$value:ident| $negative:expr, $magnitude:expr) => {
        impl<B: Base, N: ArrayLength> sealed::Sealed for $Type<B, N> {}

        impl<B: Base, N: ArrayLength> FixedInt for $Type<B, N> {
            type Limb = B;
            type Len = N;
            const TYPE: IntType = Self::TYPE;

            #[inline]
            fn as_limbs(&self) -> &[B] {
                &self.limbs
            }

            #[inline]
            fn as_limbs_mut(&mut self) -> &mut [B] {
                &mut self.limbs
            }

            #[inline]
            fn is_negative(&self) -> bool {
                let $value = self;
                $negative
            }

            #[inline]
            fn unsigned_abs(&self) -> Uint<B, N> {
                let $value = self;
                $magnitude
            }

            #[inline]
            fn from_sign_and_magnitude(negative: bool, magnitude: Uint<B, N>) -> Self {
                let mut number = Self { limbs: magnitude.limbs };
                if negative {
                    crate::slice::sub::neg_assign(&mut number.limbs);
                }
                number
            }
        }
    };
}

stamp!(Uint, |_value| false, _value.clone());
stamp!(Int, |value| value.is_negative(), value.unsigned_abs());
