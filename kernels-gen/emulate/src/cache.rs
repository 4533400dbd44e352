//! The folder of compiled programs: equal kernels are compiled once per machine.
//!
//! Names are hashes of everything that a file was made from, so a file is never out of date. Files appear by renaming,
//! complete or not at all, and several processes may share the folder.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use tempfile::TempDir;

use crate::error::EmulateError;

/// Where compiled programs are kept.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    root: PathBuf,
    /// Deletes the folder with its last user if it is a temporary one.
    _temporary: Option<Arc<TempDir>>,
}

impl Cache {
    /// The folder that `LIMBFORGE_EMULATE_CACHE` names, or one in cargo's target folder, or a temporary one. A fixed
    /// name in the system's folder of temporary files would let other users place programs there.
    pub(crate) fn find() -> Result<Self, EmulateError> {
        if let Some(folder) = env::var_os("LIMBFORGE_EMULATE_CACHE").filter(|folder| !folder.is_empty()) {
            return Ok(Self::at(Path::new(&folder)));
        }
        if let Some(target) = target_folder() {
            return Ok(Self::at(&target.join("limbforge-emulate")));
        }
        let temporary = TempDir::with_prefix("limbforge-emulate-").map_err(|source| EmulateError::Io {
            action: "create a folder in",
            path: env::temp_dir(),
            source,
        })?;
        Ok(Self { root: temporary.path().to_owned(), _temporary: Some(Arc::new(temporary)) })
    }

    pub(crate) fn at(root: &Path) -> Self {
        // The compiler runs in another folder.
        Self { root: std::path::absolute(root).unwrap_or_else(|_| root.to_owned()), _temporary: None }
    }

    /// The file or folder `name`; if there is none yet, `make` makes it in the folder that it is given, under the name
    /// that it returns.
    ///
    /// # Errors
    /// Those of `make`, and [`EmulateError::Io`].
    pub(crate) fn get_or_make(
        &self,
        name: &str,
        make: impl FnOnce(&Path) -> Result<PathBuf, EmulateError>,
    ) -> Result<PathBuf, EmulateError> {
        let place = self.root.join(name);
        if place.exists() {
            return Ok(place);
        }
        fs::create_dir_all(&self.root).map_err(|source| EmulateError::Io {
            action: "create the folder",
            path: self.root.clone(),
            source,
        })?;
        let scratch = TempDir::with_prefix_in("build-", &self.root).map_err(|source| EmulateError::Io {
            action: "create a folder in",
            path: self.root.clone(),
            source,
        })?;
        let made = make(scratch.path())?;
        match fs::rename(&made, &place) {
            // Another process was faster and made the same.
            Err(_) if place.exists() => Ok(place),
            Err(source) => Err(EmulateError::Io { action: "create", path: place, source }),
            Ok(()) => Ok(place),
        }
    }
}

/// Writes a file, with the folders that it lies in.
///
/// # Errors
/// [`EmulateError::Io`].
pub(crate) fn write(path: &Path, text: &str) -> Result<(), EmulateError> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    written.map_err(|source: io::Error| EmulateError::Io { action: "write", path: path.to_owned(), source })
}

/// The folder of cargo's results that the running program lies in: cargo marks it by a file.
fn target_folder() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    program.ancestors().skip(1).find(|folder| folder.join("CACHEDIR.TAG").exists()).map(Path::to_owned)
}
