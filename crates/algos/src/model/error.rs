//! Errors of the model.

use thiserror::Error;

/// Failure of an estimate.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ModelError {
    /// A parameter outside of its range.
    #[error("{name} is {found}; expected {expected}")]
    Parameter {
        /// The parameter, as in `m`.
        name: &'static str,
        /// The value given.
        found: f64,
        /// The allowed values.
        expected: &'static str,
    },
    /// A block that does not fit local memory.
    #[error("{what} with s = {s} takes {words} words of local memory; expected at most {available}")]
    LocalMemory {
        /// The application.
        what: &'static str,
        /// The program parameter.
        s: u64,
        /// Words that a block needs.
        words: u64,
        /// Z.
        available: u64,
    },
    /// A block with too many threads.
    #[error("{what} with s = {s} takes blocks of {threads} threads; expected at most {available}")]
    Threads {
        /// The application.
        what: &'static str,
        /// The program parameter.
        s: u64,
        /// Threads of a block.
        threads: u64,
        /// Most threads of a block.
        available: u64,
    },
    /// No parameter fits.
    #[error("{what}: none of the parameters fits the machine; expected one, as s = 1")]
    NothingFits {
        /// The application.
        what: &'static str,
    },
    /// A kernel that waits for a later one.
    #[error("kernel {kernel} comes after kernel {before}; expected one of the kernels before it")]
    Order {
        /// The kernel that was added.
        kernel: usize,
        /// The kernel that it waits for.
        before: usize,
    },
    /// Measurements that no machine fits.
    #[error("{found} measurements; expected two or more, of programs whose computing and moving differ")]
    Measurements {
        /// Number of measurements.
        found: usize,
    },
}

/// The value, checked to be finite and `least` or more.
pub(super) fn at_least(
    name: &'static str,
    found: f64,
    least: f64,
    expected: &'static str,
) -> Result<(), ModelError> {
    let valid = found.is_finite() && found >= least;
    if valid { Ok(()) } else { Err(ModelError::Parameter { name, found, expected }) }
}
