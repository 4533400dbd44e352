//! Primality: small factors, strong probable primes (Miller-Rabin) and strong Lucas probable primes.
//!
//! [`is_prime`] is the test of Baillie, Pomerance, Selfridge and Wagstaff ("Lucas pseudoprimes", Mathematics
//! of Computation 35, 1980): a strong test to the base 2, then a strong Lucas test with Selfridge's
//! parameters. Every prime passes. No composite is known to pass; below 2^64 none does, by the list of all
//! pseudoprimes to the base 2 (Feitsma and Galway). For larger numbers "no" is certain, "yes" is no proof.

pub(crate) mod lucas;

use limbforge_limb::Base;
use limbforge_limb::slice::{bits, cmp, sub};

use super::packed::{add_mod, packed, shift_right, sub_mod, word_rem};
use super::{Scratch, modulus::constants::Ring};

/// Whether n passes the test of Baillie, Pomerance, Selfridge and Wagstaff: certain below 2^64, above without
/// a known exception. 0 and 1 are not prime.
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
    by_small_primes(&n).unwrap_or_else(|| {
        if_odd(&n, scratch, |ring, scratch| {
            let mut two = ring.one.clone();
            add_mod(&mut two, &ring.one, &ring.one, &ring.modulus);
            strong(ring, &two, scratch) && lucas::selfridge(&n, ring, scratch)
        })
    })
}

/// Whether n is a strong probable prime to the base: with `n - 1 = d 2^s`, d odd, `base^d = 1` or `base^(d
/// 2^r) = -1 mod n` for an r below s (Miller 1976, Rabin 1980). Every prime is, to every base; so "no" proves
/// that n is composite, or 0 or 1. A multiple of n as base passes and proves nothing. No even number but 2
/// passes.
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
    if_odd(&packed(n), scratch, |ring, scratch| {
        let base = ring.enter(&packed(base), scratch);
        cmp::is_zero(&base) || strong(ring, &base, scratch)
    })
}

/// Whether n is a strong Lucas probable prime with Selfridge's parameters (his method A): `P = 1`, `Q = (1 -
/// D) / 4` for the first D of 5, -7, 9, -11, ... with the Jacobi symbol `(D / n) = -1`. Every odd prime is.
/// Squares, which have no such D, are not, nor are numbers below 2. No even number but 2 passes.
///
/// ```
/// use limbforge_algos::integer::{Scratch, primality::is_strong_lucas_probable_prime};
/// // The smallest composite that passes: 5459 = 53 * 103.
/// assert!(is_strong_lucas_probable_prime(&[5459_u64], &mut Scratch::default()));
/// ```
#[must_use]
pub fn is_strong_lucas_probable_prime<B: Base>(n: &[B], scratch: &mut Scratch) -> bool {
    let n = packed(n);
    if_odd(&n, scratch, |ring, scratch| lucas::selfridge(&n, ring, scratch))
}

/// A test of odd numbers above 1; no other number but 2 passes.
fn if_odd(n: &[u64], scratch: &mut Scratch, test: impl FnOnce(&Ring, &mut Scratch) -> bool) -> bool {
    match Ring::montgomery(n, scratch) {
        Some(ring) if n != [1] => test(&ring, scratch),
        _ => n == [2],
    }
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

/// The odd primes below 256.
const PRIMES: [u64; 53] = [
    3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103,
    107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223,
    227, 229, 233, 239, 241, 251,
];

/// Products of consecutive [`PRIMES`] below 2^64, with the index after the last of them.
const GROUPS: [(u64, usize); 6] = groups();

const _: () = assert!(GROUPS[GROUPS.len() - 1].1 == PRIMES.len());

const fn groups() -> [(u64, usize); 6] {
    let mut groups = [(1, 0); 6];
    let (mut group, mut i) = (0, 0);
    while i < PRIMES.len() {
        match u64::checked_mul(groups[group].0, PRIMES[i]) {
            Some(product) => {
                i += 1;
                groups[group] = (product, i);
            }
            None => {
                group += 1;
                groups[group] = (1, i);
            }
        }
    }
    groups
}

/// Whether trimmed n is prime, if division by the primes below 256 decides it.
pub(crate) fn by_small_primes(n: &[u64]) -> Option<bool> {
    match *n {
        [] | [1] => return Some(false),
        [low, ..] if low % 2 == 0 => return Some(*n == [2]),
        _ => {}
    }
    let mut first = 0;
    for (product, end) in GROUPS {
        let rest = if let [word] = *n { word % product } else { word_rem(n, product) };
        if let Some(prime) = PRIMES[first..end].iter().find(|&prime| rest % prime == 0) {
            return Some(*n == [*prime]);
        }
        first = end;
    }
    // The next prime is 257.
    matches!(*n, [word] if word < 257 * 257).then_some(true)
}
