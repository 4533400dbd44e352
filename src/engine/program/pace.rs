//! The rounds of a slice, from the time that earlier ones took.

use std::time::Duration;

/// The first rounds of a loop are few, as nothing is known of their time; a slice has at most this many times
/// those of the one before.
const GROWTH: u64 = 16;

/// What is known of the loop of a stage.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    stage: usize,
    rounds: u64,
    time: Duration,
}

impl Pace {
    /// The rounds that should fit the time, at least one.
    pub(super) fn rounds(&self, stage: usize, time: Duration) -> u64 {
        if self.stage != stage || self.rounds == 0 {
            return 1;
        }
        let fit = self.rounds as f64 * time.as_secs_f64() / self.time.as_secs_f64().max(1e-9);
        (fit as u64).clamp(1, self.rounds.saturating_mul(GROWTH))
    }

    /// Notes a slice.
    pub(super) const fn note(&mut self, stage: usize, rounds: u64, time: Duration) {
        *self = Self { stage, rounds, time };
    }

    /// The time of so many rounds at the pace of the last slice, if it was one of this stage.
    pub(super) fn time(&self, stage: usize, rounds: u64) -> Option<Duration> {
        let is_known = self.stage == stage && self.rounds > 0;
        let seconds = self.time.as_secs_f64() * rounds as f64 / self.rounds as f64;
        is_known.then(|| Duration::from_secs_f64(seconds.min(1e12)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_take_the_time_they_should() {
        let (mut pace, second) = (Pace::default(), Duration::from_secs(1));
        assert_eq!((pace.rounds(0, second), pace.time(0, 5)), (1, None));
        pace.note(0, 1, second / 1000);
        assert_eq!(pace.rounds(0, second), 16);
        pace.note(0, 500, second / 2);
        assert_eq!((pace.rounds(0, second), pace.rounds(0, second / 2000)), (1000, 1));
        assert_eq!(pace.time(0, 2000), Some(2 * second));
        // Another loop has other rounds.
        assert_eq!((pace.rounds(1, second), pace.time(1, 5)), (1, None));
        pace.note(1, 4, Duration::ZERO);
        assert_eq!(pace.rounds(1, second), 64);
    }
}
