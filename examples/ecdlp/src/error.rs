//! What can go wrong.

use std::path::{Path, PathBuf};

use limbforge::EngineError;
use limbforge::limb::BatchError;

/// An error of the program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EcdlpError {
    /// Arguments that contradict each other or a store.
    #[error("{0}")]
    Usage(String),
    /// A curve that is none, or one of which the points have another order.
    #[error("{}: {why}", path.display())]
    Curve {
        /// The file.
        path: PathBuf,
        /// What is expected.
        why: String,
    },
    /// A file that cannot be read or written. What was committed before is kept.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// A store that cannot be read or written, as the disk is full. What was committed before is kept.
    #[error("{}: {source}", path.display())]
    Store {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: Box<redb::Error>,
    },
    /// A store of another curve, or a damaged one.
    #[error("{}: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        why: String,
    },
    /// The device.
    #[error(transparent)]
    Engine(#[from] Box<EngineError>),
    /// An instance of a program that failed, which none does.
    #[error("the walk {walk} failed: {why}")]
    Walk {
        /// The first walk of the instance.
        walk: u64,
        /// The reason.
        why: String,
    },
}

impl EcdlpError {
    /// The error of a file.
    pub fn file(path: &Path) -> impl Fn(std::io::Error) -> Self {
        |source| Self::File { path: path.to_owned(), source }
    }
}

impl From<EngineError> for EcdlpError {
    fn from(error: EngineError) -> Self {
        Self::Engine(Box::new(error))
    }
}

impl From<BatchError> for EcdlpError {
    fn from(error: BatchError) -> Self {
        EngineError::from(limbforge::prelude::EvalError::from(error)).into()
    }
}

/// Ends the program at a broken invariant of this crate.
#[cold]
#[track_caller]
pub(crate) fn broken_invariant(what: &str) -> ! {
    panic!("broken invariant: {what}; please report this")
}
