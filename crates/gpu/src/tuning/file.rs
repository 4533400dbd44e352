//! Changes of the file of measurements: under a lock, and all at once.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::{TuningError, failed};
use crate::cache;

/// Extension of the lock file: the file itself is replaced at every change.
const LOCK: &str = "lock";

/// The right to change a file of measurements, until it is dropped or the process ends.
pub(super) struct Lock {
    _locked: File,
}

impl Lock {
    /// Waits until no other thread or process changes the file at `path`. Creates its folder.
    ///
    /// # Errors
    /// [`TuningError::File`].
    pub(super) fn wait(path: &Path) -> Result<Self, TuningError> {
        let lock = || {
            cache::create_folder(folder(path))?;
            let file =
                File::options().create(true).truncate(false).write(true).open(path.with_extension(LOCK))?;
            file.lock()?;
            Ok(Self { _locked: file })
        };
        lock().map_err(|source| failed(path, "lock", source))
    }

    /// Writes the file so that others see it as it was or as it will be.
    ///
    /// # Errors
    /// The file system's error.
    pub(super) fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(folder(path))?;
        file.write_all(text.as_bytes())?;
        // Else the new name may outlive a crash of the machine that the text does not.
        file.as_file().sync_data()?;
        Ok(file.persist(path).map(drop)?)
    }

    /// Removes the file.
    ///
    /// # Errors
    /// The file system's error.
    pub(super) fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
