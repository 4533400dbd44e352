//! The slices of a run, between which it is looked at, written to a checkpoint, or ended.

use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar};
use limbforge::Progress;
use limbforge::prelude::*;

use super::arguments::RunArguments;
use crate::error::CliError;
use crate::output::interrupts;
use crate::progress;

const BAR: &str = "{bar:40} {percent:>3}%  {msg}";

/// Computes slice by slice to the end, or until a signal ends the run.
pub(super) fn run(session: &mut Session<u64>, arguments: &RunArguments) -> Result<(), CliError> {
    interrupts::defer();
    let folder = arguments.folder().map(|folder| &**folder);
    // Before all work: who cannot write a checkpoint is told now. The one that is resumed is there.
    if let Some(folder) = arguments.checkpoint.as_deref() {
        session.checkpoint(folder)?;
    }
    let mut meter = Meter::start();
    let mut written = Instant::now();
    let slice = Duration::from_millis(arguments.slice);
    while !session.progress().is_done {
        if let Some(signal) = interrupts::deferred() {
            drop(meter);
            return end(session, folder, signal);
        }
        let progress = session.advance(slice)?;
        meter.show(&progress);
        if let Some(folder) = folder
            && written.elapsed() >= arguments.every
            && !progress.is_done
        {
            session.checkpoint(folder)?;
            written = Instant::now();
        }
    }
    Ok(())
}

/// Writes the checkpoint, tells how to go on, and ends the program as the signal does.
fn end(session: &mut Session<u64>, folder: Option<&Path>, signal: i32) -> Result<(), CliError> {
    match folder {
        Some(folder) => {
            session.checkpoint(folder)?;
            let Progress { stage, round, .. } = session.progress();
            let folder = folder.display();
            eprintln!(
                "interrupted after round {round} of loop {}: `limbforge run --resume {folder}` with the same outputs goes on",
                stage + 1
            );
        }
        None => eprintln!("interrupted without --checkpoint: nothing is kept"),
    }
    interrupts::end_by(signal);
    Err(CliError::Internal("the signal did not end the program; please report this".to_owned()))
}

/// Progress on standard error, hidden unless it is a terminal.
struct Meter {
    bar: ProgressBar,
}

impl Meter {
    fn start() -> Self {
        Self { bar: progress::start(Some(1), BAR) }
    }

    fn show(&mut self, progress: &Progress) {
        self.bar.set_length(progress.rounds.max(1));
        self.bar.set_position(progress.round);
        self.bar.set_message(text(progress));
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The stage, its rounds, and the time that the others take.
fn text(progress: &Progress) -> String {
    let Progress { stage, stages, round, rounds, left, .. } = *progress;
    let (round, rounds) = (HumanCount(round), HumanCount(rounds));
    let left = left.map(|left| format!("  {} left", HumanDuration(left))).unwrap_or_default();
    // The last stage has no loop.
    let loops = stages.saturating_sub(1).max(1);
    format!("loop {} of {loops}  round {round} of {rounds}{left}", (stage + 1).min(loops))
}
