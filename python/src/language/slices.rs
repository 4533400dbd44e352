//! The slices of a run to its end.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use limbforge::EngineError;
use limbforge::prelude::{ProgramRun, Session as Core};

/// The time of a slice, after which a run may stop.
pub(super) const SLICE: Duration = Duration::from_millis(200);

/// A run and its results.
type Computed = (Option<Core<u64>>, Result<Option<ProgramRun<u64>>, EngineError>);

/// The run if it was stopped or has failed, and its results if it is done.
pub(super) fn computed(
    mut core: Core<u64>,
    folder: Option<&Path>,
    every: Duration,
    stop: &AtomicBool,
) -> Computed {
    match slices(&mut core, folder, every, stop) {
        Ok(true) => (None, core.finish().map(Some)),
        Ok(false) => (Some(core), Ok(None)),
        Err(error) => (Some(core), Err(error)),
    }
}

/// Computes slice by slice: true at the end, false if it was stopped.
fn slices(
    core: &mut Core<u64>,
    folder: Option<&Path>,
    every: Duration,
    stop: &AtomicBool,
) -> Result<bool, EngineError> {
    let write = |core: &mut Core<u64>| folder.map_or(Ok(()), |folder| core.checkpoint(folder));
    // Before all work: who cannot write a checkpoint is told now.
    write(core)?;
    let mut written = Instant::now();
    loop {
        if stop.load(Ordering::Relaxed) {
            write(core)?;
            return Ok(false);
        }
        if core.progress().is_done {
            return Ok(true);
        }
        core.advance(SLICE)?;
        if written.elapsed() >= every {
            write(core)?;
            written = Instant::now();
        }
    }
}
