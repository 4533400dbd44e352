//! The folder of compiled programs: equal kernels are compiled once per machine.
//!
//! Names are hashes of everything that a file was made from, so a file is never out of date. Files appear by
//! renaming, complete or not at all, and several processes may share the folder.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::{env, fs};

use tempfile::TempDir;

use crate::error::EmulateError;

/// A lock for each place where this process has made something: threads that want the same wait for the first
/// one.
static MAKING: LazyLock<Mutex<HashMap<PathBuf, Arc<Mutex<()>>>>> = LazyLock::new(Mutex::default);

/// Where compiled programs are kept.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    root: PathBuf,
    /// Deletes the folder with its last user if it is a temporary one.
    _temporary: Option<Arc<TempDir>>,
}

impl Cache {
    /// The folder that `LIMBFORGE_EMULATE_CACHE` names, or one in cargo's target folder, or a temporary one.
    /// A fixed name in the system's folder of temporary files would let other users place programs there.
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

    /// The file or folder `name`; if there is none yet, `make` makes it in the folder that it is given, under
    /// the name that it returns.
    ///
    /// # Errors
    /// Those of `make`, and [`EmulateError::Io`].
    pub(crate) fn get_or_make(
        &self,
        name: &str,
        make: impl FnOnce(&Path) -> Result<PathBuf, EmulateError>,
    ) -> Result<PathBuf, EmulateError> {
        let place = self.root.join(name);
        // What a thread leaves behind that panicked is no more than a folder.
        let lock =
            MAKING.lock().unwrap_or_else(PoisonError::into_inner).entry(place.clone()).or_default().clone();
        let _first = lock.lock().unwrap_or_else(PoisonError::into_inner);
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn threads_wait_for_the_one_that_makes_a_file() {
        let folder = TempDir::new().unwrap();
        let (cache, made) = (Cache::at(folder.path()), AtomicU32::new(0));
        let make = |scratch: &Path| {
            made.fetch_add(1, Ordering::Relaxed);
            write(&scratch.join("made"), "text")?;
            Ok(scratch.join("made"))
        };
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let place = cache.get_or_make("name", make).unwrap();
                    assert_eq!(fs::read_to_string(place).unwrap(), "text");
                });
            }
        });
        assert_eq!(made.into_inner(), 1);
    }
}
