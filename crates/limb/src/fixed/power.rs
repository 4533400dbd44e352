//! Powers, parity, single bits, distances, and text in any radix.

use generic_array::ArrayLength;

use crate::base::Base;
use crate::int::Int;
use crate::text::{self, ParseError};
use crate::uint::Uint;

macro_rules! stamp {
    ($Type:ident, $doc_type:literal) => {
        impl<B: Base, N: ArrayLength> $Type<B, N> {
            /// `self^exponent mod 2^BITS`, with `0^0 = 1`.
            ///
            /// ```
            #[doc = concat!("use limbforge_limb::", $doc_type, ";")]
            #[doc = concat!("assert_eq!(", $doc_type, "::from(3_u8).pow(5), 243);")]
            /// ```
            #[must_use]
            pub fn pow(&self, exponent: u32) -> Self {
                self.power(exponent, |a, b| Some(a.wrapping_mul(b))).unwrap_or_default()
            }

            /// `self^exponent`, or `None` if it does not fit.
            ///
            /// ```
            #[doc = concat!("use limbforge_limb::", $doc_type, ";")]
            #[doc = concat!("let two = ", $doc_type, "::from(2_u8);")]
            /// assert_eq!(two.checked_pow(254), Some(two << 253)); assert_eq!(two.checked_pow(256), None);
            /// ```
            #[must_use]
            pub fn checked_pow(&self, exponent: u32) -> Option<Self> {
                self.power(exponent, Self::checked_mul)
            }

            /// The power by squarings and products, or `None` if one of these is. No intermediate exceeds the
            /// power.
            fn power(&self, exponent: u32, mul: impl Fn(&Self, &Self) -> Option<Self>) -> Option<Self> {
                let bits = (0..u32::BITS - exponent.leading_zeros()).rev();
                bits.into_iter().try_fold(Self::one(), |power, bit| {
                    let square = mul(&power, &power)?;
                    if exponent >> bit & 1 == 1 { mul(&square, self) } else { Some(square) }
                })
            }

            /// Whether the number is a multiple of 2.
            ///
            /// ```
            #[doc = concat!("use limbforge_limb::", $doc_type, ";")]
            #[doc = concat!("assert!([0_u8, 6].map(", $doc_type, "::from).iter().all(", $doc_type, "::is_even));")]
            /// ```
            #[inline]
            #[must_use]
            pub fn is_even(&self) -> bool {
                !self.bit(0)
            }

            /// Whether the number is not a multiple of 2.
            ///
            /// ```
            #[doc = concat!("use limbforge_limb::", $doc_type, ";")]
            #[doc = concat!("assert!(", $doc_type, "::from(7_u8).is_odd());")]
            /// ```
            #[inline]
            #[must_use]
            pub fn is_odd(&self) -> bool {
                self.bit(0)
            }

            /// Sets bit `index`, counted from the least significant, to `value`. Does nothing from `BITS` on.
            ///
            /// ```
            #[doc = concat!("use limbforge_limb::", $doc_type, ";")]
            #[doc = concat!("let mut number = ", $doc_type, "::from(5_u8);")]
            /// number.set_bit(100, true); number.set_bit(0, false); assert_eq!(number, (1_u128 << 100) + 4);
            /// ```
            #[inline]
            pub fn set_bit(&mut self, index: u32, value: bool) {
                if let Some(limb) = self.limbs.get_mut((index / B::BITS) as usize) {
                    let bit = B::ONE << (index % B::BITS) as usize;
                    *limb = if value { *limb | bit } else { *limb & !bit };
                }
            }

            /// The number with these digits in a radix from 2 to 36, after an optional sign and without a
            /// prefix.
            ///
            /// ```
            #[doc = concat!("use limbforge_limb::{", $doc_type, ", text::ParseError};")]
            #[doc = concat!("assert_eq!(", $doc_type, "::from_str_radix(\"zz\", 36)?, 36 * 36 - 1);")]
            /// # Ok::<(), ParseError>(())
            /// ```
            ///
            /// # Errors
            /// [`ParseError`] if the radix is not 2 to 36, there are no digits, a byte is not a digit, or the
            /// number does not fit.
            pub fn from_str_radix(digits: &str, radix: u32) -> Result<Self, ParseError> {
                Self::parse_digits(digits, radix)
            }

            /// The number in a radix from 2 to 36, in lower case, after a `-` if it is negative.
            ///
            /// ```
            #[doc = concat!("use limbforge_limb::{", $doc_type, ", text::ParseError};")]
            #[doc = concat!("assert_eq!(", $doc_type, "::from(1295_u16).to_string_radix(36)?, \"zz\");")]
            /// # Ok::<(), ParseError>(())
            /// ```
            ///
            /// # Errors
            /// [`ParseError::Radix`] unless the radix is 2 to 36.
            pub fn to_string_radix(&self, radix: u32) -> Result<String, ParseError> {
                let (negative, magnitude) = self.sign_and_magnitude();
                let mut digits = if negative { vec![b'-'] } else { vec![] };
                text::write_radix(&magnitude.limbs, radix, &mut digits)?;
                // All digits are ASCII.
                Ok(digits.into_iter().map(char::from).collect())
            }

            /// The distance `|self - other|`, which always fits.
            ///
            /// ```
            #[doc = concat!("use limbforge_limb::", $doc_type, ";")]
            #[doc = concat!("let [a, b] = [3_u8, 10].map(", $doc_type, "::from);")]
            /// assert_eq!((a.abs_diff(&b), b.abs_diff(&a)), (7_u8.into(), 7_u8.into()));
            /// ```
            #[must_use]
            pub fn abs_diff(&self, other: &Self) -> Uint<B, N> {
                let (larger, smaller) = if self < other { (other, self) } else { (self, other) };
                Uint { limbs: larger.wrapping_sub(smaller).limbs }
            }
        }
    };
}

stamp!(Uint, "U256");
stamp!(Int, "I256");
