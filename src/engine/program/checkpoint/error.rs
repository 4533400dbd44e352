//! Errors of checkpoints.

use std::io;
use std::path::{Path, PathBuf};

use limbforge_algos::program::ProgramError;

/// A checkpoint that cannot be written, or from which no run can go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// A file or folder of it cannot be read or written.
    #[error("{}: cannot {action}: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What failed.
        action: &'static str,
        /// Why.
        source: io::Error,
    },
    /// A folder of this name exists, and is no checkpoint.
    #[error("{}: the folder exists and is no checkpoint; expected a new name, or that of a checkpoint, which is \
             replaced", path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// A file is not the one that was written.
    #[error("{}: {why}; the checkpoint is damaged, and no run can go on from it", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The difference.
        why: String,
    },
    /// Another version of the format.
    #[error("{}: expected version {expected} of checkpoints, found {found}: resume it with the limbforge that wrote it",
            path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version that is read.
        expected: u64,
        /// Its version.
        found: String,
    },
    /// This version of the language does not take its program.
    #[error("{}:{source}; another version of limbforge wrote this checkpoint", path.display())]
    Program {
        /// The file of the program.
        path: PathBuf,
        /// The error in it.
        source: Box<ProgramError>,
    },
}

impl CheckpointError {
    /// The error of an action on a file.
    pub(super) fn file(path: &Path, action: &'static str) -> impl Fn(io::Error) -> Self {
        move |source| Self::File { path: path.to_owned(), action, source }
    }

    pub(super) fn damaged(path: &Path, why: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), why: why.into() }
    }
}
