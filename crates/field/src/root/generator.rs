//! The smallest generator of the units modulo a prime, with its proof.

use crate::factor::{PrimePower, factor};
use crate::invariant::broken_invariant;
use crate::modular::pow_mod;
use crate::primality::is_prime;
use crate::search::NttPrime;

/// A proof of a generator has a wrong claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RootOfUnityError {
    /// The modulus is not an odd prime.
    #[error("{p} is not an odd prime: roots of order 2^n need one")]
    Modulus {
        /// The modulus.
        p: u64,
    },
    /// The number does not generate the multiplicative group.
    #[error("{g} generates no more than a part of the units modulo {p}: {g}^(({p} - 1) / {q}) = 1")]
    Subgroup {
        /// The number.
        g: u64,
        /// A prime factor of p - 1 such that the order of g divides (p - 1)/q.
        q: u64,
        /// The modulus.
        p: u64,
    },
    /// The prime powers in the proof are not those of p - 1.
    #[error("the factors of the proof are not the prime powers of {p} - 1")]
    Factors {
        /// The modulus.
        p: u64,
    },
    /// The proof's list of smaller non-generators has a gap or a wrong entry.
    #[error("the proof does not refute that {a} generates the units modulo {p}")]
    Smaller {
        /// The smaller number.
        a: u64,
        /// The modulus.
        p: u64,
    },
}

/// A proof that `a` is not a generator: `a^((p-1)/q) = 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Refutation {
    /// The number.
    pub a: u64,
    /// A prime factor of p - 1.
    pub q: u64,
}

/// A proof that `generator` is the smallest generator of the units modulo `p`, checkable without factoring or
/// searching. The fields are public: [`verify`](Self::verify) trusts none of them.
///
/// g is a generator if and only if `g^((p-1)/q)` is not 1 for every prime factor q of p - 1 (Lucas).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GeneratorProof {
    /// The prime, odd.
    pub p: u64,
    /// The generator.
    pub generator: u64,
    /// The prime powers whose product is p - 1, in ascending order.
    pub factors: Vec<PrimePower>,
    /// One refutation for each number from 2 to generator - 1, in ascending order.
    pub smaller: Vec<Refutation>,
}

impl GeneratorProof {
    /// Factors p - 1 and tests 2, 3, ...
    #[must_use]
    pub fn of(prime: NttPrime) -> Self {
        let p = prime.p();
        let factorization = factor(p - 1).unwrap_or_else(|_| broken_invariant("a prime is above 1"));
        let factors = factorization.factors().to_vec();
        let mut smaller = vec![];
        let mut a = 2;
        while let Some(q) = falls_short(a, &factors, p) {
            smaller.push(Refutation { a, q });
            a += 1;
        }
        Self { p, generator: a, factors, smaller }
    }

    /// Checks every claim: p is prime, the factors are primes whose powers multiply to p - 1, `generator` is
    /// a generator, and no smaller number is one.
    ///
    /// # Errors
    /// [`RootOfUnityError`] names the first wrong claim.
    pub fn verify(&self) -> Result<(), RootOfUnityError> {
        let Self { p, generator, ref factors, ref smaller } = *self;
        if p.is_multiple_of(2) || !is_prime(p) {
            return Err(RootOfUnityError::Modulus { p });
        }
        if !are_prime_powers_of(factors, p - 1) {
            return Err(RootOfUnityError::Factors { p });
        }
        if !(1..p).contains(&generator) {
            return Err(RootOfUnityError::Subgroup { g: generator, q: 1, p });
        }
        if let Some(q) = falls_short(generator, factors, p) {
            return Err(RootOfUnityError::Subgroup { g: generator, q, p });
        }
        let mut lines = smaller.iter();
        for a in 2..generator {
            let refutes = |line: &Refutation| {
                line.a == a
                    && (p - 1).is_multiple_of(line.q)
                    && line.q > 1
                    && pow_mod(a, (p - 1) / line.q, p) == 1
            };
            if !lines.next().is_some_and(refutes) {
                return Err(RootOfUnityError::Smaller { a, p });
            }
        }
        lines.next().map_or(Ok(()), |line| Err(RootOfUnityError::Smaller { a: line.a, p }))
    }
}

/// A prime factor q of p - 1 with a^((p-1)/q) = 1, if there is one.
fn falls_short(a: u64, factors: &[PrimePower], p: u64) -> Option<u64> {
    factors.iter().map(|factor| factor.prime).find(|&q| pow_mod(a, (p - 1) / q, p) == 1)
}

/// Checks that these are the prime powers of `number`, in ascending order.
fn are_prime_powers_of(factors: &[PrimePower], number: u64) -> bool {
    let power = |factor: &PrimePower| factor.prime.checked_pow(factor.exponent);
    let product = factors.iter().try_fold(1_u64, |product, factor| product.checked_mul(power(factor)?));
    product == Some(number)
        && factors.is_sorted_by(|a, b| a.prime < b.prime)
        && factors.iter().all(|factor| factor.exponent > 0 && is_prime(factor.prime))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn proof(p: u64) -> GeneratorProof {
        GeneratorProof::of(NttPrime::new(p).unwrap())
    }

    /// Known smallest generators.
    #[test]
    fn known_generators() {
        for (p, generator) in [
            (3, 2),
            (7, 3),
            (998_244_353, 3),
            (469_762_049, 3),
            (2_013_265_921, 31),
            (2_130_706_433, 3),
            (3_221_225_473, 5),
            (0xffff_ffff_0000_0001, 7),
        ] {
            let proof = proof(p);
            assert_eq!((proof.generator, proof.verify()), (generator, Ok(())), "{p}");
        }
    }

    #[test]
    fn wrong_proofs_are_refused() {
        let right = proof(2_013_265_921);
        let p = right.p;
        let wrong = |change: fn(&mut GeneratorProof)| {
            let mut proof = right.clone();
            change(&mut proof);
            proof.verify().unwrap_err()
        };
        assert_eq!(wrong(|proof| proof.p += 2), RootOfUnityError::Modulus { p: p + 2 });
        assert_eq!(wrong(|proof| proof.factors.truncate(2)), RootOfUnityError::Factors { p });
        assert_eq!(wrong(|proof| proof.factors[1].prime = 15), RootOfUnityError::Factors { p });
        assert_eq!(wrong(|proof| proof.generator = 30), RootOfUnityError::Subgroup { g: 30, q: 2, p });
        assert_eq!(
            wrong(|proof| proof.generator += proof.p),
            RootOfUnityError::Subgroup { g: 31 + p, q: 1, p }
        );
        assert_eq!(wrong(|proof| proof.smaller.truncate(28)), RootOfUnityError::Smaller { a: 30, p });
        assert_eq!(wrong(|proof| proof.smaller[3].q = 1), RootOfUnityError::Smaller { a: 5, p });
        assert_eq!(
            wrong(|proof| proof.smaller.push(Refutation { a: 31, q: 2 })),
            RootOfUnityError::Smaller { a: 31, p }
        );
        assert_eq!(
            wrong(|proof| proof.factors = vec![PrimePower { prime: 2, exponent: 64 }]),
            RootOfUnityError::Factors { p }
        );
    }

    proptest! {
        #[test]
        fn smallest_by_counting(p in (3_u64..1500).prop_filter("prime", |&p| is_prime(p))) {
            let order = |a| (1..p).find(|&e| pow_mod(a, e, p) == 1).unwrap();
            let proof = proof(p);
            prop_assert_eq!(proof.verify(), Ok(()));
            prop_assert_eq!(Some(proof.generator), (2..p).find(|&a| order(a) == p - 1));
        }
    }
}
