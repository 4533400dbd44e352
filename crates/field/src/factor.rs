//! The complete factorization of 64-bit numbers: trial division, then Pollard's rho in Brent's form (Brent,
//! "An improved Monte Carlo factorization algorithm", BIT 20, 1980). Every factor is proved prime.

use core::fmt;

use crate::primality::is_prime;
use crate::reduction::{Montgomery, Reduction};

/// Trial division finds divisors below this.
const TRIAL_LIMIT: u64 = 256;

/// Steps whose differences are multiplied before one gcd.
const BATCH: u64 = 128;

/// A number from 1 to 2^64 - 1 as a product of powers of primes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Factorization {
    factors: Vec<PrimePower>,
}

/// `prime^exponent`, the exponent at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PrimePower {
    /// The prime.
    pub prime: u64,
    /// The exponent.
    pub exponent: u32,
}

/// 0 is not a product of primes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("0 has no factorization: expected a number from 1 to 2^64 - 1")]
pub struct FactorZeroError;

/// The factorization of `number`. 1 is the empty product.
///
/// ```
/// assert_eq!(limbforge_field::factor::factor(3_221_225_472)?.to_string(), "2^30 * 3");
/// # Ok::<(), limbforge_field::factor::FactorZeroError>(())
/// ```
///
/// # Errors
/// [`FactorZeroError`] for 0.
pub fn factor(number: u64) -> Result<Factorization, FactorZeroError> {
    if number == 0 {
        return Err(FactorZeroError);
    }
    let mut primes = vec![];
    let mut rest = number;
    for divisor in (2..TRIAL_LIMIT).filter(|&divisor| divisor == 2 || divisor % 2 == 1) {
        while rest.is_multiple_of(divisor) {
            primes.push(divisor);
            rest /= divisor;
        }
    }
    split(rest, &mut primes);
    primes.sort_unstable();
    let powers = primes.chunk_by(|a, b| a == b);
    let factors = powers.map(|equal| PrimePower { prime: equal[0], exponent: equal.len() as u32 }).collect();
    Ok(Factorization { factors })
}

/// Appends the prime factors of a number without divisors below [`TRIAL_LIMIT`].
fn split(number: u64, primes: &mut Vec<u64>) {
    if number == 1 {
        return;
    }
    if number < TRIAL_LIMIT * TRIAL_LIMIT || is_prime(number) {
        primes.push(number);
        return;
    }
    let divisor = divisor(number);
    split(divisor, primes);
    split(number / divisor, primes);
}

/// A divisor other than 1 and `number`, which must be odd and composite, by Pollard's rho in Brent's form.
fn divisor(number: u64) -> u64 {
    let field = Montgomery::<u64>::new(number);
    // A walk x -> x^2 + c fails only if it finds all prime factors at once. Another c gives another walk.
    let mut c = 1;
    loop {
        if let Some(divisor) = walk(number, &field, c) {
            return divisor;
        }
        c += 1;
    }
}

/// Walks until two points agree modulo a factor of the number; `None` if they agree modulo the number itself.
fn walk(number: u64, field: &Montgomery<u64>, c: u64) -> Option<u64> {
    let c = field.encode(c);
    let step = |x: u64| field.add(field.square(x), c);
    let mut y = field.encode(2);
    // Brent: compare the point after 2^i steps with each of the next 2^i points.
    let mut round = 1;
    loop {
        let anchor = y;
        for _ in 0..round {
            y = step(y);
        }
        let mut done = 0;
        while done < round {
            let start = y;
            let batch = BATCH.min(round - done);
            let mut product = field.one();
            for _ in 0..batch {
                y = step(y);
                product = field.mul(product, anchor.abs_diff(y));
            }
            match gcd(product, number) {
                1 => done += batch,
                all if all == number => return single_steps(number, anchor, start, step),
                divisor => return Some(divisor),
            }
        }
        round *= 2;
    }
}

/// Repeats a batch whose product is 0 step by step.
fn single_steps(number: u64, anchor: u64, start: u64, step: impl Fn(u64) -> u64) -> Option<u64> {
    let mut y = start;
    loop {
        y = step(y);
        match gcd(anchor.abs_diff(y), number) {
            1 => {}
            divisor => return (divisor != number).then_some(divisor),
        }
    }
}

/// gcd(a, b) for odd b, by Stein's algorithm; gcd(0, b) = b.
const fn gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 0 {
        return b;
    }
    a >>= a.trailing_zeros();
    while a != b {
        if a < b {
            (a, b) = (b, a);
        }
        a -= b;
        a >>= a.trailing_zeros();
    }
    a
}

impl Factorization {
    /// The prime powers, in ascending order of primes.
    #[must_use]
    pub fn factors(&self) -> &[PrimePower] {
        &self.factors
    }

    /// The number that was factored.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.factors.iter().map(|factor| factor.prime.pow(factor.exponent)).product()
    }
}

impl fmt::Display for PrimePower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exponent {
            1 => write!(f, "{}", self.prime),
            exponent => write!(f, "{}^{exponent}", self.prime),
        }
    }
}

impl fmt::Display for Factorization {
    /// `2^30 * 3`; the empty product is `1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.factors.is_empty() {
            return f.write_str("1");
        }
        for (i, factor) in self.factors.iter().enumerate() {
            let times = if i > 0 { " * " } else { "" };
            write!(f, "{times}{factor}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(number: u64) {
        let factorization = factor(number).unwrap();
        assert_eq!(factorization.number(), number);
        let factors = factorization.factors();
        assert!(
            factors.iter().all(|factor| is_prime(factor.prime) && factor.exponent > 0),
            "{factorization}"
        );
        assert!(factors.is_sorted_by(|a, b| a.prime < b.prime), "{factorization}");
    }

    #[test]
    fn small_numbers_and_zero() {
        assert_eq!(factor(0), Err(FactorZeroError));
        assert_eq!(factor(1).unwrap().to_string(), "1");
        (1..5000).for_each(check);
        // Neighbours of the limit of trial division and its square.
        (65_000..67_500).for_each(check);
    }

    #[test]
    fn hard_numbers() {
        // Squares and products of neighbouring primes below 2^32, cubes, Carmichael numbers, ends of the
        // range.
        let p = 4_294_967_291_u64;
        for number in [
            p * p,
            p * 4_294_967_279,
            2_642_239 * 2_642_239 * 2_642_239,
            257 * 257,
            257_u64.pow(7),
            65_521 * 65_537,
            9_746_347_772_161,
            u64::MAX,
            u64::MAX - 1,
            1 << 63,
            u64::MAX - 58,
        ] {
            check(number);
        }
        assert_eq!(factor(u64::MAX).unwrap().to_string(), "3 * 5 * 17 * 257 * 641 * 65537 * 6700417");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn any_number(number in 1..=u64::MAX) {
            check(number);
        }

        #[test]
        fn products_of_middle_numbers(a in 1_u64 << 20..1 << 32, b in 1_u64 << 20..1 << 32) {
            check(a * b);
        }
    }
}
