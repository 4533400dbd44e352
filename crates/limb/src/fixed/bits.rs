//! Bits: tests, counts, rotations and shifts.

use crate::slice::{bits, shift};

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
}

methods! { Uint:
    /// `floor(self / 2^n)`, for any n. The same as `>>`.
    fn unbounded_shr(&self, n: u32) -> Self = Self::filled(|out| shift::shr(out, &self.limbs, n));
}

methods! { Int:
    /// `floor(self / 2^n)`, for any n. The same as `>>`.
    fn unbounded_shr(&self, n: u32) -> Self = Self::filled(|out| shift::shr_signed(out, &self.limbs, n));
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
    }
}
