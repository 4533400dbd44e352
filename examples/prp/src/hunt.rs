//! A hunt through the indices of a family: the CPU sieves the next chunks while engines test these, and the one before
//! is written.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use limbforge_hunts::{HuntError, Signals};

use crate::family::Family;
use crate::sieve::Sieve;
use crate::tester::{Test, Tester};

/// Candidates of the first chunk, and the most of one: 64 MiB, the work of a GPU for a second.
const CANDIDATES: (usize, usize) = (1 << 10, 1 << 23);

/// Segments that are sieved at once, when a hunt is under way: at most so many for each thread.
const SEGMENTS: usize = 2;

/// A hunt.
#[derive(Debug)]
pub struct Hunt<'h> {
    /// The candidates.
    pub family: &'h Family,
    /// Their sieve.
    pub sieve: &'h Sieve,
    /// The engines, each with a thread of its own: a second one on a GPU keeps it busy while the first one's candidates and
    /// results are copied.
    pub testers: &'h [Tester],
    /// Set when the engines have compiled their programs, or have failed to.
    pub ready: &'h OnceLock<()>,
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
        let mut end = next;
        thread::scope(|scope| {
            let (mut to_test, mut tested) = (vec![], vec![]);
            for tester in self.testers {
                let (sender, sieved) = sync_channel(1);
                let (to_write, found) = sync_channel(1);
                let target = &target;
                scope.spawn(move || self.test(tester, sieved, target, signals, to_write));
                to_test.push(sender);
                tested.push(found);
            }
            let target = &target;
            scope.spawn(move || self.sieve(next, target, &to_test));
            // Chunks go to the engines in turn. An error drops the receivers, which ends the other threads.
            for tested in tested.iter().cycle() {
                let Ok(found) = tested.recv() else { break };
                let found: Found = found?;
                end = found.end;
                each(found)?;
            }
            Ok(end >= self.family.count())
        })
    }

    /// Sieves until the last index, or until nobody takes the chunks.
    fn sieve(&self, mut next: u64, target: &AtomicUsize, senders: &[SyncSender<Found>]) {
        let most = (SEGMENTS * rayon::current_num_threads()) as u64;
        let (mut segments, mut left) = (1, 0.0);
        for sender in senders.iter().cycle() {
            if next >= self.family.count() {
                return;
            }
            let mut chunk = Found { first: next, ..Found::default() };
            let wanted = target.load(Ordering::Relaxed);
            while next < self.family.count() && chunk.indices.len() < wanted {
                // As many segments as hold the candidates that are missing.
                let missing = wanted - chunk.indices.len();
                let enough = if left > 0.0 { (missing as f64 / left).ceil() as u64 } else { 1 };
                segments = enough.clamp(1, most.min(2 * segments));
                let (survivors, end) = self.sieve.survivors(next, segments);
                left = survivors.len() as f64 / segments as f64;
                chunk.indices.extend(survivors);
                next = end;
            }
            chunk.end = next;
            chunk.candidates = chunk.indices.len() as u64;
            if sender.send(chunk).is_err() {
                return;
            }
        }
    }

    /// Tests chunk after chunk until the last one, a signal, an error, or until nobody takes the finds.
    fn test(
        &self,
        tester: &Tester,
        chunks: Receiver<Found>,
        target: &AtomicUsize,
        signals: &Signals,
        finds: SyncSender<Result<Found, HuntError>>,
    ) {
        self.ready.wait();
        for chunk in chunks {
            if signals.came() {
                return;
            }
            let (start, candidates) = (Instant::now(), chunk.candidates);
            let found = self.of_chunk(tester, chunk);
            target.store(next_target(candidates, start.elapsed(), self.every), Ordering::Relaxed);
            let is_over = found.is_err();
            if finds.send(found).is_err() || is_over {
                return;
            }
        }
        drop(finds);
    }

    fn of_chunk(&self, tester: &Tester, mut chunk: Found) -> Result<Found, HuntError> {
        if self.sieve.limit() < self.family.root() {
            (chunk.indices, chunk.tests) = tester.passing(self.test, self.family, chunk.indices)?;
            if self.verify && self.test != Test::Bpsw {
                let (indices, tests) = tester.passing(Test::Bpsw, self.family, chunk.indices)?;
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
mod tests;
