//! Garner's mixed-radix recombination (Garner, "The residue number system", 1959; Knuth, TAOCP 2, 4.3.2).

use num_bigint::BigUint;
use num_traits::Zero;

use super::{ResidueError, check};
use crate::digits::PrimeSet;
use crate::modular::{inv_mod_prime, mul_mod};

/// Recombination by mixed-radix digits: `x = v_1 + v_2*p_1 + v_3*p_1*p_2 + ...` with `v_i < p_i`. All
/// arithmetic before the last sum is modulo single primes. Numbers compare as their digits, highest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Garner {
    primes: Vec<u64>,
    /// `p_j^-1 mod p_i` at `[i][j]`, j < i.
    inverses: Vec<Vec<u64>>,
}

impl Garner {
    /// The constants of a set of primes.
    #[must_use]
    pub fn new(set: &PrimeSet) -> Self {
        let primes = set.primes().to_vec();
        let row = |i: usize| primes[..i].iter().map(|&p| inv_mod_prime(p % primes[i], primes[i])).collect();
        let inverses = (0..primes.len()).map(row).collect();
        Self { primes, inverses }
    }

    /// `p_j^-1 mod p_i` at `[i][j]`, for j < i.
    #[must_use]
    pub fn inverses(&self) -> &[Vec<u64>] {
        &self.inverses
    }

    /// `v_1`, `v_2`, ... of the number with these residues.
    ///
    /// # Errors
    /// [`ResidueError`] unless there is one residue below each prime.
    pub fn mixed_radix(&self, residues: &[u64]) -> Result<Vec<u64>, ResidueError> {
        check(&self.primes, residues)?;
        let mut digits: Vec<u64> = Vec::with_capacity(residues.len());
        for (i, (&p, &residue)) in self.primes.iter().zip(residues).enumerate() {
            let reduce = |value, (&digit, &inverse): (&u64, &u64)| {
                let difference = (u128::from(value) + u128::from(p - digit % p)) % u128::from(p);
                mul_mod(difference as u64, inverse, p)
            };
            let digit = digits.iter().zip(&self.inverses[i]).fold(residue, reduce);
            digits.push(digit);
        }
        Ok(digits)
    }

    /// The number from 0 to P - 1 with these residues.
    ///
    /// # Errors
    /// [`ResidueError`] unless there is one residue below each prime.
    pub fn recombine(&self, residues: &[u64]) -> Result<BigUint, ResidueError> {
        let digits = self.mixed_radix(residues)?;
        let horner = |sum: BigUint, (&p, digit): (&u64, u64)| sum * p + digit;
        Ok(self.primes.iter().zip(digits).rev().fold(BigUint::zero(), horner))
    }
}
