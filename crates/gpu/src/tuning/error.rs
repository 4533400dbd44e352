//! The ways in which the file of measurements can fail.

use std::io;
use std::path::{Path, PathBuf};

use super::form::FORMAT;

/// The file of measurements cannot be used. Results are never affected: plans then use the shipped times.
#[derive(Debug, thiserror::Error)]
pub enum TuningError {
    /// The file has not the format that `limbforge tune` writes.
    #[error(
        "{} is damaged ({why}): correct it there, or forget all measurements with `limbforge tune --forget` and measure again",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The reason, with line and column where they are known.
        why: String,
    },
    /// Another version of limbforge has written it in a form of its own.
    #[error(
        "{} has the form {found} and this version of limbforge reads {FORMAT}: use a newer version, or forget all measurements with \
         `limbforge tune --forget`",
        path.display()
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// The version of its form.
        found: u32,
    },
    /// The file system refuses.
    #[error("{}: cannot {action} the measurements: {source}; set LIMBFORGE_CACHE to a folder of your own", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The action that failed.
        action: &'static str,
        /// The file system's error.
        source: io::Error,
    },
    /// There is no folder to keep a file in.
    #[error("there is no folder for measurements: set LIMBFORGE_CACHE to one")]
    NoFolder,
}

pub(super) fn failed(path: &Path, action: &'static str, source: io::Error) -> TuningError {
    TuningError::File { path: path.to_owned(), action, source }
}
