//! Primality: small factors, strong probable primes (Miller-Rabin) and strong Lucas probable primes.
//!
//! [`is_prime`] is the test of Baillie, Pomerance, Selfridge and Wagstaff ("Lucas pseudoprimes", Mathematics
//! of Computation 35, 1980): a strong test to the base 2, then a strong Lucas test with Selfridge's
//! parameters. Every prime passes. No composite is known to pass; below 2^64 none does, as was checked with
//! the list of all pseudoprimes to the base 2 there (Feitsma and Galway). For larger numbers it is no proof:
//! "no" is certain, "yes" is a probable prime.

mod lucas;
mod small;

use limbforge_limb::Base;
use limbforge_limb::slice::{bits, cmp, sub};

use super::Scratch;
use super::modulus::constants::Ring;
use super::packed::{add_mod, packed, shift_right, sub_mod};
use crate::invariant::broken_invariant;
use small::Verdict;

/// Whether n passes the test of Baillie, Pomerance, Selfridge and Wagstaff: certain below 2^64, else a
/// probable prime without known exception. 0 and 1 are no primes.
///
/// ```
/// use limbforge_algos::integer::{Scratch, primality::is_prime};
/// let mut scratch = Scratch::default();
/// assert!(is_prime(&[u64::MAX, u64::MAX >> 1], &mut scratch)); // 2^127 - 1
/// assert!(!is_prime(&[1_u64, 1], &mut scratch)); // 2^64 + 1 = 274177 * 67280421310721
/// ```
#[must_use]
pub fn is_prime<B: Base>(n: &[B], scratch: &mut Scratch) -> bool {
    let n = packed(n);
    match small::factors(&n) {
        Verdict::Prime => true,
        Verdict::Composite => false,
        Verdict::Open => {
            // Above the square of the small primes.
            let ring = odd(&n, scratch);
            let mut two = ring.one.clone();
            add_mod(&mut two, &ring.one, &ring.one, &ring.modulus);
            strong(&ring, &two, scratch) && lucas::selfridge(&n, &ring, scratch)
        }
    }
}

/// Whether n is a strong probable prime to the base: with `n - 1 = d 2^s`, d odd, `base^d = 1` or `base^(d
/// 2^r) = -1 mod n` for an r below s (Miller 1976, Rabin 1980). Every prime is, to every base; so "no" proves
/// that n is composite, or 0 or 1. A base that is a multiple of n tells nothing and passes. Of even numbers,
/// 2 alone passes.
///
/// ```
/// use limbforge_algos::integer::{Scratch, primality::is_strong_probable_prime};
/// let mut scratch = Scratch::default();
/// // The smallest composite that passes with 2: 2047 = 23 * 89.
/// assert!(is_strong_probable_prime(&[2047_u64], &[2], &mut scratch));
/// assert!(!is_strong_probable_prime(&[2047_u64], &[3], &mut scratch));
/// ```
#[must_use]
pub fn is_strong_probable_prime<B: Base>(n: &[B], base: &[B], scratch: &mut Scratch) -> bool {
    let n = packed(n);
    if n.first().is_none_or(|&low| low % 2 == 0) || n == [1] {
        return n == [2];
    }
    let ring = odd(&n, scratch);
    let base = ring.enter(&packed(base), scratch);
    cmp::is_zero(&base) || strong(&ring, &base, scratch)
}

/// Whether n is a strong Lucas probable prime with Selfridge's parameters (his method A): `P = 1`, `Q = (1 -
/// D) / 4` for the first D of 5, -7, 9, -11, ... with the Jacobi symbol `(D / n) = -1`. Every odd prime is.
/// Squares, for which there is no such D, are not, nor are numbers below 2; of even numbers, 2 alone passes.
///
/// ```
/// use limbforge_algos::integer::{Scratch, primality::is_strong_lucas_probable_prime};
/// // The smallest composite that passes: 5459 = 53 * 103.
/// assert!(is_strong_lucas_probable_prime(&[5459_u64], &mut Scratch::default()));
/// ```
#[must_use]
pub fn is_strong_lucas_probable_prime<B: Base>(n: &[B], scratch: &mut Scratch) -> bool {
    let n = packed(n);
    if n.first().is_none_or(|&low| low % 2 == 0) || n == [1] {
        return n == [2];
    }
    let ring = odd(&n, scratch);
    lucas::selfridge(&n, &ring, scratch)
}

/// Residues modulo a number that is known to be odd.
fn odd(n: &[u64], scratch: &mut Scratch) -> Ring {
    Ring::montgomery(n, scratch).unwrap_or_else(|| broken_invariant("even numbers are answered before"))
}

/// The strong test for an odd modulus above 1 and a residue that is not 0.
fn strong(ring: &Ring, base: &[u64], scratch: &mut Scratch) -> bool {
    let mut minus_one = vec![0; ring.one.len()];
    sub_mod(&mut minus_one, &vec![0; ring.one.len()], &ring.one, &ring.modulus);
    // n - 1 = d 2^s.
    let mut d = ring.modulus.clone();
    sub::decrement(&mut d, true);
    let s = bits::trailing_zeros(&d);
    shift_right(&mut d, s);
    let mut power = ring.power(base, &d, scratch);
    let mut room = vec![];
    power == ring.one
        || power == minus_one
        || (1..s).any(|_| {
            ring.mul_assign(&mut power, None, &mut room, scratch);
            power == minus_one
        })
}
