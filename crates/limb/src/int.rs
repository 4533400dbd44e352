//! Two's complement integers of a fixed number of limbs: sign, absolute value and conversions.

use core::ops::Neg;
use std::borrow::Cow;

use generic_array::{ArrayLength, GenericArray};
use num_bigint::BigInt;
use num_traits::Signed;

use crate::{base::Base, convert, error::RangeError, fixed::FixedInt, uint::Uint};

mod arithmetic;

/// A two's complement integer of N limbs `B`: `-2^(BITS-1)` to `2^(BITS-1) - 1`, where `BITS = N * B::BITS`.
///
/// It has the operators and methods of [`Uint`]. `+ - *` and unary `-` are exact modulo `2^BITS`. `/` and `%`
/// round towards 0 and panic on a zero divisor, as `std` integers do; the smallest number divided by -1 wraps
/// to itself. `>>` copies the sign.
///
/// For a width that ends within a limb, such as 131 bits, use [`IntType`](crate::IntType) and
/// [`Batch`](crate::Batch).
///
/// ```
/// use limbforge_limb::Int;
/// use typenum::U3;
///
/// let a: Int<u32, U3> = "-7".parse()?;
/// assert_eq!([&a / 2, &a % 2, &a >> 1].map(|x| x.to_string()), ["-3", "-1", "-4"]);
/// assert_eq!(Int::<u32, U3>::min_value().checked_neg(), None);
/// assert_eq!(format!("{a} {a:x} {a:?}"), "-7 fffffffffffffffffffffff9 Int(-0x7)");
/// # Ok::<(), limbforge_limb::text::ParseError>(())
/// ```
pub struct Int<B: Base, N: ArrayLength> {
    pub(crate) limbs: GenericArray<B, N>,
}

methods! { Int:
    /// The smallest number, `-2^(BITS-1)`.
    fn min_value() -> Self = !Self::max_value();
    /// The largest number, `2^(BITS-1) - 1`.
    fn max_value() -> Self = (Uint::<B, N>::max_value() >> 1).cast_signed();
    /// Whether the number is below 0.
    fn is_negative(&self) -> bool = FixedInt::is_negative(self);
    /// Whether the number is above 0.
    fn is_positive(&self) -> bool = !self.is_negative() && !self.is_zero();

    /// The sign: -1, 0 or 1.
    fn signum(&self) -> Self = match (self.is_negative(), self.is_zero()) {
        (true, _) => !Self::zero(),
        (_, true) => Self::zero(),
        _ => Self::one(),
    };

    /// The absolute value, 0 to `2^(BITS-1)`, which always fits.
    fn unsigned_abs(&self) -> Uint<B, N> = FixedInt::unsigned_abs(self);

    /// The absolute value mod `2^BITS`: the smallest number stays as it is.
    fn wrapping_abs(self) -> Self = self.unsigned_abs().cast_signed();

    /// The absolute value, or `None` for the smallest number.
    fn checked_abs(&self) -> Option<Self> =
        Some(self.clone().wrapping_abs()).filter(|magnitude| !magnitude.is_negative());

    /// The same bits as an unsigned number.
    fn cast_unsigned(self) -> Uint<B, N> = Uint { limbs: self.limbs };
}

impl<B: Base, N: ArrayLength> Int<B, N> {
    /// The number in M limbs, mod `2^BITS` of that width. `TryFrom` checks that it fits.
    #[must_use]
    pub fn resize<M: ArrayLength>(&self) -> Int<B, M> {
        let kept = M::USIZE.min(N::USIZE);
        Int::filled(|out| {
            out.fill(if self.is_negative() { B::HIGHEST } else { B::ZERO });
            out[..kept].copy_from_slice(&self.limbs[..kept]);
        })
    }

    pub(crate) fn from_big(value: &BigInt) -> Result<Self, RangeError> {
        let mut number = Self::zero();
        convert::from_bigint(value, Self::TYPE, &mut number.limbs)?;
        Ok(number)
    }

    pub(crate) fn sign_and_magnitude(&self) -> (bool, Cow<'_, Uint<B, N>>) {
        (self.is_negative(), Cow::Owned(self.unsigned_abs()))
    }
}

unary!(Int: Neg neg, |number| number.wrapping_neg());

impls! { Int:
    Signed {
        /// Wraps: the absolute value of the smallest number is itself.
        fn abs(&self) -> Self = self.clone().wrapping_abs();
        fn abs_sub(&self, other: &Self) -> Self = if self <= other { Self::zero() } else { self - other };
        fn signum(&self) -> Self = Self::signum(self);
        fn is_positive(&self) -> bool = Self::is_positive(self);
        fn is_negative(&self) -> bool = Self::is_negative(self);
    }
}
