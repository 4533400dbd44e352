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

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::super::{Scratch, div_rem_with, quotient_with};
    use crate::convert::{from_biguint, to_biguint};

    /// Limbs at the edges of carries, and pseudorandom ones.
    fn limbs(len: usize, seed: u64) -> Vec<u64> {
        let mut state = seed;
        let mut limb = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            [0, 1, u64::MAX, 1 << 63, u64::MAX, state, state, state >> 9][(state >> 33) as usize % 8]
        };
        (0..len).map(|_| limb()).collect()
    }

    #[test]
    fn rows_of_fixed_lengths_leave_what_is_exact() {
        let mut scratch = Scratch::new();
        // Longer divisors, too, whose lowest digits have such rows, and quotients of squares.
        let lengths = (3..=37).chain([64, 70]);
        for (n, extra, seed) in lengths
            .flat_map(|n| [1, 8, 30, 33, 34, 36].map(|k| (n, k)))
            .flat_map(|(n, k)| (0..12).map(move |s| (n, k, s)))
        {
            let (m, mut divisor) = (n + extra, limbs(n, 977 * seed + extra as u64));
            divisor[n - 1] |= 1 << [63, 63, 0, 31][seed as usize % 4];
            let mut dividend = limbs(m, 5 * seed + n as u64);
            // A multiple of the divisor, one less, or the largest number below a power of B times the divisor.
            let product = to_biguint(&divisor) * to_biguint(&limbs(extra, seed));
            let near = match seed % 4 {
                0 => product,
                1 if product != BigUint::ZERO => product - 1_u32,
                2 => (to_biguint(&divisor) << (64 * extra)) - 1_u32,
                _ => to_biguint(&dividend),
            };
            assert!(from_biguint(&near, &mut dividend));
            let (a, b) = (to_biguint(&dividend), to_biguint(&divisor));
            let (mut quotient, mut alone, mut rest) = (vec![7; m], vec![7; m], vec![7; n]);
            quotient_with(&mut alone, &dividend, &divisor, &mut scratch).unwrap();
            assert_eq!(to_biguint(&alone), &a / &b, "{dividend:x?} by {divisor:x?}");
            div_rem_with(&mut quotient, &mut rest, &dividend, &divisor, &mut scratch).unwrap();
            assert_eq!((quotient, to_biguint(&rest)), (alone, a % b), "{dividend:x?} by {divisor:x?}");
        }
    }
}
