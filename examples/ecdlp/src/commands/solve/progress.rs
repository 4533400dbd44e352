//! Progress on standard error.

use std::time::{Duration, Instant};

use ecdlp::curve::Curve;
use ecdlp::solve::Segment;
use ecdlp::store::Store;

use super::time;

/// The time between two lines of progress.
const EVERY: Duration = Duration::from_secs(2);

/// Lines on standard error.
pub(super) struct Progress {
    start: Instant,
    last: Instant,
    stored: Duration,
    expected: f64,
    /// Steps of this process, and of the worker before.
    steps: f64,
    before: f64,
    points: u64,
}

impl Progress {
    /// Says what is to be done by all walks, with so many points in an instance.
    pub(super) fn new(curve: &Curve, store: &Store, (walks, each): (u64, u32), points: u64) -> Self {
        let setting = store.setting;
        let expected = setting.expected(curve);
        let gap = 2_f64.powi(setting.distinguished_bits as i32);
        eprintln!(
            "{}: {} bits, {} walks of {} points each, one point of 2^{} distinguished, {expected:.3e} steps expected",
            curve.name,
            curve.n.bits(),
            walks,
            each,
            setting.distinguished_bits,
        );
        let before = points as f64 * gap;
        if points > 0 {
            eprintln!("{points} distinguished points are there, of about {before:.3e} steps");
        }
        let (start, last, stored) = (Instant::now(), Instant::now(), Duration::ZERO);
        Self { start, last, stored, expected, steps: 0.0, before, points }
    }

    pub(super) fn note(&mut self, segment: &Segment) {
        self.steps += segment.steps as f64;
        self.points += segment.new;
        self.stored += segment.stored;
        if self.last.elapsed() >= EVERY {
            self.last = Instant::now();
            self.say();
        }
    }

    fn say(&self) {
        let rate = self.steps / self.start.elapsed().as_secs_f64();
        let done = self.before + self.steps;
        let left = (self.expected - done).max(0.0) / rate;
        eprintln!(
            "{:.3e} of {:.3e} steps, {:.3} M steps/s, {} points, about {} left",
            done,
            self.expected,
            rate / 1e6,
            self.points,
            time(left)
        );
    }

    pub(super) fn say_end(&self) {
        let elapsed = self.start.elapsed().as_secs_f64();
        eprintln!(
            "{:.3e} steps in {elapsed:.1} s, {:.3} M steps/s, {} points; the store took {:.1} s",
            self.steps,
            self.steps / elapsed / 1e6,
            self.points,
            self.stored.as_secs_f64()
        );
    }
}
