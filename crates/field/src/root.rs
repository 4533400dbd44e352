//! Roots of unity of order 2^n, and generators with a proof that can be checked.

use crate::factor::{PrimePower, factor};
use crate::modular::pow_mod;
use crate::primality::is_prime;
use crate::search::FourierPrime;

mod generator;

pub use self::generator::{GeneratorProof, Refutation};
use crate::invariant::broken_invariant;

/// Why something is no root or no generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RootError {
    /// The modulus is not an odd prime.
    #[error("{p} is not an odd prime: roots of order 2^n need one")]
    Modulus {
        /// The modulus.
        p: u64,
    },
    /// g^(2^(n-1)) is not -1.
    #[error("{g} has no order 2^{n} modulo {p}: expected {g}^(2^{}) = -1", .n - 1)]
    Order {
        /// The number that is no root.
        g: u64,
        /// The exponent of 2 that was claimed.
        n: u32,
        /// The modulus.
        p: u64,
    },
    /// The number does not generate the multiplicative group.
    #[error("{g} generates no more than a part of the units modulo {p}: {g}^(({p} - 1) / {q}) = 1")]
    Subgroup {
        /// The number that is no generator.
        g: u64,
        /// A prime factor of p - 1 by which the order falls short.
        q: u64,
        /// The modulus.
        p: u64,
    },
    /// The prime powers of a proof are not those of p - 1.
    #[error("the factors of the proof are not the prime powers of {p} - 1")]
    Factors {
        /// The modulus.
        p: u64,
    },
    /// A proof's list of smaller numbers that do not generate has a gap or is wrong.
    #[error("the proof does not refute that {a} generates the units modulo {p}")]
    Smaller {
        /// The smaller number.
        a: u64,
        /// The modulus.
        p: u64,
    },
}

/// g = a^k modulo p = k*2^n + 1, of order 2^n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Root {
    prime: FourierPrime,
    a: u64,
    g: u64,
}

impl Root {
    /// The root of an odd prime by the construction of Oancea and Watt (section 4.1): g = a^k for the first a = 2, 3, ...
    /// whose g has order 2^n. a^k has an order that divides 2^n by Fermat, and exactly 2^n if a is no square: half of all
    /// a are such.
    #[must_use]
    pub fn of(prime: FourierPrime) -> Self {
        let (p, k, n) = (prime.p(), prime.k(), prime.adicity());
        let mut a = 2;
        loop {
            let g = pow_mod(a, k, p);
            if has_order_of_two_power(g, n, p) {
                return Self { prime, a, g };
            }
            a += 1;
        }
    }

    /// The prime.
    #[must_use]
    pub const fn prime(self) -> FourierPrime {
        self.prime
    }

    /// The number whose k-th power the root is.
    #[must_use]
    pub const fn base(self) -> u64 {
        self.a
    }

    /// The root of order 2^n.
    #[must_use]
    pub const fn root(self) -> u64 {
        self.g
    }

    /// A root of order `2^log2_points`, if that is at most 2^n.
    #[must_use]
    pub const fn of_order(self, log2_points: u32) -> Option<u64> {
        match self.prime.adicity().checked_sub(log2_points) {
            Some(squarings) => Some(pow_mod(self.g, 1 << squarings, self.prime.p())),
            None => None,
        }
    }
}

/// Whether g has the order 2^n modulo the odd prime p: g^(2^(n-1)) = -1, and so g^(2^n) = 1. False for n above 63; only 1
/// has the order 2^0.
#[must_use]
pub const fn has_order_of_two_power(g: u64, n: u32, p: u64) -> bool {
    match n {
        0 => g % p == 1,
        1..=63 => pow_mod(g, 1 << (n - 1), p) == p - 1,
        _ => false,
    }
}

/// Checks that p is an odd prime and g a root of order 2^n modulo p: what a published triple (p, n, g) claims.
///
/// ```
/// use limbforge_field::root::check_root;
/// assert!(check_root(3_221_225_473, 30, 13).is_ok());
/// assert!(check_root(3_221_225_473, 30, 14).is_err());
/// ```
///
/// # Errors
/// [`RootError::Modulus`] or [`RootError::Order`].
pub const fn check_root(p: u64, n: u32, g: u64) -> Result<(), RootError> {
    if p.is_multiple_of(2) || !is_prime(p) {
        return Err(RootError::Modulus { p });
    }
    if has_order_of_two_power(g, n, p) { Ok(()) } else { Err(RootError::Order { g, n, p }) }
}

/// The prime powers of p - 1 for a prime p.
fn powers_of_units(p: u64) -> Vec<PrimePower> {
    let factorization = factor(p - 1).unwrap_or_else(|_| broken_invariant("a number above 0 has factors"));
    factorization.factors().to_vec()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::Search;

    #[test]
    fn the_published_roots_are_the_smallest_of_their_order() {
        for (p, n, g) in [(3_221_225_473, 30, 13), (4_179_340_454_199_820_289, 57, 21)] {
            assert_eq!(check_root(p, n, g), Ok(()));
            assert!((0..g).all(|g| check_root(p, n, g) == Err(RootError::Order { g, n, p })));
        }
    }

    #[test]
    fn roots_of_all_primes_of_a_search() {
        for prime in Search::new(2..=64, 50).unwrap().primes() {
            let (root, p) = (Root::of(prime), prime.p());
            assert_eq!(check_root(p, prime.adicity(), root.root()), Ok(()));
            assert_eq!(root.root(), pow_mod(root.base(), prime.k(), p));
            assert_eq!(root.of_order(prime.adicity() + 1), None);
            for n in 0..=prime.adicity() {
                let g = root.of_order(n).unwrap();
                assert!(has_order_of_two_power(g, n, p));
                assert_eq!(pow_mod(g, 1 << n, p), 1);
            }
        }
    }

    #[test]
    fn wrong_triples_are_refused() {
        assert_eq!(check_root(15, 1, 14), Err(RootError::Modulus { p: 15 }));
        assert_eq!(check_root(2, 1, 1), Err(RootError::Modulus { p: 2 }));
        assert_eq!(check_root(17, 64, 3), Err(RootError::Order { g: 3, n: 64, p: 17 }));
        let error = check_root(17, 3, 3).unwrap_err();
        assert_eq!(error.to_string(), "3 has no order 2^3 modulo 17: expected 3^(2^2) = -1");
    }

    proptest! {
        /// By the definition of order, on small primes.
        #[test]
        fn order_by_counting(p in (3_u64..2000).prop_filter("prime", |&p| is_prime(p)), g in 1_u64..2000, n in 0_u32..11) {
            prop_assume!(g % p != 0);
            let order = (1..p).find(|&e| pow_mod(g, e, p) == 1).unwrap();
            prop_assert_eq!(has_order_of_two_power(g, n, p), order == 1 << n);
        }
    }
}
