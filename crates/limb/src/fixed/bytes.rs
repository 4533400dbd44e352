//! Bytes and 64-bit words.

use crate::{convert, error::RangeError, slice::words};

methods! { Uint Int:
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
