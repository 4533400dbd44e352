//! The primes of a range, by a sieve of the odd numbers in segments.

use std::ops::RangeInclusive;

use num_bigint::BigUint;

/// Odd numbers that are sieved at once: their flags fit the second-level cache.
const SEGMENT: u64 = 1 << 18;

/// Factors of a product that is not split any more.
const SHORT: usize = 16;

/// The primes of a range in ascending order, computed as they are taken. The primes up to the root of the range's
/// end are in memory.
///
/// ```
/// use limbforge_field::primes::in_range;
///
/// assert_eq!(in_range(90..=110).collect::<Vec<u64>>(), [97, 101, 103, 107, 109]);
/// assert_eq!(in_range(1..=1_000_000).count(), 78_498);
/// ```
pub fn in_range(range: RangeInclusive<u64>) -> impl Iterator<Item = u64> {
    let two = range.contains(&2).then_some(2);
    let (first, last) = range.into_inner();
    // Number i is 2 i + 1.
    let (start, end) = (first.max(3) / 2, last.div_ceil(2));
    let small = if start < end { up_to(last.isqrt() as u32) } else { vec![] };
    let segments = (start..end).step_by(SEGMENT as usize);
    two.into_iter().chain(segments.flat_map(move |start| segment(&small, start, SEGMENT.min(end - start))))
}

/// The primes up to `last`.
///
/// ```
/// assert_eq!(limbforge_field::primes::up_to(20), [2, 3, 5, 7, 11, 13, 17, 19]);
/// ```
#[must_use]
pub fn up_to(last: u32) -> Vec<u32> {
    in_range(1..=last.into()).map(|prime| prime as u32).collect()
}

/// The primes among `length` numbers 2 i + 1 from i = `start` on. All primes up to the root of the last one are `small`.
fn segment(small: &[u32], start: u64, length: u64) -> Vec<u64> {
    let mut composite = vec![false; length as usize];
    let last = 2 * (start + length - 1) + 1;
    for q in small.iter().skip(1).map(|&q| u64::from(q)).take_while(|q| q * q <= last) {
        // Smaller multiples than the square have a smaller divisor. Number i is a multiple where i = q / 2 modulo q.
        let first = (q * q / 2).max(start);
        let first = first + (q + q / 2 - first % q) % q - start;
        if first < length {
            composite[first as usize..].iter_mut().step_by(q as usize).for_each(|flag| *flag = true);
        }
    }
    let primes = composite.iter().zip(start..).filter(|(composite, _)| !**composite);
    primes.map(|(_, i)| 2 * i + 1).collect()
}

/// lcm(1, ..., last): the product of the largest powers of primes up to it, as a balanced tree.
///
/// ```
/// assert_eq!(limbforge_field::primes::lcm_to(10), 2520_u32.into());
/// ```
#[must_use]
pub fn lcm_to(last: u64) -> BigUint {
    let power = |prime: u64| prime.pow(last.ilog(prime));
    product(&in_range(1..=last).map(power).collect::<Vec<u64>>())
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
mod tests;
