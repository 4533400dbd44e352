//! Bytes and 64-bit words.

use generic_array::ArrayLength;

use crate::base::Base;
use crate::convert;
use crate::error::RangeError;
use crate::int::Int;
use crate::slice::words;
use crate::uint::Uint;

macro_rules! stamp {
    ($Type:ident) => {
        impl<B: Base, N: ArrayLength> $Type<B, N> {
            /// The `BITS / 8` bytes of the number, least significant first.
            #[must_use]
            pub fn to_le_bytes(&self) -> Vec<u8> {
                let mut bytes = vec![0; N::USIZE * B::BYTES];
                convert::to_le_bytes(&self.limbs, &mut bytes);
                bytes
            }

            /// The `BITS / 8` bytes of the number, most significant first.
            #[must_use]
            pub fn to_be_bytes(&self) -> Vec<u8> {
                let mut bytes = self.to_le_bytes();
                bytes.reverse();
                bytes
            }

            /// As [`from_le_bytes`](Self::from_le_bytes), most significant byte first.
            ///
            /// # Errors
            /// [`RangeError`] if the number does not fit.
            pub fn from_be_bytes(bytes: &[u8]) -> Result<Self, RangeError> {
                let bytes: Vec<u8> = bytes.iter().rev().copied().collect();
                Self::from_le_bytes(&bytes)
            }

            /// The `BITS` bits as 64-bit words, least significant first, the format of many other libraries.
            /// The last word is filled up with zeros.
            ///
            /// ```
            #[doc = concat!("use limbforge_limb::", stringify!($Type), "M;")]
            #[doc = concat!("let five = ", stringify!($Type), "M::<u32, 4>::from(5_u8);")]
            /// assert_eq!((five << 64).to_words64(), [0, 5]);
            /// ```
            #[must_use]
            pub fn to_words64(&self) -> Vec<u64> {
                let mut packed = vec![0; words::words_for::<B>(N::USIZE)];
                words::pack(&mut packed, &self.limbs);
                packed
            }

            /// The number with these 64-bit words, least significant first, in two's complement if the type
            /// is signed. Missing words are zeros, or copies of the sign.
            ///
            /// ```
            #[doc = concat!("use limbforge_limb::{", stringify!($Type), "M, RangeError};")]
            #[doc = concat!("let number = ", stringify!($Type), "M::<u32, 6>::from_words64(&[7, 1])?;")]
            /// assert_eq!(number, (1_u128 << 64) + 7);
            /// # Ok::<(), RangeError>(())
            /// ```
            ///
            /// # Errors
            /// [`RangeError`] if the number does not fit.
            pub fn from_words64(words: &[u64]) -> Result<Self, RangeError> {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                Self::from_le_bytes(&bytes)
            }
        }
    };
}

stamp!(Uint);
stamp!(Int);
