//! Search for all primes k*2^n + 1 in a range of bits with a minimum adicity n: the primes of
//! number-theoretic transforms (NTTs) of up to 2^n points (Oancea and Watt, section 4.1).
//!
//! These are the primes of the progression 1 + j*2^m, where m is the minimum adicity. A sieve removes
//! multiples of small primes from blocks of j. The survivors are tested by Proth's theorem if k < 2^n, and by
//! Miller-Rabin otherwise.

use core::fmt;
use core::ops::{ControlFlow, RangeInclusive};

use rayon::prelude::*;

mod proth;
mod sieve;

use self::sieve::Sieve;

/// An odd prime p = k*2^n + 1 with k odd; n is its adicity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NttPrime {
    p: u64,
}

impl NttPrime {
    /// The prime p, or `None` if p is not an odd prime.
    #[must_use]
    pub const fn new(p: u64) -> Option<Self> {
        if p > 2 && crate::primality::is_prime(p) { Some(Self { p }) } else { None }
    }

    /// p.
    #[must_use]
    pub const fn p(self) -> u64 {
        self.p
    }

    /// k, odd.
    #[must_use]
    pub const fn k(self) -> u64 {
        (self.p - 1) >> self.adicity()
    }

    /// n, at least 1: the prime has transforms of up to 2^n points.
    #[must_use]
    pub const fn adicity(self) -> u32 {
        (self.p - 1).trailing_zeros()
    }
}

impl fmt::Display for NttPrime {
    /// `3*2^30 + 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.k() {
            1 => write!(f, "2^{} + 1", self.adicity()),
            k => write!(f, "{k}*2^{} + 1", self.adicity()),
        }
    }
}

/// The parameters of a search are invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The bits are not a range within 2 to 64.
    #[error("primes of {}..{} bits: expected a range within 2..64", .found.start(), .found.end())]
    Bits {
        /// The range found.
        found: RangeInclusive<u32>,
    },
    /// The adicity is 0 or above 63.
    #[error("adicity of at least {found}: expected 1 to 63")]
    Adicity {
        /// The adicity found.
        found: u32,
    },
}

/// A search for primes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    bits: RangeInclusive<u32>,
    min_adicity: u32,
}

/// Values of j in a block of the sieve.
const BLOCK: u64 = 1 << 22;

/// Blocks searched in parallel, whose primes are then visited in order.
const BLOCKS_AT_ONCE: u64 = 16;

impl Search {
    /// Primes with a bit length in `bits` (within 2 to 64) and an adicity of at least `min_adicity` (1 to
    /// 63).
    ///
    /// # Errors
    /// [`SearchError`] if either is out of range.
    pub fn new(bits: RangeInclusive<u32>, min_adicity: u32) -> Result<Self, SearchError> {
        if bits.is_empty() || *bits.start() < 2 || *bits.end() > 64 {
            return Err(SearchError::Bits { found: bits });
        }
        if !(1..=63).contains(&min_adicity) {
            return Err(SearchError::Adicity { found: min_adicity });
        }
        Ok(Self { bits, min_adicity })
    }

    /// Number of candidates: all 1 + j*2^m in the range of bits.
    #[must_use]
    pub fn candidates(&self) -> u64 {
        let (first, end) = self.js();
        end - first
    }

    /// (the first j, the j after the last).
    fn js(&self) -> (u64, u64) {
        let m = self.min_adicity;
        let least = 1_u64 << (self.bits.start() - 1);
        let most = u64::MAX >> (64 - self.bits.end());
        let first = (least - 1).div_ceil(1 << m).max(1);
        (first, first.max(((most - 1) >> m) + 1))
    }

    /// Calls `visit` for all primes in ascending order until it breaks, and `progress` from time to time with
    /// the number of [`candidates`](Self::candidates) done. Runs on all threads of rayon's pool; memory does
    /// not grow with the number of primes.
    pub fn for_each(
        &self,
        mut progress: impl FnMut(u64),
        mut visit: impl FnMut(NttPrime) -> ControlFlow<()>,
    ) {
        let (first, end) = self.js();
        let largest = u64::MAX >> (64 - self.bits.end());
        // A short search is faster with fewer primes in its sieve.
        let sieve = Sieve::new(self.min_adicity, largest, end - first);
        let mut window = first;
        // Short blocks first: a caller who needs few primes waits less.
        let mut block = BLOCK / 64;
        while window < end {
            let starts = (0..BLOCKS_AT_ONCE).map(|i| window.saturating_add(i * block));
            let starts: Vec<u64> = starts.filter(|&start| start < end).collect();
            let search = |&start: &u64| self.block(&sieve, start, end.min(start.saturating_add(block)));
            let found: Vec<Vec<u64>> = starts.par_iter().map(search).collect();
            for p in found.into_iter().flatten() {
                if visit(NttPrime { p }).is_break() {
                    return;
                }
            }
            window = end.min(window.saturating_add(BLOCKS_AT_ONCE * block));
            progress(window - first);
            block = BLOCK.min(2 * block);
        }
    }

    /// All primes, in ascending order.
    #[must_use]
    pub fn primes(&self) -> Vec<NttPrime> {
        let mut primes = vec![];
        self.for_each(
            |_| (),
            |prime| {
                primes.push(prime);
                ControlFlow::Continue(())
            },
        );
        primes
    }

    fn block(&self, sieve: &Sieve, start: u64, end: u64) -> Vec<u64> {
        let mut primes = vec![];
        sieve.survivors(start, end, |survivors| proth::primes(self.min_adicity, survivors, &mut primes));
        primes
    }
}

#[cfg(test)]
mod tests;
