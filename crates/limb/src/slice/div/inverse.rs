//! Digits of quotients by inverses of two limbs, which are known earlier than those by inverses of one limb.

use super::schoolbook::{self, div_three_by_two};
use crate::base::Base;
use crate::invariant::broken_invariant;
use crate::wide::Wide;

/// The inverse of a divisor's top two limbs, whose top bit is set, to two limbs:
/// `floor((B^4 - 1) / (d1 B + d0)) - B^2`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inverse<B> {
    high: B,
    low: B,
}

impl<B: Base> Inverse<B> {
    /// A place for an inverse.
    pub(super) const ZERO: Self = Self { high: B::ZERO, low: B::ZERO };

    #[inline(always)]
    pub(super) fn new(divisor: &[B]) -> Self {
        let [.., d0, d1] = *divisor else { broken_invariant("the divisor has two limbs") };
        let high = schoolbook::inverse(divisor);
        // Left of B^3 - 1 is the complement of `(B + high) (d1 B + d0) mod B^2`.
        let product = high.widening_mul(d0);
        let upper = product.high().wrapping_add(high.widening_mul(d1).low()).wrapping_add(d0);
        let (low, _) = div_three_by_two((!upper, !product.low(), B::HIGHEST), (d1, d0), high);
        Self { high, low }
    }

    /// As [`div_three_by_two`]. Without the remainder the digit is known earlier, and what waits for it begins.
    ///
    /// With U = u2 B + u1 and V the inverse, the quotient in units of 1/B is at least `U + U V / B^2` and less than 3
    /// more. The sum here leaves out the product of the low limbs and the low halves of two others: less than 3, too.
    #[inline(always)]
    pub(super) fn divide(self, u: (B, B, B), (d1, d0): (B, B)) -> (B, (B, B)) {
        let Self { high, low } = self;
        let (u2, u1, u0) = u;
        let wide = |low| B::Wide::from_parts(low, B::ZERO);
        let (sum, _) = u2.widening_mul(high).overflowing_add(B::Wide::from_parts(u1, u2));
        let (sum, _) = sum.overflowing_add(wide(u2.widening_mul(low).high()));
        let (sum, _) = sum.overflowing_add(wide(u1.widening_mul(high).high()));
        let (_, is_near) = sum.low().carrying_add(B::from_word(ERROR), false);
        if B::BITS < 3 || is_near {
            return exact(u2, u1, u0, d1, d0, high);
        }
        let digit = sum.high();
        let product = digit.widening_mul(d0);
        let (r0, over) = u0.borrowing_sub(product.low(), false);
        let (r1, _) = u1.borrowing_sub(product.high(), over);
        (digit, (r0, r1.wrapping_sub(digit.widening_mul(d1).low())))
    }
}

/// The sum of [`Inverse::divide`] is too small by so many or less, or by a part of one more.
const ERROR: u64 = 5;

/// Where the next digit is near: for random numbers, with a probability of 6/B. Limbs by themselves, so that they stay
/// in registers.
#[cold]
#[inline(never)]
fn exact<B: Base>(u2: B, u1: B, u0: B, d1: B, d0: B, inverse: B) -> (B, (B, B)) {
    div_three_by_two((u2, u1, u0), (d1, d0), inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_of_two_limbs_find_the_digits_of_those_of_one() {
        let half = 1_u32 << 31;
        let edges =
            [0, 1, 2, 5, 85, half - 1, half, half + 1, 0xaaaa_aaab, 0xffff_0001, u32::MAX - 1, u32::MAX];
        let high = |x: u64| (x >> 32) as u32;
        for (d1, d0) in edges.iter().flat_map(|&d1| edges.map(|d0| (d1 | half, d0))) {
            let (inverse, one) = (Inverse::new(&[d0, d1]), schoolbook::inverse(&[d0, d1]));
            let d = u64::from(d1) << 32 | u64::from(d0);
            let expected = u128::MAX / u128::from(d) - (1 << 64);
            assert_eq!(u128::from(inverse.high) << 32 | u128::from(inverse.low), expected);
            let near = [d - 1, d - 2, d / 2, d / 2 + 1, d / 3].map(|u| (high(u), u as u32));
            let mixed = edges.iter().flat_map(|&u2| edges.map(|u1| (u2, u1)));
            for (u2, u1) in near.into_iter().chain(mixed).filter(|&u| u < (d1, d0)) {
                for u0 in edges.into_iter().chain([d0, d1]) {
                    let found = inverse.divide((u2, u1, u0), (d1, d0));
                    assert_eq!(found, div_three_by_two((u2, u1, u0), (d1, d0), one), "{u2} {u1} {u0} by {d}");
                }
            }
        }
    }
}
