//! The error of a hunt.

use std::io;
use std::path::{Path, PathBuf};

use limbforge::EngineError;
use limbforge::limb::BatchError;
use limbforge::prelude::ProgramError;

/// The reason why a hunt ends before its time.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HuntError {
    /// Arguments that name no hunt.
    #[error("{0}")]
    Argument(String),
    /// A file that cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// Its name.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A folder that is not that of this hunt.
    #[error("{path}: {why}", path = path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// Expected and found.
        why: String,
    },
    /// Results that cannot be written to standard output.
    #[error("standard output: {0}")]
    Output(io::Error),
    /// The engine's reason.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A program that is none.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// Numbers that make no batch.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// A result that the CPU does not confirm.
    #[error("{0}; please report this")]
    Wrong(String),
}

impl HuntError {
    /// The error of a file.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }

    /// An argument's error.
    pub fn argument(why: impl Into<String>) -> Self {
        Self::Argument(why.into())
    }
}
