//! The lowest digits of a quotient without its remainder, where [rows](super::short::row) have fixed lengths.

use core::ops::RangeInclusive;

use super::digits::Left;
use super::inverse::Inverse;
use super::short::row::Rows;
use crate::base::Base;
use crate::invariant::broken_invariant;

/// Most digits.
pub(super) const MOST: usize = 33;

/// Digits from the complement of the upper k + 2 limbs of what is left and the upper k + 1 of the divisor, digit j from j + 2.
/// Returns the top two limbs that they leave, or nothing if all digits from one on are B - 1.
#[inline(never)]
pub(super) fn digits<B: Base>(
    rows: Rows,
    mut left: Left<B>,
    quotient: &mut [B],
    (rest, divisor): (&mut [B], &[B]),
    inverse: Inverse<B>,
) -> Option<Left<B>> {
    let k = quotient.len();
    assert!(k <= MOST && divisor.len() == k + 1 && rest.len() == k + 2, "limbs of the digits");
    macro_rules! by_limbs {
        ($($limbs:literal)*) => {$(
            if $limbs < k + 2 {
                let row = |acc: &mut [B], b: &[B], digit| rows.add::<B, $limbs>(acc, b, digit);
                let divisor = &divisor[k + 1 - $limbs..][..$limbs];
                let Some(digit) = left.digit_by(&mut rest[..$limbs + 1], divisor, inverse, row) else {
                    quotient[..$limbs - 1].fill(B::HIGHEST);
                    return None;
                };
                quotient[$limbs - 2] = digit;
            }
        )*};
    }
    by_limbs!(34 33 32 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2);
    Some(left)
}

/// [`of_block`](super::digits::of_block) for divisors that have rows of fixed lengths; returns false, and does nothing, for
/// others.
pub(super) fn block<B: Base>(
    rows: Rows,
    quotient: &mut [B],
    rest: &mut [B],
    divisor: &[B],
    inverse: Inverse<B>,
) -> bool {
    macro_rules! of_limbs {
        ($($limbs:literal)*) => {
            match divisor.len() {
                $($limbs => by_limbs::<B, $limbs>(rows, quotient, rest, divisor, inverse),)*
                _ => return false,
            }
        };
    }
    of_limbs!(9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34);
    true
}

/// Limbs of quotients of which the upper limbs of the divisor have the longest rows of fixed lengths.
const SQUARES: RangeInclusive<usize> = 30..=34;

/// Limbs below them that are better multiplied by the quotient than by its digits one by one. Measured: quotients of 32
/// limbs by 64, of 128 by 128, take 6.72 microseconds for 6.89; those of 24 and 28 limbs take 3 to 5 % longer so.
const BELOW: usize = 24;

/// Whether k digits by n limbs take less time from the upper k limbs, and a product with the others.
#[inline(always)]
pub(super) fn is_square_faster(k: usize, n: usize) -> bool {
    SQUARES.contains(&k) && n >= k + BELOW && Rows::new().is_some()
}

#[inline(never)]
fn by_limbs<B: Base, const N: usize>(
    rows: Rows,
    quotient: &mut [B],
    rest: &mut [B],
    divisor: &[B],
    inverse: Inverse<B>,
) {
    let Some(divisor) = divisor.first_chunk::<N>() else { broken_invariant("the divisor has its limbs") };
    let mut left = Left::new(rest);
    for (j, digit) in quotient.iter_mut().enumerate().rev() {
        let row = |acc: &mut [B], b: &[B], digit| rows.add::<B, N>(acc, b, digit);
        *digit = left
            .digit_by(&mut rest[j..=j + N], divisor, inverse, row)
            .unwrap_or_else(|| broken_invariant("the dividend is below so many divisors"));
    }
    left.finish(&mut rest[..N]);
    rest[N..].fill(B::ZERO);
}
