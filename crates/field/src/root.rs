//! Roots of unity of order 2^n, and generators with a checkable proof.

use crate::check::least_power;
use crate::modular::pow_mod;
use crate::primality::is_prime;
use crate::search::NttPrime;

mod generator;

pub use self::generator::{GeneratorProof, Refutation};

/// A number is not a root of the claimed order, or not a generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RootOfUnityError {
    /// The modulus is not an odd prime.
    #[error("{p} is not an odd prime: roots of order 2^n need one")]
    Modulus {
        /// The modulus.
        p: u64,
    },
    /// `g^(2^(n-1))` is not -1.
    #[error("{g} has no order 2^{n} modulo {p}: expected {g}^(2^{}) = -1", .n - 1)]
    Order {
        /// The number.
        g: u64,
        /// The claimed exponent of 2.
        n: u32,
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

/// g = a^k modulo p = k*2^n + 1, an element of order 2^n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Root {
    prime: NttPrime,
    a: u64,
    g: u64,
}

impl Root {
    /// The root by the construction of Oancea and Watt (section 4.1): g = a^k for the first a = 2, 3, ...
    /// whose g has order 2^n. By Fermat, the order of a^k divides 2^n. It is 2^n if and only if a is not a
    /// square, which holds for half of all a.
    #[must_use]
    pub fn of(prime: NttPrime) -> Self {
        let (a, g) = least_power(prime.p(), 2, prime.k());
        Self { prime, a, g }
    }

    /// The prime.
    #[must_use]
    pub const fn prime(self) -> NttPrime {
        self.prime
    }

    /// The base a: the root is `a^k`.
    #[must_use]
    pub const fn base(self) -> u64 {
        self.a
    }

    /// The root of order 2^n.
    #[must_use]
    pub const fn root(self) -> u64 {
        self.g
    }

    /// A root of order `2^log2_points`, or `None` if that exceeds 2^n.
    #[must_use]
    pub const fn of_order(self, log2_points: u32) -> Option<u64> {
        match self.prime.adicity().checked_sub(log2_points) {
            Some(squarings) => Some(pow_mod(self.g, 1 << squarings, self.prime.p())),
            None => None,
        }
    }
}

/// Whether g has order 2^n modulo the odd prime p, that is, `g^(2^(n-1)) = -1`. False for n above 63. For n =
/// 0, only 1 has that order.
#[must_use]
pub const fn has_order_of_two_power(g: u64, n: u32, p: u64) -> bool {
    match n {
        0 => g % p == 1,
        1..=63 => pow_mod(g, 1 << (n - 1), p) == p - 1,
        _ => false,
    }
}

/// Checks a published triple (p, n, g): p is an odd prime and g has order 2^n modulo p.
///
/// ```
/// use limbforge_field::root::check_root;
/// assert!(check_root(3_221_225_473, 30, 13).is_ok());
/// assert!(check_root(3_221_225_473, 30, 14).is_err());
/// ```
///
/// # Errors
/// [`RootOfUnityError::Modulus`] or [`RootOfUnityError::Order`].
pub const fn check_root(p: u64, n: u32, g: u64) -> Result<(), RootOfUnityError> {
    if p.is_multiple_of(2) || !is_prime(p) {
        return Err(RootOfUnityError::Modulus { p });
    }
    if has_order_of_two_power(g, n, p) { Ok(()) } else { Err(RootOfUnityError::Order { g, n, p }) }
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
            assert!((0..g).all(|g| check_root(p, n, g) == Err(RootOfUnityError::Order { g, n, p })));
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
        assert_eq!(check_root(15, 1, 14), Err(RootOfUnityError::Modulus { p: 15 }));
        assert_eq!(check_root(2, 1, 1), Err(RootOfUnityError::Modulus { p: 2 }));
        assert_eq!(check_root(17, 64, 3), Err(RootOfUnityError::Order { g: 3, n: 64, p: 17 }));
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
