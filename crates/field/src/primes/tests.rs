use super::{SEGMENT, in_range, lcm_to, up_to};
use crate::primality::is_prime;

fn naive(n: &u64) -> bool {
    *n > 1 && !(2..=n.isqrt()).any(|d| n.is_multiple_of(d))
}

#[test]
fn ranges_equal_trial_division() {
    for (first, last) in (0..60).flat_map(|first| (0..130).map(move |last| (first, last))) {
        let expected: Vec<u64> = (first..=last).filter(naive).collect();
        assert_eq!(in_range(first..=last).collect::<Vec<u64>>(), expected, "{first}..={last}");
    }
}

/// Around the boundaries of segments, which start at the first number of the range, and around the ends of ranges.
#[test]
fn boundaries_of_segments() {
    let numbers = 2 * SEGMENT;
    for first in [0, 1, 2, 3, 1_000_000, (1 << 32) - numbers / 2] {
        for last in [first + numbers - 2, first + numbers - 1, first + numbers, first + 2 * numbers + 1] {
            let edges = [first, first + numbers, first + 2 * numbers];
            let is_near = |n: &u64| edges.iter().any(|edge| edge.abs_diff(*n) < 200);
            let expected = (first..=last).filter(|n| is_near(n) && is_prime(*n));
            assert!(in_range(first..=last).filter(is_near).eq(expected), "{first}..={last}");
        }
    }
}

#[test]
fn published_counts_and_primes() {
    // pi(65535), pi(65537), pi(10^6), pi(2 * 10^6): https://oeis.org/A000720 and the tables behind it.
    let counts = [0xffff, 0x1_0001, 1_000_000, 2_000_000].map(|last| up_to(last).len());
    assert_eq!(counts, [6542, 6543, 78_498, 148_933]);
    let primes = [1_000_000_000_039, 1_000_000_000_061, 1_000_000_000_063, 1_000_000_000_091];
    assert!(in_range(1_000_000_000_000..=1_000_000_000_100).eq(primes));
    // Squares of primes next to 2^20.
    assert!(in_range(1_048_573 * 1_048_573..=1_048_573 * 1_048_573 + 100).all(is_prime));
}

#[test]
fn multiples_of_all() {
    for (last, expected) in [(0, 1_u64), (1, 1), (2, 2), (10, 2520), (20, 232_792_560)] {
        assert_eq!(lcm_to(last), expected.into(), "{last}");
    }
    let large = lcm_to(100_000);
    for n in [65_536_u64, 59_049, 99_991, 78_125] {
        assert_eq!(&large % n, 0_u8.into(), "{n}");
    }
    assert_eq!(large.bits(), 144_344);
}
