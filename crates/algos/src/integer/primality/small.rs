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
const PRIMES: [u64; 53] = primes();

/// Products of consecutive [`PRIMES`] below 2^64, with the index after the last of them.
const GROUPS: [(u64, usize); 6] = groups();

const _: () = assert!(GROUPS[GROUPS.len() - 1].1 == PRIMES.len());

const fn primes() -> [u64; 53] {
    let mut primes = [0; 53];
    let (mut found, mut n) = (0, 3);
    while found < primes.len() {
        let mut divisor = 3;
        while divisor * divisor <= n && n % divisor != 0 {
            divisor += 2;
        }
        if divisor * divisor > n {
            primes[found] = n;
            found += 1;
        }
        n += 2;
    }
    primes
}

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
