//! A hunt through the indices of a family: the CPU sieves the next chunk while the engine tests this one, and the one
//! before is written.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use limbforge_hunts::{HuntError, Signals};

use crate::family::Family;
use crate::sieve::Sieve;
use crate::tester::{Test, Tester};

/// Candidates of the first chunk, and the most of one: 128 MiB.
const CANDIDATES: (usize, usize) = (1 << 10, 1 << 24);

/// Segments that are sieved at once, when a hunt is under way: some for each thread.
const SEGMENTS: usize = 2;

/// A hunt.
#[derive(Debug)]
pub struct Hunt<'h> {
    /// The candidates.
    pub family: &'h Family,
    /// Their sieve.
    pub sieve: &'h Sieve,
    /// The engine.
    pub tester: &'h Tester,
    /// The test of what the sieve leaves; none is needed where it has all primes up to the root.
    pub test: Test,
    /// Whether the finds have to pass [`Test::Bpsw`], too.
    pub verify: bool,
    /// The time of a chunk: what is lost if a hunt is killed, and long beside the start of a kernel.
    pub every: Duration,
}

/// The finds among the indices from `first` to below `end`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The first index that was looked at.
    pub first: u64,
    /// The index behind the last one.
    pub end: u64,
    /// The indices at which all values are prime, in order.
    pub indices: Vec<u64>,
    /// The number of indices that the sieve left.
    pub candidates: u64,
    /// The number of tests.
    pub tests: u64,
}

impl Hunt<'_> {
    /// Hunts from index `next` on, and gives the finds of chunk after chunk to `each`. True if all indices are done,
    /// false if a signal came.
    ///
    /// # Errors
    /// [`HuntError`] if the engine fails, and those of `each`.
    pub fn run(
        &self,
        next: u64,
        signals: &Signals,
        mut each: impl FnMut(Found) -> Result<(), HuntError>,
    ) -> Result<bool, HuntError> {
        let target = AtomicUsize::new(CANDIDATES.0);
        let (to_test, sieved) = sync_channel(1);
        let (to_write, tested) = sync_channel(1);
        let mut end = next;
        thread::scope(|scope| {
            scope.spawn(|| self.sieve(next, &target, to_test));
            scope.spawn(|| self.test(sieved, &target, signals, to_write));
            // An error drops the receiver, which ends the other threads.
            for found in tested {
                let found: Found = found?;
                end = found.end;
                each(found)?;
            }
            Ok(end >= self.family.count())
        })
    }

    /// Sieves until the last index, or until nobody takes the chunks.
    fn sieve(&self, mut next: u64, target: &AtomicUsize, sender: SyncSender<Found>) {
        let most = (SEGMENTS * rayon::current_num_threads()) as u64;
        let mut segments = 1;
        while next < self.family.count() {
            let mut chunk = Found { first: next, ..Found::default() };
            while next < self.family.count() && chunk.indices.len() < target.load(Ordering::Relaxed) {
                let (survivors, end) = self.sieve.survivors(next, segments);
                chunk.indices.extend(survivors);
                next = end;
                segments = most.min(2 * segments);
            }
            chunk.end = next;
            chunk.candidates = chunk.indices.len() as u64;
            if sender.send(chunk).is_err() {
                return;
            }
        }
        drop(sender);
    }

    /// Tests chunk after chunk until the last one, a signal, an error, or until nobody takes the finds.
    fn test(
        &self,
        chunks: Receiver<Found>,
        target: &AtomicUsize,
        signals: &Signals,
        finds: SyncSender<Result<Found, HuntError>>,
    ) {
        for chunk in chunks {
            if signals.came() {
                return;
            }
            let (start, candidates) = (Instant::now(), chunk.candidates);
            let found = self.of_chunk(chunk);
            target.store(next_target(candidates, start.elapsed(), self.every), Ordering::Relaxed);
            let is_over = found.is_err();
            if finds.send(found).is_err() || is_over {
                return;
            }
        }
        drop(finds);
    }

    fn of_chunk(&self, mut chunk: Found) -> Result<Found, HuntError> {
        if self.sieve.limit() < self.family.root() {
            (chunk.indices, chunk.tests) = self.tester.passing(self.test, self.family, chunk.indices)?;
            if self.verify && self.test != Test::Bpsw {
                let (indices, tests) = self.tester.passing(Test::Bpsw, self.family, chunk.indices)?;
                (chunk.indices, chunk.tests) = (indices, chunk.tests + tests);
            }
        }
        Ok(chunk)
    }
}

/// The candidates of the next chunk, from those of this one: at most four times as many.
fn next_target(candidates: u64, time: Duration, every: Duration) -> usize {
    let factor = (every.as_secs_f64() / time.as_secs_f64().max(1e-6)).min(4.0);
    ((candidates as f64 * factor) as usize).clamp(CANDIDATES.0, CANDIDATES.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_take_the_time_they_should() {
        let (million, every) = (1_000_000, Duration::from_secs(3));
        assert_eq!(next_target(million, every, every), 1_000_000);
        assert_eq!(next_target(million, 2 * every, every), 500_000);
        assert_eq!(next_target(million, Duration::ZERO, every), 4_000_000);
        assert_eq!(next_target(0, every, every), CANDIDATES.0);
        assert_eq!(next_target(1 << 24, Duration::ZERO, every), CANDIDATES.1);
    }
}
