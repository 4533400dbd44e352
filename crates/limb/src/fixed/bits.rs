//! Bits (tests, counts, rotations and shifts), bytes and 64-bit words.

use crate::slice::{bits, shift, words};
use crate::{convert, error::RangeError};

methods! { Uint Int:
    /// Bit `index`, counted from the least significant; false from `BITS` on.
    fn bit(&self, index: u32) -> bool = bits::bit(&self.limbs, index);

    /// Whether the number is a multiple of 2.
    ///
    /// ```
    /// use limbforge_limb::{I256, U256};
    /// assert!(U256::zero().is_even() && I256::from(-6).is_even());
    /// ```
    fn is_even(&self) -> bool = !self.bit(0);

    /// Whether the number is not a multiple of 2.
    ///
    /// ```
    /// use limbforge_limb::{I256, U256};
    /// assert!(U256::from(7_u8).is_odd() && I256::from(-7).is_odd());
    /// ```
    fn is_odd(&self) -> bool = self.bit(0);

    /// Number of one bits.
    fn count_ones(&self) -> u32 = bits::count_ones(&self.limbs);
    /// Number of zero bits.
    fn count_zeros(&self) -> u32 = Self::BITS - self.count_ones();
    /// Number of zero bits above the highest one; `BITS` for 0.
    fn leading_zeros(&self) -> u32 = Self::BITS - bits::bit_len(&self.limbs);
    /// Number of zero bits below the lowest one; `BITS` for 0.
    fn trailing_zeros(&self) -> u32 = bits::trailing_zeros(&self.limbs);
    /// Number of one bits above the highest zero; `BITS` if there is none.
    fn leading_ones(&self) -> u32 = (!self).leading_zeros();
    /// Number of one bits below the lowest zero; `BITS` if there is none.
    fn trailing_ones(&self) -> u32 = (!self).trailing_zeros();

    /// The `BITS` bits rotated to the left by `n mod BITS`.
    fn rotate_left(&self, n: u32) -> Self =
        Self::filled(|out| shift::rotate_left(out, &self.limbs, n, Self::BITS));

    /// The `BITS` bits rotated to the right by `n mod BITS`.
    fn rotate_right(&self, n: u32) -> Self =
        Self::filled(|out| shift::rotate_right(out, &self.limbs, n, Self::BITS));

    /// `self * 2^n mod 2^BITS`, which is 0 for `n >= BITS`. The same as `<<`.
    fn unbounded_shl(&self, n: u32) -> Self = Self::filled(|out| shift::shl(out, &self.limbs, n));
    /// `self << (n mod BITS)`.
    fn wrapping_shl(&self, n: u32) -> Self = self.unbounded_shl(n % Self::BITS);
    /// `self >> (n mod BITS)`.
    fn wrapping_shr(&self, n: u32) -> Self = self.unbounded_shr(n % Self::BITS);
    /// `self << n` without the bits shifted out, or `None` unless `n < BITS`.
    fn checked_shl(&self, n: u32) -> Option<Self> = (n < Self::BITS).then(|| self.unbounded_shl(n));
    /// `self >> n`, or `None` unless `n < BITS`.
    fn checked_shr(&self, n: u32) -> Option<Self> = (n < Self::BITS).then(|| self.unbounded_shr(n));

    /// `floor(self / 2^n)`, for any n. The same as `>>`.
    fn unbounded_shr(&self, n: u32) -> Self = Self::filled(|out| match Self::TYPE.is_signed() {
        true => shift::shr_signed(out, &self.limbs, n),
        false => shift::shr(out, &self.limbs, n),
    });

    /// The `BITS / 8` bytes of the number, least significant first.
    fn to_le_bytes(&self) -> Vec<u8> = {
        let mut bytes = vec![0; N::USIZE * B::BYTES];
        convert::to_le_bytes(&self.limbs, &mut bytes);
        bytes
    };

    /// The `BITS / 8` bytes of the number, most significant first.
    fn to_be_bytes(&self) -> Vec<u8> = {
        let mut bytes = self.to_le_bytes();
        bytes.reverse();
        bytes
    };

    /// The `BITS` bits as 64-bit words, least significant first, the format of many other libraries. The last
    /// word is filled up with zeros.
    ///
    /// ```
    /// use limbforge_limb::{IntM, UintM};
    /// assert_eq!((UintM::<u32, 4>::from(5_u8) << 64).to_words64(), [0, 5]);
    /// assert_eq!(IntM::<u32, 3>::from(-1).to_words64(), [u64::MAX, u64::from(u32::MAX)]);
    /// ```
    fn to_words64(&self) -> Vec<u64> = {
        let mut packed = vec![0; words::words_for::<B>(N::USIZE)];
        words::pack(&mut packed, &self.limbs);
        packed
    };
}

both! {
    impl {
        /// Sets bit `index`, counted from the least significant, to `value`. Does nothing from `BITS` on.
        ///
        /// ```
        /// use limbforge_limb::{I256, U256};
        /// let (mut a, mut b) = (U256::from(5_u8), I256::from(-1));
        /// a.set_bit(100, true); a.set_bit(0, false); assert_eq!(a, (1_u128 << 100) + 4);
        /// b.set_bit(0, false); assert_eq!(b, -2);
        /// ```
        #[inline]
        pub fn set_bit(&mut self, index: u32, value: bool) {
            if let Some(limb) = self.limbs.get_mut((index / B::BITS) as usize) {
                let bit = B::ONE << (index % B::BITS) as usize;
                *limb = if value { *limb | bit } else { *limb & !bit };
            }
        }

        /// The number with these bytes, least significant first, in two's complement if the type is signed.
        /// Missing bytes are zeros, or copies of the sign.
        ///
        /// # Errors
        /// [`RangeError`] if the number does not fit.
        pub fn from_le_bytes(bytes: &[u8]) -> Result<Self, RangeError> {
            let signed = Self::TYPE.is_signed();
            let needed = convert::width_of_bytes(bytes, signed);
            if needed > Self::BITS.into() {
                return Err(RangeError { ty: Self::TYPE, needed });
            }
            let negative = signed && bytes.last().is_some_and(|&top| top >> 7 == 1);
            let number = |bytes: &[u8]| Self::filled(|out| _ = convert::from_le_bytes(bytes, out));
            // NOT x = -1 - x is not negative, so that its missing bytes are zeros.
            let not = || bytes.iter().map(|&byte| !byte).collect::<Vec<u8>>();
            Ok(if negative { !number(&not()) } else { number(bytes) })
        }

        /// As [`from_le_bytes`](Self::from_le_bytes), most significant byte first.
        ///
        /// # Errors
        /// [`RangeError`] if the number does not fit.
        pub fn from_be_bytes(bytes: &[u8]) -> Result<Self, RangeError> {
            let bytes: Vec<u8> = bytes.iter().rev().copied().collect();
            Self::from_le_bytes(&bytes)
        }

        /// The number with these 64-bit words, least significant first, in two's complement if the type is
        /// signed. Missing words are zeros, or copies of the sign.
        ///
        /// ```
        /// use limbforge_limb::{IntM, UintM};
        /// assert_eq!(UintM::<u32, 6>::from_words64(&[7, 1])?, (1_u128 << 64) + 7);
        /// assert_eq!(IntM::<u32, 6>::from_words64(&[u64::MAX])?, -1);
        /// # Ok::<(), limbforge_limb::RangeError>(())
        /// ```
        ///
        /// # Errors
        /// [`RangeError`] if the number does not fit.
        pub fn from_words64(words: &[u64]) -> Result<Self, RangeError> {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            Self::from_le_bytes(&bytes)
        }
    }
}
