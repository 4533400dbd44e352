//! Progress on standard error.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// The time between two lines.
const EVERY: Duration = Duration::from_secs(5);

/// What a hunt has done, this run and the ones before.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) next: u64,
    pub(crate) found: u64,
    pub(crate) candidates: u64,
    pub(crate) tests: u64,
}

/// Lines of progress, if standard error is a terminal or they are asked for.
#[derive(Debug)]
pub(crate) struct Meter {
    start: Instant,
    before: Counts,
    last: Instant,
    count: u64,
    is_shown: bool,
}

impl Meter {
    pub(crate) fn start(before: Counts, count: u64, is_asked: bool) -> Self {
        let start = Instant::now();
        Self { start, before, last: start, count, is_shown: is_asked || stderr().is_terminal() }
    }

    /// Writes a line now and then.
    pub(crate) fn show(&mut self, now: &Counts, expected: Option<f64>) {
        if self.is_shown && self.last.elapsed() >= EVERY {
            self.last = Instant::now();
            let share = now.next as f64 / self.count as f64;
            let time = self.start.elapsed().as_secs_f64();
            let done = now.next.saturating_sub(self.before.next).max(1);
            let left = time * (self.count - now.next) as f64 / done as f64;
            eprintln!("{:.2} %  {}  {} left", 100.0 * share, self.text(now, expected), duration(left));
        }
    }

    /// Writes the last line.
    pub(crate) fn end(&self, now: &Counts, expected: Option<f64>) {
        eprintln!("{}", self.text(now, expected));
    }

    fn text(&self, now: &Counts, expected: Option<f64>) -> String {
        let time = self.start.elapsed().as_secs_f64();
        let tests = now.tests - self.before.tests;
        let expected = expected.map(|expected| format!(" ({expected:.1} expected)")).unwrap_or_default();
        format!(
            "{} found{expected}  {} candidates  {} tests, {:.3e}/s  {}",
            now.found,
            now.candidates,
            now.tests,
            tests as f64 / time.max(1e-9),
            duration(time)
        )
    }
}

/// A duration as people read it.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7200.0 => format!("{:.1} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let texts = [3.21, 600.0, 7200.0, 1e6].map(duration);
        assert_eq!(texts, ["3.2 s", "10.0 min", "2.0 h", "11.6 days"]);
    }
}
