//! Roots of unity of order 2^n, and generators with a checkable proof.

use crate::check::least_power;
use crate::modular::pow_mod;
use crate::search::NttPrime;

mod generator;

pub use self::generator::{GeneratorProof, Refutation, RootOfUnityError};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{FieldError, check_prime, check_root};
    use crate::search::Search;

    #[test]
    fn the_published_roots_are_the_smallest_of_their_order() {
        for (p, adicity, g) in [(3_221_225_473, 30, 13), (4_179_340_454_199_820_289, 57, 21)] {
            assert_eq!((check_prime(p), check_root(p, g)), (Ok(()), Ok(())));
            assert!((1..g).all(|root| {
                check_root(p, root) == Err(FieldError::RootOrder { root, modulus: p, adicity })
            }));
        }
    }

    #[test]
    fn roots_of_all_primes_of_a_search() {
        for prime in Search::new(2..=64, 50).unwrap().primes() {
            let (root, p) = (Root::of(prime), prime.p());
            assert_eq!(check_root(p, root.root()), Ok(()));
            assert_eq!(root.root(), pow_mod(root.base(), prime.k(), p));
            assert_eq!((root.of_order(prime.adicity() + 1), root.of_order(0)), (None, Some(1)));
            for n in 1..=prime.adicity() {
                let g = root.of_order(n).unwrap();
                assert_eq!(pow_mod(g, 1 << (n - 1), p), p - 1);
            }
        }
    }
}
