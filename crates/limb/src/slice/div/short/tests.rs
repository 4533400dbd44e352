use num_bigint::BigUint;

use super::*;
use crate::convert::to_biguint;

/// Limbs at the edges of carries, and pseudorandom ones, by a sequence of choices.
fn limbs(len: usize, seed: u64) -> Vec<u64> {
    let mut state = seed;
    let mut limb = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        [0, 1, u64::MAX, 1 << 63, (1 << 63) - 1, state, state, state >> 9][(state >> 33) as usize % 8]
    };
    (0..len).map(|_| limb()).collect()
}

#[test]
fn powers_of_two_are_shifts() {
    for (len, i, bits) in
        (1..6).flat_map(|len| (0..40).flat_map(move |i| [0, 1, 31, 63].map(|bits| (len, i, bits))))
    {
        let (dividend, divisor) = (limbs(len, i), [1_u64 << bits]);
        let (mut quotient, mut rest) = (vec![7; len + 1], [7; 2]);
        assert!(div_rem(&mut quotient, &mut rest, &dividend, &divisor));
        assert_eq!(to_biguint(&quotient), to_biguint(&dividend) >> bits);
        assert_eq!(rest, [dividend[0] % divisor[0], 0]);
        assert!(div_rem(&mut [], &mut rest, &dividend, &divisor));
        assert_eq!(rest, [dividend[0] % divisor[0], 0]);
    }
}

#[test]
fn quotients_without_lower_products_are_exact() {
    for (n, m, seed) in (2..=MOST_OF_QUOTIENTS)
        .flat_map(|n| (n..2 * n + 8).flat_map(move |m| (0..60).map(move |s| (n, m, s))))
    {
        let mut divisors = [2 * seed, 2 * seed + 1].map(|seed| limbs(n, 977 * seed + m as u64));
        divisors.iter_mut().for_each(|divisor| divisor[n - 1] |= 1 << (seed % 64));
        let mut dividends = [5 * seed, 7 * seed + 1].map(|seed| limbs(m, seed));
        // A multiple of the divisor, or one less: where products left out decide.
        let factor = BigUint::from(seed) << (64 * (m - n) as u64).saturating_sub(7);
        let exact = to_biguint(&divisors[0]) * factor;
        let near = if seed % 2 == 0 || exact == BigUint::ZERO { exact } else { exact - 1_u32 };
        if near.bits() <= 64 * m as u64 {
            assert!(crate::convert::from_biguint(&near, &mut dividends[0]));
        }
        let mut quotients = [vec![7; m], vec![7; m]];
        let out = quotients.each_mut().map(|quotient| &mut quotient[..]);
        let (none, [a, c], [b, d]) = ([&mut [][..], &mut []], &dividends, &divisors);
        macro_rules! of_lengths {
            ($($n:literal)*) => {
                match n {
                    $($n => by_limbs::<u64, $n, 2>(out, none, [a, c], [b, d]),)*
                    _ => assert!(div_rem_trimmed(out, none, [a, c], [b, d])),
                }
            };
        }
        of_lengths!(9 10 11 12 13 14 15 16);
        for ((quotient, dividend), divisor) in quotients.iter().zip(&dividends).zip(&divisors) {
            assert_eq!(to_biguint(quotient), to_biguint(dividend) / to_biguint(divisor), "{dividend:x?}");
        }
    }
}
