//! Running all cases, with an eye on each.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use limbforge::Engine;

use super::arguments::Extent;
use super::cases::Case;
use super::check::check;
use super::report::Outcome;
use crate::error::CliError;
use limbforge_cli::gpu::kernels::Gpu;

/// How often running cases are looked at.
const LOOK: Duration = Duration::from_millis(50);

/// What is run, and how.
pub(super) struct Runner<'a> {
    pub(super) gpu: &'a Gpu,
    /// Of the same GPU, for random expressions.
    pub(super) engine: &'a Engine,
    pub(super) cases: &'a [Case],
    pub(super) extent: Extent,
    /// Threads that take one case after the other, at least 1.
    pub(super) threads: usize,
    /// Whether each case is told of when it is done.
    pub(super) verbose: bool,
    /// What one case may take.
    pub(super) timeout: Duration,
}

/// What the threads have in common.
#[derive(Default)]
struct Progress {
    next: AtomicUsize,
    running: Mutex<Vec<(usize, Instant)>>,
    outcomes: Mutex<Vec<(usize, Outcome)>>,
    error: Mutex<Option<CliError>>,
    /// Threads that have no more cases.
    ended: AtomicUsize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Runner<'_> {
    /// The outcomes of all cases, in their order. Kernels are compiled on all threads at once; the GPU runs one after the
    /// other. An error is one that makes all further results worthless. A case that takes too long ends the program: neither a
    /// compiler nor a kernel can be stopped in another way.
    pub(super) fn run(&self) -> Result<Vec<Outcome>, CliError> {
        let progress = Progress::default();
        thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| {
                    self.work(&progress);
                    progress.ended.fetch_add(1, Ordering::Relaxed);
                });
            }
            while progress.ended.load(Ordering::Relaxed) < self.threads {
                if let Some(error) = self.overdue(&progress) {
                    eprintln!("error: {error}");
                    std::process::exit(1);
                }
                thread::sleep(LOOK);
            }
        });
        if let Some(error) = lock(&progress.error).take() {
            return Err(error);
        }
        let mut outcomes = progress.outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
        outcomes.sort_unstable_by_key(|(index, _)| *index);
        Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
    }

    fn work(&self, progress: &Progress) {
        loop {
            let index = progress.next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = self.cases.get(index) else { break };
            let begin = Instant::now();
            lock(&progress.running).push((index, begin));
            let outcome = check(self.gpu, self.engine, case, index as u64, self.extent);
            lock(&progress.running).retain(|&(running, _)| running != index);
            match outcome {
                Ok(outcome) => {
                    if self.verbose {
                        eprintln!("{}: {outcome}, {:.2} s", case.name, begin.elapsed().as_secs_f64());
                    }
                    lock(&progress.outcomes).push((index, outcome));
                }
                Err(error) => {
                    progress.next.store(self.cases.len(), Ordering::Relaxed);
                    let (case, source) = (case.name.clone(), Box::new(error));
                    lock(&progress.error).get_or_insert(CliError::SelftestStopped { case, source });
                }
            }
        }
    }

    /// The error for a case that has been running for too long.
    fn overdue(&self, progress: &Progress) -> Option<CliError> {
        let running = lock(&progress.running);
        let &(index, _) = running.iter().find(|(_, begin)| begin.elapsed() > self.timeout)?;
        let case = self.cases.get(index)?.name.clone();
        Some(CliError::SelftestTimeout { case, seconds: self.timeout.as_secs() })
    }
}
