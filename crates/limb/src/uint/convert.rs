//! Other widths, signed integers, num-bigint, bytes and digits.

use std::borrow::Cow;

use generic_array::ArrayLength;
use num_bigint::{BigInt, BigUint};

use super::Uint;
use crate::base::Base;
use crate::convert;
use crate::error::RangeError;
use crate::int::Int;
use crate::text::{self, ParseError};

impl<B: Base, N: ArrayLength> Uint<B, N> {
    /// The same bits as a two's complement number.
    #[inline]
    #[must_use]
    pub fn cast_signed(self) -> Int<B, N> {
        Int { limbs: self.limbs }
    }

    /// The number in M limbs, mod `2^BITS` of that width. `TryFrom` returns an error if the number does not
    /// fit.
    #[must_use]
    pub fn resize<M: ArrayLength>(&self) -> Uint<B, M> {
        let kept = M::USIZE.min(N::USIZE);
        Uint::filled(|out| out[..kept].copy_from_slice(&self.limbs[..kept]))
    }

    /// The number with these bytes, least significant first; missing bytes are zeros.
    ///
    /// # Errors
    /// [`RangeError`] if a byte beyond the number's `BITS / 8` is not zero.
    pub fn from_le_bytes(bytes: &[u8]) -> Result<Self, RangeError> {
        let mut number = Self::zero();
        if convert::from_le_bytes(bytes, &mut number.limbs) {
            return Ok(number);
        }
        Err(RangeError { ty: Self::TYPE, needed: convert::bit_len_of_bytes(bytes) })
    }

    /// Width of the narrowest type of this signedness that holds the number.
    pub(crate) fn needed_bits(&self, signed: bool) -> u64 {
        u64::from(self.bits()) + u64::from(signed)
    }

    pub(crate) fn low_128_bits(&self) -> u128 {
        let mut image = [0; 16];
        convert::to_le_bytes(&self.limbs, &mut image);
        u128::from_le_bytes(image)
    }

    pub(crate) fn from_widest_unsigned(value: u128) -> Result<Self, RangeError> {
        Self::from_le_bytes(&value.to_le_bytes())
    }

    pub(crate) fn from_widest_signed(value: i128) -> Result<Self, RangeError> {
        match u128::try_from(value) {
            Ok(value) => Self::from_widest_unsigned(value),
            Err(_) => Err(RangeError { ty: Self::TYPE, needed: u64::from(129 - (!value).leading_zeros()) }),
        }
    }

    pub(crate) fn to_big(&self) -> BigUint {
        convert::to_biguint(&self.limbs)
    }

    pub(crate) fn from_big(value: &BigUint) -> Result<Self, RangeError> {
        let mut number = Self::zero();
        if convert::from_biguint(value, &mut number.limbs) {
            return Ok(number);
        }
        Err(RangeError { ty: Self::TYPE, needed: value.bits() })
    }

    pub(crate) fn from_signed_big(value: &BigInt) -> Option<Self> {
        Self::from_big(&value.to_biguint()?).ok()
    }

    pub(crate) fn sign_and_magnitude(&self) -> (bool, Cow<'_, Self>) {
        (false, Cow::Borrowed(self))
    }

    /// The sign is never negative: [`text::sign`](crate::fixed::text::sign) rejects a minus before unsigned
    /// digits.
    pub(crate) fn from_sign_and_digits(
        _negative: bool,
        digits: &[u8],
        radix: u32,
    ) -> Result<Self, ParseError> {
        let mut number = Self::zero();
        text::parse_radix(digits, radix, &mut number.limbs).map_err(|error| match error {
            ParseError::TooWide { needed, .. } => RangeError { ty: Self::TYPE, needed }.into(),
            other => other,
        })?;
        Ok(number)
    }
}
