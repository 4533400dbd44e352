//! A segmented sieve: the indices at which no small prime divides a value.

use limbforge_hunts::HuntError;
use num_bigint::BigUint;
use rayon::prelude::*;

use crate::family::{Family, Form};
use crate::roots::{Roots, is_root};

/// The shortest and the longest segments: of 2 KiB for tests of a few numbers, of 4 MiB for limits of 2^28 and more.
const SEGMENTS: (u64, u64) = (1 << 14, 1 << 25);

/// The sieve of a family.
#[derive(Clone, Debug)]
pub struct Sieve {
    roots: Roots,
    limit: u32,
    count: u64,
    segment: u64,
    small: Vec<Small>,
}

/// A form whose values have 64 bits, so that one of them may be a prime of the sieve.
#[derive(Clone, Copy, Debug)]
struct Small {
    form: usize,
    start: u64,
    step: u64,
}

impl Sieve {
    /// The sieve of a family by primes up to `limit`, or up to the root of its largest value.
    ///
    /// # Errors
    /// Those of [`Roots::new`].
    pub fn new(family: &Family, limit: u32) -> Result<Self, HuntError> {
        let limit = limit.max(2).min(family.root());
        let small = |(form, Form { start, step }): (usize, &Form)| {
            let (start, step) = (u64::try_from(start).ok()?, u64::try_from(step).ok()?);
            (start <= limit.into()).then_some(Small { form, start, step })
        };
        Ok(Self {
            roots: Roots::new(family, limit)?,
            limit,
            count: family.count(),
            segment: (u64::from(limit) / 8).next_power_of_two().clamp(SEGMENTS.0, SEGMENTS.1),
            small: family.forms().iter().enumerate().filter_map(small).collect(),
        })
    }

    /// The largest number that may be a prime of the sieve.
    #[must_use]
    pub const fn limit(&self) -> u32 {
        self.limit
    }

    /// The indices of a segment.
    #[must_use]
    pub const fn segment(&self) -> u64 {
        self.segment
    }

    /// The indices that are left of so many segments from `first` on, in order, and the index behind them. All
    /// threads of rayon sieve.
    #[must_use]
    pub fn survivors(&self, first: u64, segments: u64) -> (Vec<u64>, u64) {
        let end = first.saturating_add(segments.saturating_mul(self.segment)).min(self.count);
        let starts: Vec<u64> = (first..end).step_by(self.segment as usize).collect();
        let found: Vec<Vec<u64>> = starts
            .par_iter()
            .map(|&start| self.of_segment(start, (end - start).min(self.segment) as usize))
            .collect();
        (found.concat(), end)
    }

    /// One segment on this thread.
    fn of_segment(&self, first: u64, length: usize) -> Vec<u64> {
        let mut struck = vec![0_u64; length.div_ceil(64)];
        for at in 0..self.roots.len() {
            let (q, roots) = self.roots.of(at);
            let rest = (first % u64::from(q)) as u32;
            for &root in roots.iter().filter(|&&root| is_root(root)) {
                let from = if root >= rest { root - rest } else { root + (q - rest) };
                strike(&mut struck, from as usize, q as usize, length);
            }
        }
        self.restore_primes(&mut struck, first, length);
        let mut found = vec![];
        for (word, &bits) in struck.iter().enumerate() {
            let mut left = !bits;
            while left != 0 {
                let index = word * 64 + left.trailing_zeros() as usize;
                if index < length {
                    found.push(first + index as u64);
                }
                left &= left - 1;
            }
        }
        found
    }

    /// Takes back strikes of indices at which each value that a prime of the sieve divides is that prime. Where they
    /// can lie, values are looked at one by one; there are at most 2^32 of them.
    fn restore_primes(&self, struck: &mut [u64], first: u64, length: usize) {
        let limit = u64::from(self.limit);
        let Some(last) = self.small.iter().map(|small| (limit - small.start) / small.step).max() else {
            return;
        };
        for index in first..(first + length as u64).min(last.saturating_add(1)) {
            let word = &mut struck[((index - first) / 64) as usize];
            let bit = 1 << ((index - first) % 64);
            if *word & bit != 0 && !self.has_divisor(index) {
                *word &= !bit;
            }
        }
    }

