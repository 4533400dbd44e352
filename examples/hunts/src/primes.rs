//! Small primes.

use num_bigint::BigUint;

/// Factors of a product that is not split any more.
const SHORT: usize = 16;

/// The odd numbers that are sieved at once.
const SEGMENT: usize = 1 << 18;

/// The primes up to `last`, by a sieve of the odd numbers in segments.
#[must_use]
pub fn primes_to(last: u32) -> Vec<u32> {
    let mut found: Vec<u32> = if last < 2 { vec![] } else { vec![2] };
    let odd = u64::from(last).div_ceil(2); // 1, 3, ..., of which number i is 2 i + 1
    // Those up to 65535 strike all composites below 2^32.
    let base = if last > 0xffff { primes_to(0xffff) } else { vec![] };
    let mut start = 1_u64;
    while start < odd {
        let length = (SEGMENT as u64).min(odd - start) as usize;
        let mut composite = vec![false; length];
        let end = 2 * (start + length as u64) - 1;
        if last > 0xffff {
            for &q in base.iter().skip(1).map_while(|q| (u64::from(*q).pow(2) <= end).then_some(q)) {
                strike(&mut composite, start, q.into());
            }
        } else {
            (3..=end.isqrt()).step_by(2).for_each(|q| strike(&mut composite, start, q));
        }
        let primes = composite.iter().zip(start..).filter(|(composite, _)| !**composite);
        found.extend(primes.map(|(_, i)| (2 * i + 1) as u32));
        start += length as u64;
    }
    found
}

/// Strikes the odd multiples of q from its square on.
fn strike(composite: &mut [bool], start: u64, q: u64) {
    let first = (q * q / 2).max(start);
    // Number i is a multiple where i = q / 2 modulo q.
    let first = first + (q + q / 2 - first % q) % q - start;
    composite.iter_mut().skip(first as usize).step_by(q as usize).for_each(|flag| *flag = true);
}

/// lcm(1, ..., last): the product of the largest powers of primes up to it, as a balanced tree.
#[must_use]
pub fn lcm(last: u32) -> BigUint {
    let power = |&prime: &u32| {
        let mut power = u64::from(prime);
        while power * u64::from(prime) <= u64::from(last) {
            power *= u64::from(prime);
        }
        power
    };
    product(&primes_to(last).iter().map(power).collect::<Vec<u64>>())
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
    fn primes_across_segments() {
        assert_eq!(primes_to(30), [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]);
        let naive = |n: &u32| *n > 1 && !(2..=n.isqrt()).any(|d| n.is_multiple_of(d));
        for last in [0, 1, 2, 3, 4, 8, 9, 10, 25, 1000, 1009] {
            assert_eq!(primes_to(last), (0..=last).filter(naive).collect::<Vec<u32>>(), "{last}");
        }
        // pi(65535), pi(65537), pi(10^6), pi(2 * 10^6): https://oeis.org/A000720 and the tables behind it.
        let counts = [0xffff, 0x1_0001, 1_000_000, 2_000_000].map(|last| primes_to(last).len());
        assert_eq!(counts, [6542, 6543, 78_498, 148_933]);
    }

    #[test]
    fn multiples_of_all() {
        for (last, expected) in [(0, 1_u64), (1, 1), (2, 2), (10, 2520), (20, 232_792_560)] {
            assert_eq!(lcm(last), expected.into(), "{last}");
        }
        assert_eq!(lcm(100_000).bits(), 144_344);
    }
}
