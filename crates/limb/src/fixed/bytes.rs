//! Byte images.

use generic_array::ArrayLength;

use crate::base::Base;
use crate::convert;
use crate::error::RangeError;
use crate::int::Int;
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
        }
    };
}

stamp!(Uint);
stamp!(Int);
