//! Numbers as residues, into the system and out of it.

use num_bigint::{BigInt, BigUint};

use super::bounds::estimate;
use super::error::TooWide;
use super::matrix::Joining;
use super::plan::Plan;
use super::prime::Prime;

/// A number z as k residues `z s_i mod p_i` in base 1 and k residues `z d_j mod q_j` in base 2, in the lazy
/// form that a kernel keeps: any word of the class in base 1, any below `2^31` in base 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Residues {
    /// The residues in base 1.
    pub first: Vec<u32>,
    /// The residues in base 2.
    pub second: Vec<u32>,
}

impl Plan {
    /// The residues of a number below `2^bits`: a product of a matrix with its bytes.
    ///
    /// # Errors
    /// [`TooWide`] if the number has more bits than the plan.
    pub fn enter(&self, number: &BigUint) -> Result<Residues, TooWide> {
        if number.bits() > self.bits.into() {
            return Err(TooWide { bits: self.bits, found: number.bits() });
        }
        let mut words = number.to_u32_digits();
        words.resize(self.enter.slots(), 0);
        let residue = |(row, prime): (usize, Prime)| {
            let sum = self.enter.product(row, &words, Joining::Separate);
            prime.subtract_once(prime.reduce(sum))
        };
        let (k, bases) = (self.residues(), &self.bases);
        let all = bases.first.primes.iter().chain(&bases.second.primes).copied();
        let mut first: Vec<u32> = all.enumerate().map(residue).collect();
        let second = first.split_off(k);
        Ok(Residues { first, second })
    }

    /// `floor(sum x_j / q_j + 1/2)`, exact if `|z| <= lambda N`: `sum x_j Q/q_j = z + alpha Q`.
    pub(crate) fn alpha(second: &[u32]) -> u32 {
        estimate(second.iter().map(|&x| u64::from(x >> 16)).sum())
    }

    /// The number z of residues, from `-lambda 2^bits` to `lambda 2^bits`: a product of a matrix with the
    /// bytes of base 2.
    #[must_use]
    pub fn value(&self, residues: &Residues) -> BigInt {
        let mut sum = BigUint::ZERO;
        for row in (0..self.leave.rows()).rev() {
            sum = (sum << 32_u32) + self.leave.product(row, &residues.second, Joining::Separate);
        }
        BigInt::from(sum) - BigInt::from(&self.bases.second.product * Self::alpha(&residues.second))
    }
}
