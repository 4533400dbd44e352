//! Sieve of a progression 1 + j*2^m by small primes.

use crate::primes::up_to;

/// Values of j in a segment; their bits fit the first-level cache.
const SEGMENT: u64 = 1 << 18;

/// Upper bound of the primes of the sieve. Measured best for long searches, where a power costs as much as
/// many crossings.
const LIMIT: u64 = 1 << 20;

/// The sieve of a progression.
pub(super) struct Sieve {
    steps: Vec<Step>,
    adicity: u32,
}

/// An odd prime q, and the residue of the j modulo q for which q divides 1 + j*2^m.
struct Step {
    q: u32,
    root: u32,
}

impl Sieve {
    /// The sieve of `count` candidates up to `largest`.
    pub(super) fn new(adicity: u32, largest: u64, count: u64) -> Self {
        let limit = LIMIT.min(largest.isqrt() + 1).min((count >> 4).max(256));
        let primes = up_to(limit as u32 - 1).into_iter().skip(1);
        let steps = primes.map(|q| Step { q, root: root(q, adicity) });
        Self { steps: steps.collect(), adicity }
    }

    /// Calls `take` with the j in `start..end` that no prime of the sieve crosses out, segment by segment in
    /// ascending order. A prime of the sieve does not cross out itself.
    pub(super) fn survivors(&self, start: u64, end: u64, mut take: impl FnMut(&[u64])) {
        // Short blocks have short segments.
        let length = SEGMENT.min(end.saturating_sub(start).next_multiple_of(64));
        let mut next: Vec<u64> = self.steps.iter().map(|step| self.first_hit(step, start) - start).collect();
        let mut crossed = vec![0_u64; (length / 64) as usize];
        let mut survivors = vec![];
        let mut segment = start;
        while segment < end {
            crossed.fill(0);
            for (step, next) in self.steps.iter().zip(&mut next) {
                let mut j = *next;
                while j < length {
                    crossed[(j / 64) as usize] |= 1 << (j % 64);
                    j += u64::from(step.q);
                }
                *next = j - length;
            }
            survivors.clear();
            for (i, word) in crossed.iter().enumerate() {
                let mut left = !word;
                while left != 0 {
                    let j = 64 * i as u64 + u64::from(left.trailing_zeros());
                    survivors.push(segment + j);
                    left &= left - 1;
                }
            }
            survivors.truncate(survivors.partition_point(|&j| j < end));
            take(&survivors);
            segment += length;
        }
    }

    /// The first j >= `start` that q crosses out. Crossing starts at q^2, because smaller multiples have a
    /// smaller divisor.
    fn first_hit(&self, step: &Step, start: u64) -> u64 {
        let q = u64::from(step.q);
        let from = start.max((q * q - 1).div_ceil(1 << self.adicity));
        from + (u64::from(step.root) + q - from % q) % q
    }
}

/// -2^-m mod q, by halving -1 m times; q odd.
fn root(q: u32, m: u32) -> u32 {
    let halve = |x: u32| if x.is_multiple_of(2) { x / 2 } else { x / 2 + q / 2 + 1 };
    (0..m).fold(q - 1, |x, _| halve(x))
}
