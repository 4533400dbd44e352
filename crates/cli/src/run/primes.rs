//! Primes of a range, and what programs take of them: least common multiples and gaps.

use limbforge_field::primes::in_range;

/// The largest B of `lcm:B`: its lcm has 14.4 million bits, of the 16.8 million that an integer may have.
pub(super) const LCM_MAX: u64 = 10_000_000;

/// The largest number of a range of primes: those up to its root are sieved first.
pub(super) const PRIMES_MAX: u64 = 100_000_000_000_000;

/// The longest range of primes.
pub(super) const PRIMES_LENGTH: u64 = 1_000_000_000;

/// Half the gap from each prime of the range to the next one. All are odd.
pub(super) fn half_gaps(first: u64, last: u64) -> Vec<u64> {
    let primes: Vec<u64> = in_range(first..=last).collect();
    primes.windows(2).map(|pair| (pair[1] - pair[0]) / 2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_lead_from_prime_to_prime() {
        assert_eq!(half_gaps(3, 20), [1, 1, 2, 1, 2, 1]);
        let gaps = half_gaps(1001, 5000);
        assert_eq!(1009 + 2 * gaps.iter().sum::<u64>(), 4999);
    }
}