    /// Whether a prime of the sieve divides a value at this index and is less than it.
    fn has_divisor(&self, index: u64) -> bool {
        (0..self.roots.len()).any(|at| {
            let (q, roots) = self.roots.of(at);
            let rest = (index % u64::from(q)) as u32;
            let is_itself = |form: usize| {
                let small = self.small.iter().find(|small| small.form == form);
                small.is_some_and(|small| {
                    u128::from(small.start) + u128::from(small.step) * u128::from(index) == q.into()
                })
            };
            roots.iter().enumerate().any(|(form, &root)| root == rest && !is_itself(form))
        })
    }
}

/// Sets the bits from, from + q, ... below the length.
fn strike(struck: &mut [u64], from: usize, q: usize, length: usize) {
    let mut index = from;
    while index < length {
        struck[index / 64] |= 1 << (index % 64);
        index += q;
    }
}

/// The largest prime of a sieve for so many indices, if none is asked for: more would take longer than the tests that
/// it saves.
pub(crate) fn default_limit(count: u64) -> u32 {
    (count / 4).clamp(1 << 12, 1 << 26) as u32
}

/// Whether a prime up to the limit divides a value and is not it: the definition, for tests.
#[must_use]
pub fn is_struck(family: &Family, limit: u32, index: u64) -> bool {
    let primes = limbforge::field::primes::up_to(limit.min(family.root()));
    family
        .forms()
        .iter()
        .map(|form| form.value(index))
        .any(|value| primes.iter().any(|&q| &value % q == BigUint::ZERO && value != BigUint::from(q)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(family: &Family, limit: u32) {
        let sieve = Sieve::new(family, limit).unwrap();
        let naive: Vec<u64> = (0..family.count()).filter(|&i| !is_struck(family, limit, i)).collect();
        let (all, end) = sieve.survivors(0, u64::MAX);
        assert_eq!((&all, end), (&naive, family.count()));
        // From the middle of a segment, as after another number of segments.
        let middle = family.count() / 2 + 1;
        assert_eq!(
            sieve.survivors(middle, u64::MAX).0,
            naive.split_at(naive.partition_point(|&i| i < middle)).1
        );
    }

    #[test]
    fn what_is_left_is_what_no_prime_divides() {
        let big = BigUint::from(10_u8).pow(40);
        check(&Family::range(&big, &(&big + 3000_u32), &[0]).unwrap(), 500);
        check(&Family::range(&big, &(&big + 3000_u32), &[0, 2, 6, 8]).unwrap(), 100);
        check(&Family::powers(&big, 1, 900, &[-1, 1, 7]).unwrap(), 200);
        check(&Family::powers(&3_u8.into(), 2, 900, &[-2, 2]).unwrap(), 200);
        check(&Family::range(&big, &(&big + 800_u32), &[0]).unwrap().with_safe_primes().unwrap(), 100);
    }

    /// Values that are primes of the sieve are kept, and the primes of a range are all that is left of it.
    #[test]
    fn small_primes_are_kept() {
        for (first, end) in [(3_u32, 5), (3, 6), (3, 2000), (89, 1500), (3, 70_000)] {
            let family = Family::range(&first.into(), &end.into(), &[0]).unwrap();
            let left = Sieve::new(&family, u32::MAX).unwrap().survivors(0, u64::MAX).0;
            let values: Vec<BigUint> = left.iter().map(|&i| family.forms()[0].value(i)).collect();
            let primes = limbforge::field::primes::up_to(end - 1);
            let primes = primes.into_iter().filter(|&q| q >= first).map(BigUint::from);
            assert_eq!(values, primes.collect::<Vec<_>>(), "{first} {end}");
        }
        check(&Family::range(&3_u8.into(), &2001_u32.into(), &[0, 2]).unwrap(), u32::MAX);
        check(&Family::powers(&2_u8.into(), 1, 500, &[1]).unwrap().with_safe_primes().unwrap(), u32::MAX);
    }
}
