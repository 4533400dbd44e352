//! Proved primality of 64-bit numbers.

use crate::modular::{mul_mod, pow_mod};

/// Bases of a strong probable prime test that is a proof below 2^64: the first twelve primes suffice below
/// 318665857834031151167461 (Sorenson and Webster, "Strong pseudoprimes to twelve prime bases", Math. Comp.
/// 86, 2017).
pub(crate) const WITNESSES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// Returns true if `n` is prime: Miller-Rabin with twelve bases, a proof for 64-bit numbers, also in constant
/// expressions.
#[must_use]
pub const fn is_prime(n: u64) -> bool {
    if n < 2 {
        return false;
    }
    let mut i = 0;
    while i < WITNESSES.len() {
        if n.is_multiple_of(WITNESSES[i]) {
            return n == WITNESSES[i];
        }
        i += 1;
    }
    let mut i = 0;
    while i < WITNESSES.len() {
        if !passes_strong_test(n, WITNESSES[i]) {
            return false;
        }
        i += 1;
    }
    true
}

/// Returns true if the odd `n` is a strong probable prime to `base`: base^d = 1 or base^(d*2^r) = -1 for some
/// r < s, where n - 1 = d * 2^s with d odd.
const fn passes_strong_test(n: u64, base: u64) -> bool {
    let s = (n - 1).trailing_zeros();
    let mut power = pow_mod(base, (n - 1) >> s, n);
    if power == 1 || power == n - 1 {
        return true;
    }
    let mut r = 1;
    while r < s {
        power = mul_mod(power, power, n);
        if power == n - 1 {
            return true;
        }
        r += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_trial_division_on_small_numbers() {
        let by_division = |n: u64| n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
        assert!((0..20_000).all(|n| is_prime(n) == by_division(n)));
    }

    /// Strong pseudoprimes to the first k primes (OEIS A014233), and Carmichael numbers.
    #[test]
    fn refuses_pseudoprimes() {
        let composites = [
            2047,
            1_373_653,
            25_326_001,
            3_215_031_751,
            2_152_302_898_747,
            3_474_749_660_383,
            341_550_071_728_321,
            3_825_123_056_546_413_051,
            561,
            1105,
            1729,
            294_409,
            9_746_347_772_161,
            u64::MAX,
        ];
        assert!(composites.iter().all(|&n| !is_prime(n)));
    }

    #[test]
    fn accepts_known_primes() {
        let primes =
            [3_221_225_473, 4_179_340_454_199_820_289, 0xffff_ffff_0000_0001, 2_013_265_921, u64::MAX - 58];
        assert!(primes.iter().all(|&n| is_prime(n)));
    }
}
