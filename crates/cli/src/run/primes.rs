//! Primes of a range, and what programs take of them: least common multiples and gaps.

use num_bigint::BigUint;

/// The largest B of `lcm:B`: its lcm has 14.4 million bits, of the 16.8 million that an integer may have.
pub(super) const LCM_MAX: u64 = 10_000_000;

/// The largest number of a range of primes: those up to its root are sieved first.
pub(super) const PRIMES_MAX: u64 = 100_000_000_000_000;

/// The longest range of primes.
pub(super) const PRIMES_LENGTH: u64 = 1_000_000_000;

/// Numbers that are sieved at once: a bit for each would save nothing, as these stay in the cache.
const SEGMENT: u64 = 1 << 18;

/// Bits of a product that is not split any more.
const SHORT: usize = 16;

/// The primes from `first` to `last`, both included, by a sieve of segments.
pub(super) fn primes(first: u64, last: u64) -> Vec<u64> {
    let root = last.isqrt();
    let small = if root < 2 { vec![] } else { small_primes(root) };
    let mut found = vec![];
    let mut start = first.max(2);
    while start <= last {
        let end = last.min(start + SEGMENT - 1);
        let mut is_composite = vec![false; (end - start + 1) as usize];
        for &prime in small.iter().take_while(|&&prime| prime * prime <= end) {
            let from = (start.div_ceil(prime) * prime).max(prime * prime);
            (from..=end).step_by(prime as usize).for_each(|n| is_composite[(n - start) as usize] = true);
        }
        let segment = is_composite.iter().zip(start..).filter(|(is_composite, _)| !**is_composite);
        found.extend(segment.map(|(_, n)| n));
        start = end + 1;
    }
    found
}

/// The primes up to `last`, by the sieve of Eratosthenes.
fn small_primes(last: u64) -> Vec<u64> {
    let mut is_composite = vec![false; last as usize + 1];
    let mut found = vec![];
    for n in 2..=last {
        if is_composite[n as usize] {
            continue;
        }
        found.push(n);
        for multiple in (n * n..=last).step_by(n as usize) {
            is_composite[multiple as usize] = true;
        }
    }
    found
}

/// Half the gap from each prime of the range to the next one. All are odd.
pub(super) fn half_gaps(first: u64, last: u64) -> Vec<u64> {
    primes(first, last).windows(2).map(|pair| (pair[1] - pair[0]) / 2).collect()
}

/// lcm(1, ..., last): the product of the largest powers of primes up to it, as a balanced tree.
pub(super) fn lcm(last: u64) -> BigUint {
    let power = |prime: u64| {
        let mut power = prime;
        while power * prime <= last {
            power *= prime;
        }
        power
    };
    let powers: Vec<u64> = primes(2, last).into_iter().map(power).collect();
    product(&powers)
}

fn product(factors: &[u64]) -> BigUint {
    if factors.len() <= SHORT {
        return factors.iter().fold(BigUint::from(1_u8), |product, &factor| product * factor);
    }
    let (low, high) = factors.split_at(factors.len() / 2);
    let (low, high) = rayon::join(|| product(low), || product(high));
    low * high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_of_ranges() {
        assert_eq!(primes(0, 30), [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]);
        assert_eq!(primes(24, 28), [0; 0]);
        assert_eq!((primes(1, 1).len(), primes(2, 2), primes(3, 3)), (0, vec![2], vec![3]));
        // pi(10^6) and pi(2 * 10^6), across segments, and a range around 10^12.
        assert_eq!((primes(0, 1_000_000).len(), primes(1_000_001, 2_000_000).len()), (78_498, 70_435));
        assert_eq!(
            primes(1_000_000_000_000, 1_000_000_000_100),
            [1_000_000_000_039, 1_000_000_000_061, 1_000_000_000_063, 1_000_000_000_091]
        );
    }

    #[test]
    fn gaps_lead_from_prime_to_prime() {
        assert_eq!(half_gaps(3, 20), [1, 1, 2, 1, 2, 1]);
        let gaps = half_gaps(1001, 5000);
        assert_eq!(1009 + 2 * gaps.iter().sum::<u64>(), 4999);
    }

    #[test]
    fn multiples_of_all() {
        for (last, expected) in [(0, 1_u64), (1, 1), (2, 2), (10, 2520), (20, 232_792_560)] {
            assert_eq!(lcm(last), expected.into(), "{last}");
        }
        let large = lcm(100_000);
        for n in [65_536_u64, 59_049, 99_991, 78_125] {
            assert_eq!(&large % n, 0_u8.into(), "{n}");
        }
        assert_eq!(large.bits(), 144_344);
    }
}
