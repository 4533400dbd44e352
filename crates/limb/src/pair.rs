//! The double-width companion of a limb that has none of its own.

use crate::{base::Base, wide::Wide};

/// A double-width word of two limbs, for limbs that have no primitive of twice their width, such as `u128`.
///
/// ```
/// use limbforge_limb::{Base, Pair, Wide};
/// let product = u128::MAX.widening_mul(u128::MAX);
/// assert_eq!(product, Pair::from_parts(1, u128::MAX - 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair<B> {
    // Declared first so that the derived order is the numeric one.
    high: B,
    low: B,
}

impl<B: Base> Wide<B> for Pair<B> {
    #[inline(always)]
    fn from_parts(low: B, high: B) -> Self {
        Self { high, low }
    }

    #[inline(always)]
    fn low(self) -> B {
        self.low
    }

    #[inline(always)]
    fn high(self) -> B {
        self.high
    }

    #[inline(always)]
    fn overflowing_add(self, rhs: Self) -> (Self, bool) {
        let (low, carry) = self.low.carrying_add(rhs.low, false);
        let (high, carry) = self.high.carrying_add(rhs.high, carry);
        (Self { high, low }, carry)
    }

    /// Two steps of Knuth's Algorithm D (TAOCP 2, 4.3.1), a half of a limb each.
    fn div_rem_limb(self, divisor: B) -> (B, B) {
        const { assert!(B::BITS.is_multiple_of(2), "Pair<B> divides by limbs of an even number of bits") };
        let half = (B::BITS / 2) as usize;
        let shift = divisor.leading_zeros() as usize;
        let divisor = divisor << shift;
        let high =
            if shift == 0 { self.high } else { self.high << shift | self.low >> (B::BITS as usize - shift) };
        let low = self.low << shift;
        let (q1, rest) = half_step(high, low >> half, divisor);
        let (q0, rest) = half_step(rest, low & (B::HIGHEST >> half), divisor);
        (q1 << half | q0, rest >> shift)
    }
}

/// One quotient digit of half a limb: `high * 2^half + next` by a normalised `divisor > high`, as (digit,
/// remainder).
fn half_step<B: Base>(high: B, next: B, divisor: B) -> (B, B) {
    let half = (B::BITS / 2) as usize;
    let highest = B::HIGHEST >> half;
    let (top, bottom) = (divisor >> half, divisor & highest);
    let mut digit = (high / top).min(highest);
    let mut rest = high - digit * top;
    // Knuth's test: at most two corrections, and none once `rest` no longer fits one half.
    while rest >> half == B::ZERO && digit * bottom > (rest << half | next) {
        digit = digit - B::ONE;
        rest = rest + top;
    }
    let (product, _) = digit.carrying_mul_add(divisor, B::ZERO, B::ZERO);
    (digit, (high << half | next).wrapping_sub(product))
}
