//! The ways in which the cache can fail.

use std::io;
use std::path::PathBuf;

/// The cache does not work as it should; results are not affected.
#[derive(Debug, thiserror::Error)]
pub enum CacheWarning {
    /// An entry cannot be written.
    #[error(
        "kernels cannot be kept in {}: {source}; they are compiled again in every process: set LIMBFORGE_CACHE to a \
         folder that can be written",
        folder.display()
    )]
    Unwritable {
        /// The cache's folder.
        folder: PathBuf,
        /// The file system's error.
        source: io::Error,
    },
    /// An entry was damaged, was one of another kernel, or could be written by others. It has been replaced.
    #[error(
        "{} was not what had been kept of this kernel, so it was compiled again; nothing needs to be done",
        path.display()
    )]
    Corrupt {
        /// The entry.
        path: PathBuf,
    },
    /// Others than the user could put machine code into the folder.
    #[error(
        "the kernels in {0} are not used, since the folder {why}; kernels are compiled again in every process: expected \
         a folder of your own that nobody else can write to, as after `chmod go-w {0}`, or set LIMBFORGE_CACHE to one",
        folder.display()
    )]
    Untrusted {
        /// The cache's folder.
        folder: PathBuf,
        /// Who can write to it.
        why: String,
    },
}
