//! Errors of the model.

use thiserror::Error;

/// Why there is no estimate.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ModelError {
    /// A parameter outside of its range.
    #[error("{name} is {found}; expected {expected}")]
    Parameter {
        /// The parameter, as in `m`.
        name: &'static str,
        /// The value given.
        found: f64,
        /// The values that it may have.
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
    /// A block of more threads than there are.
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
    /// A graph that is none.
    #[error("kernel {kernel} comes after kernel {before}; expected one of the kernels before it")]
    Order {
        /// The kernel that was added.
        kernel: usize,
        /// The kernel that it was to come after.
        before: usize,
    },
    /// Measurements that fit no machine.
    #[error("{found} measurements; expected two or more, of programs whose computing and moving differ")]
    Measurements {
        /// How many there are.
        found: usize,
    },
}

/// The value, if it is a finite number of `least` or more.
pub(super) fn at_least(
    name: &'static str,
    found: f64,
    least: f64,
    expected: &'static str,
) -> Result<f64, ModelError> {
    if found.is_finite() && found >= least {
        Ok(found)
    } else {
        Err(ModelError::Parameter { name, found, expected })
    }
}
