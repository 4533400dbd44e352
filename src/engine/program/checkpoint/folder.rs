//! A folder that takes the place of another one when it is complete.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::CheckpointError;
use super::form::{STATE, is_state};

/// A folder that is being written, beside the one whose name it gets.
pub(super) struct NewFolder {
    path: PathBuf,
    target: PathBuf,
}

/// The name beside a folder with an end of its own.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// The folder to read: the one of this name, or the one before it if a run was killed while it replaced it.
pub(super) fn complete(path: &Path) -> PathBuf {
    let previous = beside(path, ".previous");
    if !path.exists() && previous.exists() { previous } else { path.to_owned() }
}

impl NewFolder {
    /// Creates the folder. One that a killed run has left incomplete is removed.
    pub(super) fn create(target: &Path) -> Result<Self, CheckpointError> {
        if target.exists() && !is_checkpoint(target)? {
            return Err(CheckpointError::Occupied { path: target.to_owned() });
        }
        let path = beside(target, ".new");
        remove(&path)?;
        fs::create_dir_all(&path).map_err(CheckpointError::file(&path, "create"))?;
        Ok(Self { path, target: target.to_owned() })
    }

    /// Writes a file to the disk.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), CheckpointError> {
        let path = self.path.join(name);
        let failed = CheckpointError::file(&path, "write");
        let mut file = File::create(&path).map_err(&failed)?;
        file.write_all(bytes).and_then(|()| file.sync_all()).map_err(failed)
    }

    /// Gives the folder its name. Whenever the run is killed, there is a complete folder of this name or of the
    /// one that [`complete`] finds.
    pub(super) fn finish(self) -> Result<(), CheckpointError> {
        let Self { path, target } = &self;
        sync_folder(path)?;
        let previous = beside(target, ".previous");
        if target.exists() {
            remove(&previous)?;
            fs::rename(target, &previous).map_err(CheckpointError::file(target, "replace"))?;
        }
        fs::rename(path, target).map_err(CheckpointError::file(target, "create"))?;
        let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty());
        sync_folder(parent.unwrap_or(Path::new(".")))?;
        remove(&previous)
    }
}

fn remove(path: &Path) -> Result<(), CheckpointError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(CheckpointError::file(path, "remove")(error))
        }
        _ => Ok(()),
    }
}

/// Whether a folder may be replaced: it is a checkpoint, or empty.
fn is_checkpoint(path: &Path) -> Result<bool, CheckpointError> {
    let failed = CheckpointError::file(path, "read");
    let mut entries = match fs::read_dir(path) {
        Err(error) if error.kind() == ErrorKind::NotADirectory => return Ok(false),
        entries => entries.map_err(&failed)?,
    };
    Ok(entries.next().is_none() || fs::read(path.join(STATE)).is_ok_and(|state| is_state(&state)))
}

/// Brings the names in a folder to the disk, where the system can.
#[cfg(unix)]
fn sync_folder(path: &Path) -> Result<(), CheckpointError> {
    let failed = CheckpointError::file(path, "write");
    match File::open(path).map_err(&failed)?.sync_all() {
        // Some file systems cannot report when data are on the disk.
        Err(error) if !matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
            Err(failed(error))
        }
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> Result<(), CheckpointError> {
    Ok(())
}
