//! A trait of both types, for code that is generic over the sign.

use core::fmt::{Debug, Display};
use core::{hash::Hash, str::FromStr};

use generic_array::ArrayLength;

use crate::slice::{cmp, sub};
use crate::{base::Base, int_type::IntType, text::ParseError, uint::Uint};

/// Seals [`FixedInt`].
mod sealed {
    pub trait Sealed {}
}

/// A fixed-width integer: a [`Uint`] or an [`Int`](crate::Int). The trait is sealed.
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
    #[inline]
    #[must_use]
    fn is_negative(&self) -> bool {
        Self::TYPE.is_signed() && cmp::is_negative(self.as_limbs(), Self::TYPE.bits())
    }

    /// The absolute value, which always fits.
    #[inline]
    #[must_use]
    fn unsigned_abs(&self) -> Uint<Self::Limb, Self::Len> {
        Uint::filled(|out| {
            out.copy_from_slice(self.as_limbs());
            if self.is_negative() {
                sub::neg_assign(out);
            }
        })
    }

    /// `magnitude`, or `-magnitude`, mod `2^BITS`.
    #[must_use]
    fn from_sign_and_magnitude(negative: bool, magnitude: Uint<Self::Limb, Self::Len>) -> Self;
}

impls! { Uint Int:
    sealed::Sealed {}
    FixedInt {
        type Limb = B;
        type Len = N;
        const TYPE: IntType = Self::TYPE;
        fn as_limbs(&self) -> &[B] = &self.limbs;
        fn as_limbs_mut(&mut self) -> &mut [B] = &mut self.limbs;
        fn from_sign_and_magnitude(negative: bool, mut magnitude: Uint<B, N>) -> Self = {
            if negative {
                sub::neg_assign(&mut magnitude.limbs);
            }
            Self { limbs: magnitude.limbs }
        };
    }
}
