//! Running all cases on several threads, each within its time.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use super::{arguments::SelftestArguments, cases::Case, report::Outcome};
use crate::error::CliError;

/// How often running cases are looked at.
const LOOK: Duration = Duration::from_millis(50);

#[derive(Default)]
struct Progress {
    next: usize,
    running: Vec<(usize, Instant)>,
    outcomes: Vec<(usize, Outcome)>,
    error: Option<CliError>,
}

fn lock(progress: &Mutex<Progress>) -> MutexGuard<'_, Progress> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The outcomes of all cases, in their order; `check` also gets a case's number. An error makes further
/// results worthless. A case that takes too long ends the program: a compiler or kernel cannot be stopped
/// otherwise.
pub(super) fn run(
    arguments: &SelftestArguments,
    cases: &[Case],
    timeout: Duration,
    check: impl Fn(u64, &Case) -> Result<Outcome, CliError> + Sync,
) -> Result<Vec<Outcome>, CliError> {
    let progress = Mutex::new(Progress::default());
    let take = || {
        let mut progress = lock(&progress);
        let (index, begin) = (progress.next, Instant::now());
        let case = cases.get(index)?;
        progress.next += 1;
        progress.running.push((index, begin));
        Some((index, case, begin))
    };
    let work = || {
        while let Some((index, case, begin)) = take() {
            let outcome = check(index as u64, case);
            if let (true, Ok(outcome)) = (arguments.verbose, &outcome) {
                eprintln!("{}: {outcome}, {:.2} s", case.name, begin.elapsed().as_secs_f64());
            }
            let mut progress = lock(&progress);
            progress.running.retain(|&(running, _)| running != index);
            match outcome {
                Ok(outcome) => progress.outcomes.push((index, outcome)),
                Err(error) => {
                    progress.next = cases.len();
                    let (case, source) = (case.name.clone(), Box::new(error));
                    progress.error.get_or_insert(CliError::SelftestStopped { case, source });
                }
            }
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..arguments.threads()).map(|_| scope.spawn(work)).collect();
        while !threads.iter().all(ScopedJoinHandle::is_finished) {
            if let Some(&(index, _)) =
                lock(&progress).running.iter().find(|(_, begin)| begin.elapsed() > timeout)
            {
                let (case, seconds) = (cases[index].name.clone(), timeout.as_secs());
                eprintln!("error: {}", CliError::SelftestTimeout { case, seconds });
                std::process::exit(1);
            }
            thread::sleep(LOOK);
        }
    });
    let Progress { error, mut outcomes, .. } = progress.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcomes.sort_unstable_by_key(|(index, _)| *index);
    error.map_or_else(|| Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect()), Err)
}
