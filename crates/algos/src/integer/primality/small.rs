//! Small factors.

use crate::integer::packed::word_rem;

/// The result of trial division by small primes.
pub(super) enum Verdict {
    Prime,
    Composite,
    /// No small factor, and above the square of the largest small prime.
    Open,
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

/// Divides trimmed n by the primes below 256.
pub(super) fn factors(n: &[u64]) -> Verdict {
    match *n {
        [] | [1] => return Verdict::Composite,
        [2] => return Verdict::Prime,
        [low, ..] if low % 2 == 0 => return Verdict::Composite,
        _ => {}
    }
    let mut first = 0;
    for (product, end) in GROUPS {
        let rest = match *n {
            [word] => word % product,
            _ => word_rem(n, product),
        };
        for prime in &PRIMES[first..end] {
            if rest % prime == 0 {
                return if *n == [*prime] { Verdict::Prime } else { Verdict::Composite };
            }
        }
        first = end;
    }
    match *n {
        // The next prime is 257.
        [word] if word < 257 * 257 => Verdict::Prime,
        _ => Verdict::Open,
    }
}
