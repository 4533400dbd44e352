//! The primes of a product by transforms, and operands that hold residues modulo them.

use limbforge_field::{digits::largest_sum, primality::is_prime};
use num_bigint::BigUint;

use crate::invariant::broken_invariant;

/// Bits of a digit of `mul_ntt`: a whole word, so that none is cut out of the operands.
pub const DIGIT_BITS: u32 = 64;

/// The smallest prime that `templates/residue28.cuh` takes.
const LEAST: u32 = 1 << 28;

/// Primes above this leave too few spare bits.
const MOST: u32 = LEAST + LEAST / 4;

/// Fixed-point bits of `crt.cuh`'s quotient, whose error stays below 2^-28 of the product of the primes.
const QUOTIENT_BITS: u32 = 28;

/// The residues of a product's coefficients that a kernel of transforms leaves for the next one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Residues {
    /// The primes.
    pub primes: PrimeSet,
    /// Coefficients of an instance.
    pub digits: u32,
    /// The index among the results of the kernel of transforms.
    pub index: u32,
}

/// Primes p = 1 mod 2^k a little above 2^28, in increasing order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PrimeSet(Vec<u32>);

impl PrimeSet {
    /// The fewest and smallest primes whose product exceeds the largest sum of `terms` products of `digits`
    /// digits each, `terms * digits * (2^64 - 1)^2`, with transforms of `points` points, a power of two.
    /// `None` if seven are too few.
    #[must_use]
    pub fn for_sums(terms: u64, digits: u64, points: u32) -> Option<Self> {
        let largest = largest_sum(&(BigUint::from(terms) * digits), DIGIT_BITS);
        let step = points.max(1 << 14);
        (1..=7).find_map(|count| from_root(&largest, count, step).filter(|primes| primes.holds(&largest)))
    }

    /// The primes in increasing order.
    #[must_use]
    pub fn primes(&self) -> &[u32] {
        &self.0
    }

    pub(crate) fn largest(&self) -> u32 {
        *self.0.last().unwrap_or_else(|| broken_invariant("a set of primes has one"))
    }

    /// The product of the primes.
    #[must_use]
    pub fn product(&self) -> BigUint {
        self.0.iter().map(|&p| BigUint::from(p)).product()
    }

    /// Whether `largest` is below the product of the primes by more than the fixed-point quotient's error.
    fn holds(&self, largest: &BigUint) -> bool {
        let product = self.product();
        *largest < &product - (&product >> QUOTIENT_BITS) - 1u32
    }
}

/// `count` primes from the `count`-th root of `largest` on.
fn from_root(largest: &BigUint, count: u32, step: u32) -> Option<PrimeSet> {
    // A little above the root, for the error of the fixed-point quotient.
    let root = largest.nth_root(count) + 2u32;
    let least = u32::try_from(root).ok().filter(|&root| root <= MOST)?.max(LEAST);
    let first = (least - 1).div_ceil(step) * step + 1;
    let primes: Vec<u32> =
        (first..MOST).step_by(step as usize).filter(|&p| is_prime(p.into())).take(count as usize).collect();
    (primes.len() == count as usize).then_some(PrimeSet(primes))
}

impl Residues {
    /// Words from one instance's residues modulo a prime to the next one's: whole vectors of four.
    pub(crate) const fn plane(digits: u32) -> u32 {
        digits.next_multiple_of(4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The set of the design's prototype: 2^140 for up to 2^12 digits.
    #[test]
    fn five_primes_up_to_four_thousand_digits() {
        let set = PrimeSet::for_sums(1, 1 << 12, 1 << 13).map(|set| set.0);
        assert_eq!(set, Some(vec![268_582_913, 268_664_833, 268_730_369, 268_779_521, 268_861_441]));
    }

    #[test]
    fn the_product_exceeds_the_sum_and_one_prime_less_does_not() {
        for digits in [1u32, 8, 100, 1 << 12, 1 << 13, 1 << 14] {
            for terms in [1, 2, 3, 9] {
                let points = (2 * digits).next_power_of_two();
                let set = PrimeSet::for_sums(terms, digits.into(), points).expect("a set exists");
                let largest = largest_sum(&(BigUint::from(terms) * digits), DIGIT_BITS);
                assert!(largest < set.product());
                assert!(set.0.iter().all(|p| p % points == 1 && is_prime(u64::from(*p))));
                assert!(set.0.windows(2).all(|pair| pair[0] < pair[1]));
                assert!(set.0[1..].iter().map(|&p| BigUint::from(p)).product::<BigUint>() <= largest);
            }
        }
    }
}
