//! Runs in slices, between which signals end them and checkpoints are written.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use limbforge::prelude::Session as Core;
use limbforge::{EngineError, Progress};
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use super::results::{Results, RowsOf, complete, results, rows};
use super::slices::{SLICE, computed};
use crate::engine::engine_of;
use crate::errors::{defect, of_engine};
use crate::run;

/// Stage, stages, round, rounds, seconds left, instances, whether all is computed.
type Position = (usize, usize, u64, u64, Option<f64>, usize, bool);

/// A run that is computed in slices.
#[pyclass(frozen, name = "_Session", module = "limbforge._limbforge")]
pub(crate) struct Session {
    /// None while a thread computes it, and from its end on. Locked only while the interpreter is held, so that
    /// no child of `fork` finds it locked.
    core: Mutex<Option<Core<u64>>>,
    text: String,
    file: Option<String>,
}

/// Goes on with the run of a checkpoint.
#[pyfunction]
#[pyo3(name = "_resume", signature = (path, engine, /))]
pub(crate) fn resume(py: Python<'_>, path: PathBuf, engine: Option<&Bound<'_, PyAny>>) -> PyResult<Session> {
    let (core, _) = engine_of(py, engine)?.get().core_for(usize::MAX)?;
    let file = path.join("program.lf").display().to_string();
    let session = run::wait(py, move |_| core.resume::<u64>(&path))?;
    Ok(Session::new(session.map_err(|error| of_engine(&error))?, Some(file)))
}

#[pymethods]
impl Session {
    /// The text of the program.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    #[getter]
    fn progress(&self) -> PyResult<Position> {
        self.core().as_ref().map(|core| position(&core.progress())).ok_or_else(busy)
    }

    /// Computes for so many seconds, at least one round of a loop.
    fn advance(&self, py: Python<'_>, seconds: f64) -> PyResult<Position> {
        let time = duration("seconds", seconds)?;
        self.with(py, move |core, stop| {
            let start = Instant::now();
            loop {
                let progress = core.advance(SLICE.min(time.saturating_sub(start.elapsed())))?;
                if progress.is_done || start.elapsed() >= time || stop.load(Ordering::Relaxed) {
                    return Ok(position(&progress));
                }
            }
        })
    }

    /// Takes the rows that a list has got since the last call.
    #[pyo3(signature = (name, /))]
    fn take_rows(&self, py: Python<'_>, name: String) -> PyResult<RowsOf> {
        let lists = |core: &Core<u64>| core.program().lists().to_vec();
        let all = self.core().as_ref().map(lists).ok_or_else(busy)?;
        let Some(declared) = all.iter().find(|list| *list.name == *name) else {
            let known: Vec<&str> = all.iter().map(|list| &*list.name).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(PyKeyError::new_err(format!("`{name}` is no list; the program has {known}")));
        };
        let list = self.with(py, move |core, _| core.take_rows(&name))?;
        rows(py, declared, &list.ok_or_else(|| defect("a declared list has no rows"))?)
    }

    fn checkpoint(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.with(py, move |core, _| core.checkpoint(&path))
    }

    /// Computes all that is left. A signal handler that raises ends the run after its slice, of which
    /// `checkpoint` is written; without `keeps`, it ends at once, and nothing is left of the run.
    fn run(
        &self,
        py: Python<'_>,
        checkpoint: Option<PathBuf>,
        every: f64,
        raises: bool,
        keeps: bool,
    ) -> PyResult<Results> {
        let every = duration("every", every)?;
        let core = self.take()?;
        let folder = checkpoint.clone();
        let work = move |stop: &AtomicBool| computed(core, folder.as_deref(), every, stop);
        let ((core, found), raised) =
            if keeps { run::wait_for_stop(py, work)? } else { (run::wait(py, work)?, None) };
        *self.core() = core;
        if let Some(raised) = raised {
            let found = found.map_err(|error| of_engine(&error));
            return Err(interrupted(py, raised, checkpoint.as_deref(), found.err()));
        }
        let found = found.map_err(|error| of_engine(&error))?;
        let found = found.ok_or_else(|| defect("a run stopped by itself"))?;
        if raises {
            complete(&found, self.file.as_deref())?;
        }
        results(py, &found)
    }
}

impl Session {
    pub(super) fn new(core: Core<u64>, file: Option<String>) -> Self {
        let text = core.program().text().to_owned();
        Self { core: Mutex::new(Some(core)), text, file }
    }

    fn core(&self) -> MutexGuard<'_, Option<Core<u64>>> {
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> PyResult<Core<u64>> {
        self.core().take().ok_or_else(busy)
    }

    /// Does `work` on the pool. What a signal handler raises is raised after it.
    fn with<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Core<u64>, &AtomicBool) -> Result<T, EngineError> + Send + 'static,
    ) -> PyResult<T> {
        let mut core = self.take()?;
        let ((core, done), raised) = run::wait_for_stop(py, move |stop| {
            let done = work(&mut core, stop);
            (core, done)
        })?;
        *self.core() = Some(core);
        let done = done.map_err(|error| of_engine(&error));
        raised.map_or(done, Err)
    }
}

fn busy() -> PyErr {
    PyRuntimeError::new_err(
        "the session has ended, or another thread computes it: lf.resume or program.session starts one",
    )
}

fn position(progress: &Progress) -> Position {
    let Progress { stage, stages, round, rounds, left, instances, is_done, .. } = *progress;
    (stage, stages, round, rounds, left.map(|left| left.as_secs_f64()), instances, is_done)
}

fn duration(what: &str, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyValueError::new_err(format!("{what}: expected seconds from 0 on, found {seconds}")))
}

/// What was raised, with the way to go on; an error of the checkpoint is its cause.
fn interrupted(py: Python<'_>, raised: PyErr, folder: Option<&Path>, error: Option<PyErr>) -> PyErr {
    match (folder, error) {
        (_, Some(error)) => raised.set_cause(py, Some(error)),
        (Some(folder), None) => {
            let note = format!("the run goes on with lf.resume({:?}).run()", folder.display().to_string());
            // An object that takes no notes is raised without.
            let _ = raised.value(py).call_method1("add_note", (note,));
        }
        (None, None) => {}
    }
    raised
}
