//! The double-width companion of a limb.

use core::fmt::Debug;

use crate::base::Base;

/// A word of twice the width of limb `B`: what a product of two limbs needs.
pub trait Wide<B: Base>: Copy + Debug + Default + Eq {
    /// The word `high * 2^BITS + low`.
    fn from_parts(low: B, high: B) -> Self;

    /// The low limb.
    fn low(self) -> B;

    /// The high limb.
    fn high(self) -> B;

    /// `self + rhs mod B^2`, and whether the sum reached `B^2`.
    #[must_use]
    fn overflowing_add(self, rhs: Self) -> (Self, bool);

    /// (quotient, remainder) by one limb. The caller has checked `high < divisor`, so the quotient fits.
    #[doc(hidden)]
    fn div_rem_limb(self, divisor: B) -> (B, B);
}

macro_rules! impl_wide_primitive {
    ($wide:ty, $limb:ty) => {
        impl Wide<$limb> for $wide {
            #[inline(always)]
            fn from_parts(low: $limb, high: $limb) -> Self {
                <$wide>::from(high) << <$limb>::BITS | <$wide>::from(low)
            }

            #[inline(always)]
            fn low(self) -> $limb {
                self as $limb
            }

            #[inline(always)]
            fn high(self) -> $limb {
                (self >> <$limb>::BITS) as $limb
            }

            #[inline(always)]
            fn overflowing_add(self, rhs: Self) -> (Self, bool) {
                <$wide>::overflowing_add(self, rhs)
            }

            #[inline]
            fn div_rem_limb(self, divisor: $limb) -> ($limb, $limb) {
                let divisor = <$wide>::from(divisor);
                ((self / divisor) as $limb, (self % divisor) as $limb)
            }
        }
    };
}

impl_wide_primitive!(u64, u32);
impl_wide_primitive!(u128, u64);

/// A double-width word kept as two limbs, for limbs whose double the machine does not have (`u128`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair<B> {
    // Declared first so that the derived order is the numeric one.
    high: B,
    low: B,
}

impl Wide<u128> for Pair<u128> {
    #[inline(always)]
    fn from_parts(low: u128, high: u128) -> Self {
        Self { high, low }
    }

    #[inline(always)]
    fn low(self) -> u128 {
        self.low
    }

    #[inline(always)]
    fn high(self) -> u128 {
        self.high
    }

    #[inline(always)]
    fn overflowing_add(self, rhs: Self) -> (Self, bool) {
        let (low, carry) = self.low.carrying_add(rhs.low, false);
        let (high, carry) = self.high.carrying_add(rhs.high, carry);
        (Self { high, low }, carry)
    }

    /// Two steps of Knuth's Algorithm D (TAOCP 2, 4.3.1) in base 2^64.
    fn div_rem_limb(self, divisor: u128) -> (u128, u128) {
        let shift = divisor.leading_zeros();
        let divisor = divisor << shift;
        let high = if shift == 0 { self.high } else { self.high << shift | self.low >> (128 - shift) };
        let low = self.low << shift;
        let (q1, rest) = half_step(high, (low >> 64) as u64, divisor);
        let (q0, rest) = half_step(rest, low as u64, divisor);
        (u128::from(q1) << 64 | u128::from(q0), rest >> shift)
    }
}

/// One quotient digit: `high * 2^64 + next` by a normalised `divisor > high`, as (digit, remainder).
fn half_step(high: u128, next: u64, divisor: u128) -> (u64, u128) {
    let (top, bottom) = (divisor >> 64, divisor & u128::from(u64::MAX));
    let mut digit = (high / top).min(u128::from(u64::MAX));
    let mut rest = high - digit * top;
    // Knuth's test: at most two corrections, and none once `rest` no longer fits one half.
    while rest >> 64 == 0 && digit * bottom > (rest << 64 | u128::from(next)) {
        digit -= 1;
        rest += top;
    }
    let remainder = (rest << 64 | u128::from(next)).wrapping_sub(digit.wrapping_mul(bottom));
    (digit as u64, remainder)
}
