//! Progress on standard error: instances that are done, of all, their rate, and the time that is left.

use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar};

use crate::progress;

const BAR: &str = "{bar:40} {percent:>3}%  {msg}";
const SPINNER: &str = "{spinner} {msg}";

/// Hidden unless standard error is a terminal.
pub(super) struct Meter {
    bar: ProgressBar,
    /// The number of instances is known, at least roughly.
    is_bar: bool,
    start: Instant,
    done: u64,
}

impl Meter {
    pub(super) fn start() -> Self {
        Self { bar: progress::start(None, SPINNER), start: Instant::now(), done: 0, is_bar: false }
    }

    /// So many more instances are done, of about `total`.
    pub(super) fn add(&mut self, instances: usize, total: Option<u64>) {
        self.done += instances as u64;
        if self.bar.is_hidden() {
            return;
        }
        if let Some(total) = total {
            if !self.is_bar {
                self.bar.set_style(progress::style(BAR));
                self.is_bar = true;
            }
            self.bar.set_length(total.max(self.done));
            self.bar.set_position(self.done);
        }
        self.bar.set_message(text(self.done, total, self.start.elapsed()));
    }

    /// Prints lines above the bar, if there is one.
    pub(super) fn printer(&self) -> Option<impl FnOnce(String)> {
        (!self.bar.is_hidden()).then_some(|line| self.bar.println(line))
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// What is done, at which rate, and how long all others take at it.
fn text(done: u64, total: Option<u64>, time: Duration) -> String {
    let rate = done as f64 / time.as_secs_f64().max(1e-3);
    let rate_text = if rate < 10.0 { format!("{rate:.1}") } else { HumanCount(rate as u64).to_string() };
    let Some(total) = total.map(|total| total.max(done)) else {
        return format!("{} integers  {rate_text}/s", HumanCount(done));
    };
    let left = Duration::from_secs_f64(((total - done) as f64 / rate.max(1e-9)).min(1e9));
    let (done, total) = (HumanCount(done), HumanCount(total));
    format!("{done} of {total} integers  {rate_text}/s  {} left", HumanDuration(left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_that_is_left_follows_from_what_is_done() {
        let seconds = Duration::from_secs;
        assert_eq!(text(2000, Some(12_000), seconds(4)), "2,000 of 12,000 integers  500/s  20 seconds left");
        assert_eq!(text(3, Some(2), seconds(2)), "3 of 3 integers  1.5/s  0 seconds left");
        assert_eq!(text(70, None, seconds(2)), "70 integers  35/s");
    }
}
