//! Bits: tests, counts and shifts.

use generic_array::ArrayLength;

use crate::base::Base;
use crate::int::Int;
use crate::slice::{bits, rotate, shift};
use crate::uint::Uint;

macro_rules! stamp {
    ($Type:ident, $shr:path) => {
        impl<B: Base, N: ArrayLength> $Type<B, N> {
            /// Bit `index`, counted from the least significant; false from `BITS` on.
            #[inline]
            #[must_use]
            pub fn bit(&self, index: u32) -> bool {
                bits::bit(&self.limbs, index)
            }

            /// Number of one bits.
            #[inline]
            #[must_use]
            pub fn count_ones(&self) -> u32 {
                bits::count_ones(&self.limbs)
            }

            /// Number of zero bits.
            #[inline]
            #[must_use]
            pub fn count_zeros(&self) -> u32 {
                Self::BITS - self.count_ones()
            }

            /// Number of zero bits above the highest one; `BITS` for 0.
            #[inline]
            #[must_use]
            pub fn leading_zeros(&self) -> u32 {
                Self::BITS - bits::bit_len(&self.limbs)
            }

            /// Number of zero bits below the lowest one; `BITS` for 0.
            #[inline]
            #[must_use]
            pub fn trailing_zeros(&self) -> u32 {
                bits::trailing_zeros(&self.limbs)
            }

            /// Number of one bits above the highest zero; `BITS` if there is none.
            #[inline]
            #[must_use]
            pub fn leading_ones(&self) -> u32 {
                Self::filled(|out| bits::not(out, &self.limbs)).leading_zeros()
            }

            /// Number of one bits below the lowest zero; `BITS` if there is none.
            #[inline]
            #[must_use]
            pub fn trailing_ones(&self) -> u32 {
                Self::filled(|out| bits::not(out, &self.limbs)).trailing_zeros()
            }

            /// The `BITS` bits rotated to the left by `n mod BITS`.
            #[inline]
            #[must_use]
            pub fn rotate_left(&self, n: u32) -> Self {
                Self::filled(|out| rotate::rotate_left(out, &self.limbs, n, Self::BITS))
            }

            /// The `BITS` bits rotated to the right by `n mod BITS`.
            #[inline]
            #[must_use]
            pub fn rotate_right(&self, n: u32) -> Self {
                Self::filled(|out| rotate::rotate_right(out, &self.limbs, n, Self::BITS))
            }

            /// `self * 2^n mod 2^BITS`, which is 0 for `n >= BITS`. The same as `<<`.
            #[inline]
            #[must_use]
            pub fn unbounded_shl(&self, n: u32) -> Self {
                Self::filled(|out| shift::shl(out, &self.limbs, n))
            }

            /// `floor(self / 2^n)`, for any n. The same as `>>`.
            #[inline]
            #[must_use]
            pub fn unbounded_shr(&self, n: u32) -> Self {
                Self::filled(|out| $shr(out, &self.limbs, n))
            }

            /// `self << (n mod BITS)`.
            #[inline]
            #[must_use]
            pub fn wrapping_shl(&self, n: u32) -> Self {
                self.unbounded_shl(n % Self::BITS)
            }

            /// `self >> (n mod BITS)`.
            #[inline]
            #[must_use]
            pub fn wrapping_shr(&self, n: u32) -> Self {
                self.unbounded_shr(n % Self::BITS)
            }

            /// `self << n` without the bits shifted out, or `None` unless `n < BITS`.
            #[inline]
            #[must_use]
            pub fn checked_shl(&self, n: u32) -> Option<Self> {
                (n < Self::BITS).then(|| self.unbounded_shl(n))
            }

            /// `self >> n`, or `None` unless `n < BITS`.
            #[inline]
            #[must_use]
            pub fn checked_shr(&self, n: u32) -> Option<Self> {
                (n < Self::BITS).then(|| self.unbounded_shr(n))
            }
        }
    };
}

stamp!(Uint, shift::shr);
stamp!(Int, shift::shr_signed);
