//! Looks for signals within loops that hold the interpreter, so that Ctrl-C ends them.

use pyo3::prelude::*;

/// Words between two looks: some milliseconds of conversions.
const PERIOD: usize = 1 << 18;

/// Counts words since the last look.
#[derive(Default)]
pub(crate) struct Looks(usize);

impl Looks {
    /// Notes that so many words are done.
    ///
    /// # Errors
    /// What a signal handler raises, such as `KeyboardInterrupt`.
    pub(crate) fn after(&mut self, py: Python<'_>, words: usize) -> PyResult<()> {
        self.0 += words;
        if self.0 < PERIOD {
            return Ok(());
        }
        self.0 = 0;
        py.check_signals()
    }
}
