//! Work that is waited for, while Python's other threads run and signals are looked for.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::defect;
use crate::pool;

/// Time between two looks for signals, such as that of Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Work on the pool: its result, or the text of a panic.
struct Work<T> {
    stop: Arc<AtomicBool>,
    receiver: Receiver<Result<T, String>>,
}

impl<T: Send + 'static> Work<T> {
    fn spawn(work: impl FnOnce(&AtomicBool) -> T + Send + 'static) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, receiver) = sync_channel(1);
        let flag = stop.clone();
        pool::spawn(move || {
            // Nobody receives what was stopped.
            let _ = sender.send(caught(|| work(&flag)));
        });
        Self { stop, receiver }
    }

    /// Waits for the result. A signal handler that raises ends the wait and sets the flag.
    fn wait(&mut self, py: Python<'_>) -> PyResult<T> {
        loop {
            let receiver = &mut self.receiver;
            match py.detach(move || receiver.recv_timeout(LOOK)) {
                Ok(done) => return done.map_err(|what| defect(&what)),
                Err(RecvTimeoutError::Disconnected) => return Err(defect("a thread ended before its work")),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(raised) = py.check_signals() {
                self.stop.store(true, Ordering::Relaxed);
                return Err(raised);
            }
        }
    }
}

/// Does `work` on the pool. Python's other threads run meanwhile, and a signal handler that raises ends the
/// wait: the flag that `work` gets is then true.
///
/// # Errors
/// What a signal handler raises, such as `KeyboardInterrupt`; `RuntimeError` for a panic.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    Work::spawn(work).wait(py)
}

/// As [`wait`], but `work` is waited for when a signal handler raises: its result, and what was raised.
///
/// # Errors
/// What a second signal handler raises meanwhile; `RuntimeError` for a panic.
pub(crate) fn wait_for_stop<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<(T, Option<PyErr>)> {
    let mut work = Work::spawn(work);
    match work.wait(py) {
        Ok(done) => Ok((done, None)),
        Err(raised) if work.stop.load(Ordering::Relaxed) => Ok((work.wait(py)?, Some(raised))),
        Err(defect) => Err(defect),
    }
}

/// Does `work` on this thread, while Python's other threads run.
pub(crate) fn at_once<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| caught(work)).map_err(|what| defect(&what))
}

/// The result, or the text of a panic.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
    })
}
