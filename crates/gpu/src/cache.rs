//! Compiled kernels, remembered in memory and on disk, since compiling one takes far longer than running it.

mod entry;

use std::collections::HashMap;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use etcetera::BaseStrategy;

use crate::arch::Target;
use crate::nvrtc::{Compiled, Image, all_options};
use crate::version::Version;

/// What identifies a compiled kernel: a hash of its source, of everything nvrtc is told, and of nvrtc's version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheKey(blake3::Hash);

impl CacheKey {
    /// The key of a source compiled for `target` with `options` by nvrtc `version`.
    #[must_use]
    pub fn new(source: &str, target: Target, options: &[String], version: Version) -> Self {
        let mut hasher = blake3::Hasher::new();
        let mut add = |part: &str| {
            // Each part with its length before it, so that no two lists of parts are the same bytes.
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        };
        add(&version.to_string());
        for option in all_options(target, options) {
            add(&option);
        }
        add(source);
        Self(hasher.finalize())
    }

    fn file_name(&self) -> String {
        format!("{}.kernel", self.0.to_hex())
    }
}

/// Where an image comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// This process has used it before.
    Memory,
    /// An earlier process has compiled it.
    Disk,
    /// It was compiled now.
    Compiler,
}

/// An image, whether the cache worked or not.
#[derive(Debug)]
pub struct Cached {
    /// What a device loads.
    pub image: Arc<Image>,
    /// nvrtc's warnings; empty unless it was compiled now.
    pub log: String,
    /// Where it comes from.
    pub source: Source,
    /// Why it had to be compiled though it was there, or why the next process must compile it again.
    pub warning: Option<CacheWarning>,
}

/// The cache does not work as it should; results are not affected.
#[derive(Debug, thiserror::Error)]
pub enum CacheWarning {
    /// An entry cannot be written.
    #[error(
        "the kernel cannot be kept in {}: {source}; it will be compiled again next time: set LIMBFORGE_CACHE to a \
         folder that can be written",
        folder.display()
    )]
    Unwritable {
        /// The cache's folder.
        folder: PathBuf,
        /// What the file system says.
        source: io::Error,
    },
    /// An entry was damaged. It has been replaced.
    #[error("{} was damaged, so the kernel was compiled again; nothing needs to be done", path.display())]
    Corrupt {
        /// The entry.
        path: PathBuf,
    },
}

/// Compiled kernels by key. Any number of threads and processes may use the same folder.
#[derive(Debug, Default)]
pub struct Cache {
    folder: Option<PathBuf>,
    memory: Mutex<HashMap<CacheKey, Arc<Image>>>,
}

impl Cache {
    /// The folder that the environment asks for: `LIMBFORGE_CACHE`, else `limbforge/kernels` in the user's cache
    /// folder. None for a user without a home.
    #[must_use]
    pub fn usual_folder() -> Option<PathBuf> {
        if let Some(folder) = std::env::var_os("LIMBFORGE_CACHE").filter(|folder| !folder.is_empty()) {
            return Some(folder.into());
        }
        Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("limbforge").join("kernels"))
    }

    /// A cache in this folder, which is created when it is first written to; None is a cache in memory only.
    #[must_use]
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, memory: Mutex::default() }
    }

    /// The folder of its entries.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The image of this key: from memory, else from the folder, else from `compile`, whose result is kept in both.
    ///
    /// # Errors
    /// Those of `compile`, and no others: a folder that cannot be read or written is a [`CacheWarning`].
    pub fn get_or_compile<E>(
        &self,
        key: &CacheKey,
        compile: impl FnOnce() -> Result<Compiled, E>,
    ) -> Result<Cached, E> {
        if let Some(image) = self.memory().get(key) {
            let image = Arc::clone(image);
            return Ok(Cached { image, log: String::new(), source: Source::Memory, warning: None });
        }
        let path = self.folder.as_ref().map(|folder| folder.join(key.file_name()));
        let stored = path.as_deref().and_then(|path| fs::read(path).ok());
        if let Some(image) = stored.as_deref().and_then(entry::decode) {
            let image = self.remember(key, image);
            return Ok(Cached { image, log: String::new(), source: Source::Disk, warning: None });
        }
        let Compiled { image, log } = compile()?;
        let written = self.folder.as_deref().map_or(Ok(()), |folder| write(folder, key, &image));
        let warning = match (written, self.folder.clone(), path) {
            (Err(source), Some(folder), _) => Some(CacheWarning::Unwritable { folder, source }),
            (_, _, Some(path)) if stored.is_some() => Some(CacheWarning::Corrupt { path }),
            _ => None,
        };
        Ok(Cached { image: self.remember(key, image), log, source: Source::Compiler, warning })
    }

    /// Whether entries can be written, by writing one that is removed again.
    ///
    /// # Errors
    /// What the file system says.
    pub fn probe(folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        tempfile::NamedTempFile::new_in(folder)?.write_all(b"limbforge")
    }

    fn memory(&self) -> std::sync::MutexGuard<'_, HashMap<CacheKey, Arc<Image>>> {
        // Nothing that is done under the lock can leave the map half changed.
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, key: &CacheKey, image: Image) -> Arc<Image> {
        Arc::clone(self.memory().entry(*key).or_insert_with(|| Arc::new(image)))
    }
}

/// Writes an entry so that others see it complete or not at all.
fn write(folder: &Path, key: &CacheKey, image: &Image) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(folder)?;
    file.write_all(&entry::encode(image))?;
    match file.persist(folder.join(key.file_name())) {
        // On Windows an entry that another process has open cannot be replaced; it is the same entry.
        Err(error) if cfg!(windows) && error.error.kind() == ErrorKind::PermissionDenied => Ok(()),
        persisted => Ok(persisted.map(drop)?),
    }
}
