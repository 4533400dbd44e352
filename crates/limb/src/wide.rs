//! The double-width companion of a limb.

use core::fmt::Debug;

/// A word of twice the width of limb `B`, which holds any product of two limbs. [`Pair<B>`](crate::Pair)
/// serves every limb with an even number of bits.
pub trait Wide<B>: Copy + Debug + Default + Eq {
    /// The word `high * 2^BITS + low`.
    fn from_parts(low: B, high: B) -> Self;

    /// The low limb.
    fn low(self) -> B;

    /// The high limb.
    fn high(self) -> B;

    /// `self + rhs mod B^2`, and whether the sum reached `B^2`.
    #[must_use]
    fn overflowing_add(self, rhs: Self) -> (Self, bool);

    /// (quotient, remainder) by one limb.
    ///
    /// The caller ensures `high < divisor`, so that the quotient fits a limb; otherwise the result is
    /// unspecified or a panic. [`Base::checked_div_rem_wide`](crate::Base::checked_div_rem_wide) checks it.
    ///
    /// ```
    /// use limbforge_limb::Wide;
    /// // (7 * 2^32 + 5) / 9
    /// let wide = <u64 as Wide<u32>>::from_parts(5, 7);
    /// assert_eq!(wide.div_rem_limb(9_u32), (3_340_530_119, 6));
    /// ```
    fn div_rem_limb(self, divisor: B) -> (B, B);
}

macro_rules! primitive_wide {
    ($($wide:ident $limb:ident),*) => {$(
        crate::__limb_impls! { $wide: Wide<$limb> {
            fn from_parts(low: $limb, high: $limb) -> Self =
                <$wide>::from(high) << <$limb>::BITS | <$wide>::from(low);
            fn low(self) -> $limb = self as $limb;
            fn high(self) -> $limb = (self >> <$limb>::BITS) as $limb;
            fn overflowing_add(self, rhs: Self) -> (Self, bool) = <$wide>::overflowing_add(self, rhs);
            fn div_rem_limb(self, divisor: $limb) -> ($limb, $limb) = {
                let divisor = <$wide>::from(divisor);
                ((self / divisor) as $limb, (self % divisor) as $limb)
            };
        }}
    )*};
}

primitive_wide!(u64 u32, u128 u64);
