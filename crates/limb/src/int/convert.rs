//! Other widths, unsigned integers, num-bigint, bytes and digits.

use std::borrow::Cow;

use generic_array::ArrayLength;
use num_bigint::BigInt;

use super::Int;
use crate::base::Base;
use crate::convert;
use crate::error::RangeError;
use crate::slice::bits;
use crate::text::{self, ParseError};
use crate::uint::Uint;

impl<B: Base, N: ArrayLength> Int<B, N> {
    /// The same bits as an unsigned number.
    #[inline]
    #[must_use]
    pub fn cast_unsigned(self) -> Uint<B, N> {
        Uint { limbs: self.limbs }
    }

    /// The number in M limbs, mod `2^BITS` of that width. `TryFrom` returns an error if the number does not
    /// fit.
    #[must_use]
    pub fn resize<M: ArrayLength>(&self) -> Int<B, M> {
        let kept = M::USIZE.min(N::USIZE);
        Int::filled(|out| {
            let (low, above) = out.split_at_mut(kept);
            low.copy_from_slice(&self.limbs[..kept]);
            above.fill(self.sign_limb());
        })
    }

    /// The number with these bytes in two's complement, least significant first; the sign bit of the last
    /// byte extends upwards.
    ///
    /// # Errors
    /// [`RangeError`] if the number does not fit.
    pub fn from_le_bytes(bytes: &[u8]) -> Result<Self, RangeError> {
        // NOT x = -1 - x has the other sign and fits exactly if x fits: only nonnegative numbers remain.
        let negative = bytes.last().is_some_and(|&top| top >> 7 == 1);
        let mask = if negative { 0xff } else { 0 };
        let magnitude: Vec<u8> = bytes.iter().map(|&byte| byte ^ mask).collect();
        let mut number = Self::zero();
        if convert::from_le_bytes(&magnitude, &mut number.limbs) && !number.is_negative() {
            return Ok(if negative { !number } else { number });
        }
        Err(RangeError { ty: Self::TYPE, needed: convert::bit_len_of_bytes(&magnitude) + 1 })
    }

    /// A limb of copies of the sign bit.
    fn sign_limb(&self) -> B {
        if self.is_negative() { B::HIGHEST } else { B::ZERO }
    }

    /// Width of the narrowest type of this signedness that holds the number; of a signed type if it is
    /// negative.
    pub(crate) fn needed_bits(&self, signed: bool) -> u64 {
        if self.is_negative() {
            u64::from(bits::bit_len(&(!self).limbs)) + 1
        } else {
            u64::from(bits::bit_len(&self.limbs)) + u64::from(signed)
        }
    }

    pub(crate) fn low_128_bits(&self) -> u128 {
        let fill = if self.is_negative() { u128::MAX.checked_shl(Self::BITS).unwrap_or(0) } else { 0 };
        let mut image = [0; 16];
        convert::to_le_bytes(&self.limbs, &mut image);
        u128::from_le_bytes(image) | fill
    }

    pub(crate) fn from_widest_unsigned(value: u128) -> Result<Self, RangeError> {
        let mut image = [0; 17];
        image[..16].copy_from_slice(&value.to_le_bytes());
        Self::from_le_bytes(&image)
    }

    pub(crate) fn from_widest_signed(value: i128) -> Result<Self, RangeError> {
        Self::from_le_bytes(&value.to_le_bytes())
    }

    pub(crate) fn to_big(&self) -> BigInt {
        convert::to_bigint(&self.limbs, Self::TYPE)
    }

    pub(crate) fn from_big(value: &BigInt) -> Result<Self, RangeError> {
        let mut number = Self::zero();
        convert::from_bigint(value, Self::TYPE, &mut number.limbs)?;
        Ok(number)
    }

    pub(crate) fn from_signed_big(value: &BigInt) -> Option<Self> {
        Self::from_big(value).ok()
    }

    pub(crate) fn sign_and_magnitude(&self) -> (bool, Cow<'_, Uint<B, N>>) {
        (self.is_negative(), Cow::Owned(self.unsigned_abs()))
    }

    pub(crate) fn from_sign_and_digits(
        negative: bool,
        digits: &[u8],
        radix: u32,
    ) -> Result<Self, ParseError> {
        let range = |needed| ParseError::Range(RangeError { ty: Self::TYPE, needed });
        let mut magnitude = Uint::zero();
        text::parse_radix(digits, radix, &mut magnitude.limbs).map_err(|error| match error {
            ParseError::TooWide { needed, .. } => range(needed + 1),
            other => other,
        })?;
        let number = Self::with_sign(negative, magnitude);
        if number.is_zero() || number.is_negative() == negative {
            return Ok(number);
        }
        Err(range(u64::from(Self::BITS) + 1))
    }
}
