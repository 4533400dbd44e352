//! Recombination of residues modulo different primes to the number below their product: the reference of the
//! recombination of coefficients in generated code.

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

use crate::digits::PrimeSet;
use crate::invariant::broken_invariant;
use crate::modular::{inv_mod_prime, mul_mod};

/// The residues do not match the primes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResidueError {
    /// The number of residues differs from the number of primes.
    #[error("expected {expected} residues, one for each prime; found {found}")]
    Count {
        /// The number of primes.
        expected: usize,
        /// The number of residues.
        found: usize,
    },
    /// A residue is not below its prime.
    #[error("residue {index} is {found}; expected less than its prime {prime}")]
    Range {
        /// Index of the residue.
        index: usize,
        /// The prime.
        prime: u64,
        /// The residue.
        found: u64,
    },
}

/// The residues of a number modulo each prime of a set.
#[must_use]
pub fn residues(set: &PrimeSet, number: &BigUint) -> Vec<u64> {
    set.primes().iter().map(|&p| remainder(number, p)).collect()
}

fn remainder(number: &BigUint, p: u64) -> u64 {
    (number % p).to_u64().unwrap_or_else(|| broken_invariant("a residue fits its word"))
}

/// Recombination as a sum: `x = sum y_i * (P/p_i) mod P`, where `y_i = x_i * (P/p_i)^-1 mod p_i`.
///
/// ```
/// use limbforge_field::{crt::Crt, digits::PrimeSet};
/// let crt = Crt::new(&PrimeSet::new("tiny", &[3, 5, 7])?);
/// assert_eq!(crt.recombine(&[2, 3, 2])?, 23_u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crt {
    primes: Vec<u64>,
    product: BigUint,
    cofactors: Vec<BigUint>,
    inverses: Vec<u64>,
}

impl Crt {
    /// The constants of a set of primes.
    #[must_use]
    pub fn new(set: &PrimeSet) -> Self {
        let primes = set.primes().to_vec();
        let cofactors: Vec<BigUint> = primes.iter().map(|&p| set.product() / p).collect();
        let inverse = |(cofactor, &p): (&BigUint, &u64)| inv_mod_prime(remainder(cofactor, p), p);
        let inverses = cofactors.iter().zip(&primes).map(inverse).collect();
        Self { primes, product: set.product().clone(), cofactors, inverses }
    }

    /// `P/p_i`.
    #[must_use]
    pub fn cofactors(&self) -> &[BigUint] {
        &self.cofactors
    }

    /// `(P/p_i)^-1 mod p_i`.
    #[must_use]
    pub fn inverses(&self) -> &[u64] {
        &self.inverses
    }

    /// The number from 0 to P - 1 with these residues.
    ///
    /// # Errors
    /// [`ResidueError`] unless there is one residue below each prime.
    pub fn recombine(&self, residues: &[u64]) -> Result<BigUint, ResidueError> {
        if self.primes.len() != residues.len() {
            return Err(ResidueError::Count { expected: self.primes.len(), found: residues.len() });
        }
        let mut sum = BigUint::zero();
        for (index, (&found, &prime)) in residues.iter().zip(&self.primes).enumerate() {
            if found >= prime {
                return Err(ResidueError::Range { index, prime, found });
            }
            sum += &self.cofactors[index] * mul_mod(found, self.inverses[index], prime);
        }
        Ok(sum % &self.product)
    }
}

#[cfg(test)]
mod tests;
