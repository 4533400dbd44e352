//! The constants that kernels read beside the rows.

use limbforge_algos::modmul_rns::{Plan, Prime};
use num_bigint::BigUint;

use super::{Shape, System};

impl System {
    /// The words that `templates/modmul_rns_power.cuh` reads: of each prime of base 2 q, 1/q, the factor of
    /// products and 2^16, of base 1 p, 1/p, -Q and 2^16; then the residues of 1 in base 2 and in base 1. Each base is
    /// filled up to whole units.
    pub(crate) fn power_constants(&self, shape: &Shape) -> Vec<u32> {
        let plan = self.plan();
        let second = plan.second.iter().map(|c| (c.prime, c.product_factor));
        let first = plan.first.iter().map(|c| (c.prime, c.correction));
        let of_prime = |(prime, factor): (Prime, u32)| [prime.value, prime.inverse, factor, 1 << 16];
        let padded = shape.padded() as usize;
        let mut words: Vec<u32> = second.flat_map(of_prime).collect();
        words.resize(4 * padded, 0);
        words.extend(first.flat_map(of_prime));
        words.resize(8 * padded, 0);
        words.extend(plan.second.iter().map(|c| c.scale));
        words.resize(9 * padded, 0);
        words.extend(plan.first.iter().map(|c| c.scale));
        words.resize(shape.constant_words() as usize, 0);
        words
    }

    /// The words that `templates/modmul_rns_enter.cu.j2` reads, for integers of so many words: of each word w and
    /// prime 2^32 scale 2^(32 w), base 1 first; of each prime p, 1/p, 2^64 and the factor of the constant of the
    /// modulus N: in base 1 that of 1 / N, in base 2 2^96, as the residue of N has the scale.
    pub(crate) fn enter_constants(&self, words: u32) -> Vec<u32> {
        let plan = self.plan();
        let scales = || {
            let first = plan.first.iter().map(|c| (c.prime, c.scale));
            first.chain(plan.second.iter().map(|c| (c.prime, c.scale)))
        };
        let mut powers: Vec<u32> = scales().map(|(prime, scale)| shifted(prime, scale)).collect();
        let mut table = vec![];
        for _ in 0..words {
            table.extend_from_slice(&powers);
            powers.iter_mut().zip(scales()).for_each(|(power, (prime, _))| *power = shifted(prime, *power));
        }
        let square = |prime| shifted(prime, shifted(prime, 1));
        let of_first = plan.first.iter().map(|c| (c.prime, c.factor));
        let of_second = plan.second.iter().map(|c| (c.prime, shifted(c.prime, square(c.prime))));
        for (prime, factor) in of_first.chain(of_second) {
            table.extend([prime.value, prime.inverse, square(prime), factor]);
        }
        table
    }

    /// The words that `templates/modmul_rns_leave.cu.j2` reads: of each prime q the lowest words of Q/q, then
    /// those of Q.
    pub(crate) fn leave_constants(&self) -> Vec<u32> {
        let (plan, words) = (self.plan(), self.value_words() as usize);
        let product = &plan.bases.second.product;
        let quotients = plan.bases.second.primes.iter().map(|prime| product / prime.value);
        let lowest = |number: BigUint| {
            let mut digits = number.to_u32_digits();
            digits.resize(words.max(digits.len()), 0);
            digits.truncate(words);
            digits
        };
        quotients.chain([product.clone()]).flat_map(lowest).collect()
    }

    /// Words of 32 bits of numbers from 0 to 2 lambda N.
    pub(crate) fn value_words(&self) -> u32 {
        let Plan { bits, bounds, .. } = self.plan();
        (bits + (2 * bounds.lambda).ilog2() + 1).div_ceil(32)
    }

    /// P, Montgomery's form of 1 before it is reduced.
    pub(crate) fn radix(&self) -> &BigUint {
        &self.plan().bases.first.product
    }

    /// P^2, which brings numbers into Montgomery's form.
    pub(crate) fn square_of_radix(&self) -> BigUint {
        self.radix() * self.radix()
    }
}

/// a 2^32 mod p.
fn shifted(prime: Prime, a: u32) -> u32 {
    ((u64::from(a) << 32) % u64::from(prime.value)) as u32
}
