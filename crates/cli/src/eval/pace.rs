//! The number of instances that are evaluated at once.

use std::time::Duration;

/// Seconds that a piece should take.
const WANTED: f64 = 0.1;

/// Pieces grow by at most this factor, and after a long one by the other.
const GROWTH: f64 = 16.0;
const GROWTH_OF_LONG: f64 = 4.0;

/// Chooses sizes of pieces by the time that earlier ones took: results come ten times a second, but where so
/// few instances would leave a device idle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    next: usize,
    /// Instances and seconds of the last piece, and of the last one of another size.
    last: Option<(f64, f64)>,
    other: Option<(f64, f64)>,
    least: usize,
}

impl Pace {
    /// Never fewer than `least`, which is how many a device computes in the time of one.
    pub(super) fn new(least: usize) -> Self {
        let least = least.max(1);
        Self { next: least, last: None, other: None, least }
    }

    /// Instances of the next piece.
    pub(super) const fn next(&self) -> usize {
        self.next
    }

    /// Takes note of a piece. Its time is modelled as a start and a part that is proportional to its size: the
    /// first is overhead, or the time of one instance on a device that has room for many.
    pub(super) fn note(&mut self, instances: usize, time: Duration) {
        let (n, t) = (instances as f64, time.as_secs_f64().max(1e-9));
        if let Some((m, s)) = self.last.replace((n, t))
            && (m / n).max(n / m) > 1.25
        {
            self.other = Some((m, s));
            // Smaller pieces are of no use where they are slower.
            if n < m && n / t < 0.75 * (m / s) && s > WANTED {
                self.least = self.least.max(m as usize);
            }
        }
        let wanted = match self.other {
            // One of another size tells more.
            None if t > WANTED => 2.0 * n,
            None => n * WANTED / t,
            Some((m, s)) => {
                let each = ((t - s) / (n - m)).max(t / n / 64.0).min(t / n);
                let start = t - n * each;
                (WANTED - start).max(start) / each
            }
        };
        let most = n * if t > WANTED { GROWTH_OF_LONG } else { GROWTH };
        // A small piece at the end of a chunk says little.
        let is_rest = instances < self.next && t < WANTED;
        let wanted = wanted.clamp(n / 2.0, most).max(if is_rest { self.next as f64 } else { 1.0 });
        // Powers of two: memory of few sizes is used again.
        self.next = (1 << (wanted as usize).max(1).ilog2()).max(self.least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sizes of pieces on a device whose time is a function of them.
    fn sizes(least: usize, seconds: impl Fn(f64) -> f64) -> Vec<usize> {
        let mut pace = Pace::new(least);
        let mut next = || {
            let size = pace.next();
            pace.note(size, Duration::from_secs_f64(seconds(size as f64)));
            size
        };
        (0..24).map(|_| next()).collect()
    }

    #[test]
    fn light_work_soon_comes_in_large_pieces() {
        let found = sizes(16, |n| 1e-4 + n * 1e-7);
        assert_eq!(found[..3], [16, 256, 4096]);
        assert!(found[5..].iter().all(|&size| (300_000..=1 << 20).contains(&size)), "{found:?}");
    }

    #[test]
    fn heavy_work_stays_in_small_pieces() {
        let found = sizes(16, |n| n * 0.03);
        assert_eq!(found[..3], [16, 32, 16]);
        assert!(found[2..].iter().all(|&size| size == 16), "{found:?}");
        let found = sizes(16, |n| n * 0.002);
        assert!(found[2..].iter().all(|&size| (32..=64).contains(&size)), "{found:?}");
    }

    /// Waves of 2000 instances, each of a second: a tenth of a wave would take as long.
    #[test]
    fn a_device_that_computes_many_at_once_is_filled() {
        let found = sizes(16, |n| (n / 2000.0).ceil());
        assert!(found[12..].iter().all(|&size| (1024..=16384).contains(&size)), "{found:?}");
    }

    #[test]
    fn the_small_piece_at_the_end_of_a_chunk_changes_little() {
        let mut pace = Pace::new(16);
        for _ in 0..10 {
            pace.note(pace.next(), Duration::from_secs_f64(1e-6 * pace.next() as f64));
        }
        let before = pace.next();
        pace.note(5, Duration::from_micros(30));
        assert!(pace.next() >= before / 2, "{} after {before}", pace.next());
    }
}
