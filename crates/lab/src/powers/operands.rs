//! Structured operands of powers in a residue number system.

use limbforge::algos::modmul_rns::{Plan, PrimeBase};
use num_bigint::BigUint;

/// Numbers that a seed determines (`SplitMix64`).
#[derive(Clone, Debug)]
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// A number of at most so many bits.
    fn number(&mut self, bits: u32) -> BigUint {
        let words = (0..bits.div_ceil(32)).map(|_| self.next() as u32).collect();
        BigUint::new(words) >> (bits.next_multiple_of(32) - bits)
    }
}

fn power_of_two(bits: u32) -> BigUint {
    BigUint::from(1_u32) << bits
}

/// The moduli of a width: none is 0, and each has at most its bits.
pub(super) fn moduli(plan: &Plan, random: &mut Random) -> Vec<BigUint> {
    let (bits, one) = (plan.bits, BigUint::from(1_u32));
    let all = power_of_two(bits) - 1_u32;
    let mut moduli: Vec<BigUint> = [1_u32, 2, 3, 4, 6].map(BigUint::from).to_vec();
    moduli.extend([1, bits / 4, bits / 2, bits - 2, bits - 1].map(power_of_two));
    moduli.extend((0..8_u32).map(|c| &all - 2 * c));
    moduli.extend([&all - 1_u32, power_of_two(bits - 1) + &one, power_of_two(bits - 1) - &one]);
    for base in [&plan.bases.first, &plan.bases.second] {
        for prime in [base.primes[0].value, base.primes[base.primes.len() - 1].value] {
            let multiple = &all / prime * prime;
            moduli.extend([&multiple - &one, &multiple + &one, multiple, prime.into()]);
        }
        moduli.push(product(base, bits));
    }
    for width in [bits, bits, bits - 1, bits / 2, 40.min(bits)] {
        let number = random.number(width);
        moduli.extend([&number | &one, (number >> 1_u32) << 1_u32]);
    }
    moduli.retain(|modulus| modulus.bits() > 0 && modulus.bits() <= bits.into());
    moduli
}

/// The product of as many primes of a base as fit.
fn product(base: &PrimeBase, bits: u32) -> BigUint {
    base.primes.iter().fold(BigUint::from(1_u32), |product, prime| {
        let next = &product * prime.value;
        if next.bits() <= u64::from(bits) { next } else { product }
    })
}

/// An exponent of at most so many bits: of few bits, a power of two, all ones, or random.
pub(super) fn exponent(bits: u32, random: &mut Random) -> BigUint {
    let k = random.below(bits as usize + 1) as u32;
    match random.below(6) {
        0 => BigUint::from(random.below(4)),
        1 => power_of_two(k.min(bits - 1)),
        2 => power_of_two(k) - 1_u32,
        3 => power_of_two(bits) - 1_u32,
        4 => random.number(k.max(1)),
        _ => random.number(bits),
    }
}

/// A base of at most so many bits: at the ends of 0 .. n - 1, above n, or random.
pub(super) fn base(bits: u32, n: &BigUint, random: &mut Random) -> BigUint {
    let fits = |number: BigUint| if number.bits() <= u64::from(bits) { number } else { n - 1_u32 };
    match random.below(8) {
        0 => BigUint::from(random.below(3)),
        1 | 2 => n - 1_u32,
        3 => fits(n + random.below(3)),
        4 => power_of_two(bits) - 1_u32 - random.below(2),
        5 => random.number(bits) % n,
        _ => random.number(bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moduli_have_all_kinds() {
        for bits in [32, 512, 1000] {
            let plan = Plan::each(bits).unwrap();
            let moduli = moduli(&plan, &mut Random(7));
            let count = |is: &dyn Fn(&BigUint) -> bool| moduli.iter().filter(|&n| is(n)).count();
            assert!(moduli.iter().all(|n| n.bits() > 0 && n.bits() <= u64::from(bits)), "{bits}");
            let divides = |base: &PrimeBase, n: &BigUint| {
                base.primes.iter().any(|prime| n % prime.value == BigUint::ZERO)
            };
            assert!(count(&|n| divides(&plan.bases.first, n)) >= 3, "{bits}");
            assert!(count(&|n| divides(&plan.bases.second, n)) >= 3, "{bits}");
            assert!(count(&|n| !n.bit(0)) > 10 && count(&|n| n.count_ones() == 1) >= 5, "{bits}");
            assert!(count(&|n| n.bits() == u64::from(bits)) > 10, "{bits}");
        }
    }

    #[test]
    fn exponents_and_bases_are_in_range_and_reach_its_ends() {
        let mut random = Random(3);
        let exponents: Vec<BigUint> = (0..500).map(|_| exponent(9, &mut random)).collect();
        assert!(exponents.iter().all(|e| e.bits() <= 9));
        for end in [0_u32, 1, 2, 256, 511] {
            assert!(exponents.contains(&end.into()), "{end}");
        }
        let n = BigUint::from(251_u32);
        let bases: Vec<BigUint> = (0..500).map(|_| base(8, &n, &mut random)).collect();
        assert!(bases.iter().all(|x| x.bits() <= 8));
        for end in [0_u32, 1, 250, 251, 252, 255] {
            assert!(bases.contains(&end.into()), "{end}");
        }
    }
}
