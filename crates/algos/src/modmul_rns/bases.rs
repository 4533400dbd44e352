//! The two bases of a residue number system.

use num_bigint::BigUint;

use super::prime::Prime;

/// Primes that hold a number by its residues, and their product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrimeBase {
    /// The primes, k of them.
    pub primes: Vec<Prime>,
    /// Their product.
    pub product: BigUint,
}

impl PrimeBase {
    fn new(primes: Vec<Prime>) -> Self {
        let product = primes.iter().fold(BigUint::from(1_u32), |product, prime| product * prime.value);
        Self { primes, product }
    }

    /// The values of the primes.
    pub(crate) fn values(&self) -> impl Iterator<Item = u32> {
        self.primes.iter().map(|prime| prime.value)
    }

    /// The product of all but this prime, modulo this prime.
    pub(crate) fn cofactor(&self, own: usize) -> u32 {
        let prime = self.primes[own];
        prime.product(self.values().enumerate().filter(|&(i, _)| i != own).map(|(_, value)| value))
    }
}

/// Base 1, whose product P is Montgomery's radix, and base 2 with product Q: k primes each, all different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bases {
    /// Base 1: primes `p_i`, product P.
    pub first: PrimeBase,
    /// Base 2: primes `q_j`, product Q.
    pub second: PrimeBase,
}

impl Bases {
    /// The 2k largest primes, alternately to the bases.
    pub(crate) fn new(residues: usize) -> Self {
        let primes = Prime::largest(2 * residues);
        let every_second =
            |first: usize| PrimeBase::new(primes[first..].iter().copied().step_by(2).collect());
        Self { first: every_second(0), second: every_second(1) }
    }

    /// k, the primes of a base.
    #[must_use]
    pub const fn residues(&self) -> usize {
        self.first.primes.len()
    }
}
