//! All odd numbers of a range, of which the primes and the pseudoprimes are known, and large primes.

use num_bigint::BigInt;

use super::{Case, mersenne};
use crate::primality::is_prime;

/// Composite numbers from 1003 to 2999 that pass Fermat's test to base 2: OEIS A001567.
pub const FERMAT_PSEUDOPRIMES: [u64; 8] = [1105, 1387, 1729, 1905, 2047, 2465, 2701, 2821];

/// Composite numbers from 1003 to 2999 that pass Lucas's test with Selfridge's parameters: OEIS A217120.
pub const LUCAS_PSEUDOPRIMES: [u64; 2] = [1159, 1829];

pub(super) fn probable_primes() -> Vec<Case> {
    let odd = || (1003..3000_u64).step_by(2);
    let passes = |known: &'static [u64]| odd().map(move |n| u8::from(is_prime(n) || known.contains(&n)));
    let small = Case::new("odd numbers, of which the pseudoprimes are known", odd().count())
        .input("n", "u24", odd())
        .result("fermat", passes(&FERMAT_PSEUDOPRIMES))
        .result("lucas", passes(&LUCAS_PSEUDOPRIMES));
    let large = Case::new("a Mersenne prime, a product of two, a square", 3)
        .input("n", "u700", [mersenne(521), mersenne(521) * mersenne(127), mersenne(127) * mersenne(127)])
        .result("fermat", [1_u8, 0, 0])
        .result("lucas", [1_u8, 0, 0]);
    let mut refused = Case::new("an even number, 0, and 2^N - 1", 3)
        .input("n", "u13", [1024_u32, 0, 8191])
        .result("fermat", vec![BigInt::ZERO; 3])
        .result("lucas", vec![BigInt::ZERO; 3]);
    refused.failures = vec![(0, "EVEN"), (1, "DIV0"), (2, "REQUIRE")];
    vec![small, large, refused]
}
