//! Compiled kernels, remembered in memory and on disk, since compiling one takes far longer than running it.

mod entry;
mod folder;

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use etcetera::BaseStrategy;

use self::folder::Stored;
pub(crate) use self::folder::create as create_folder;
use crate::arch::Target;
use crate::nvrtc::{Compiled, Image, all_options};
use crate::version::Version;

/// The identity of a compiled kernel: a hash of its source, of all options, and of nvrtc's version.
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
        format!("{self}.kernel")
    }
}

impl fmt::Display for CacheKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_hex())
    }
}

/// The origin of an image.
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
    /// The image that a device loads.
    pub image: Arc<Image>,
    /// nvrtc's warnings; empty unless it was compiled now.
    pub log: String,
    /// Its origin.
    pub source: Source,
    /// The reason why an existing entry was compiled again, or why the next process must compile it again.
    pub warning: Option<CacheWarning>,
}

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

/// Compiled kernels by key. Any number of threads and processes may use the same folder.
#[derive(Debug, Default)]
pub struct Cache {
    folder: Option<PathBuf>,
    memory: Mutex<HashMap<CacheKey, Arc<Image>>>,
}

impl Cache {
    /// The folder that the environment asks for: `LIMBFORGE_CACHE`, else `limbforge/kernels` in the user's
    /// cache folder. None for a user without a home.
    #[must_use]
    pub fn usual_folder() -> Option<PathBuf> {
        if let Some(folder) = std::env::var_os("LIMBFORGE_CACHE").filter(|folder| !folder.is_empty()) {
            return Some(folder.into());
        }
        Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("limbforge").join("kernels"))
    }

    /// A cache in this folder, which is created, for this user alone, when it is first written to; None is a
    /// cache in memory only.
    ///
    /// The folder has machine code that the user's GPU runs. One that belongs to another user or
    /// that others can write to is not used: every result then has the warning [`CacheWarning::Untrusted`].
    /// Windows is not asked who can.
    #[must_use]
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, memory: Mutex::default() }
    }

    /// The folder of its entries.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The image of this key: from memory, else from the folder, else from `compile`, whose result is kept in
    /// both.
    ///
    /// # Errors
    /// The errors of `compile`, and no others: a folder that cannot be used is a [`CacheWarning`].
    pub fn get_or_compile<E>(
        &self,
        key: &CacheKey,
        compile: impl FnOnce() -> Result<Compiled, E>,
    ) -> Result<Cached, E> {
        if let Some(image) = self.memory().get(key) {
            let image = Arc::clone(image);
            return Ok(Cached { image, log: String::new(), source: Source::Memory, warning: None });
        }
        let checked = self.folder.as_deref().map(|folder| folder::check(folder).map(|()| folder)).transpose();
        let (folder, mut warning) =
            checked.map_or_else(|untrusted| (None, Some(untrusted)), |folder| (folder, None));
        match folder.map(|folder| (folder, folder::read(folder, key))) {
            Some((_, Stored::Image(image))) => {
                let image = self.remember(key, image);
                return Ok(Cached { image, log: String::new(), source: Source::Disk, warning: None });
            }
            Some((folder, Stored::Wrong)) => {
                warning = Some(CacheWarning::Corrupt { path: folder.join(key.file_name()) });
            }
            Some((_, Stored::Nothing)) | None => {}
        }
        let Compiled { image, log } = compile()?;
        if let Some(folder) = folder
            && let Err(source) = folder::write(folder, key, &image)
        {
            warning = Some(CacheWarning::Unwritable { folder: folder.to_owned(), source });
        }
        Ok(Cached { image: self.remember(key, image), log, source: Source::Compiler, warning })
    }

    /// Finds out whether a folder can be used, by writing a file that is removed again. Creates the folder.
    ///
    /// # Errors
    /// [`CacheWarning::Unwritable`], or [`CacheWarning::Untrusted`] if others can write to it.
    pub fn probe(folder: &Path) -> Result<(), CacheWarning> {
        let write = || {
            folder::create(folder)?;
            tempfile::NamedTempFile::new_in(folder)?.write_all(b"limbforge")
        };
        write().map_err(|source| CacheWarning::Unwritable { folder: folder.to_owned(), source })?;
        folder::check(folder)
    }

    /// Refuses a folder that others than the user can write to. A folder that does not exist yet is accepted,
    /// as is none.
    ///
    /// # Errors
    /// [`CacheWarning::Untrusted`].
    pub fn check(&self) -> Result<(), CacheWarning> {
        self.folder.as_deref().map_or(Ok(()), folder::check)
    }

    fn memory(&self) -> std::sync::MutexGuard<'_, HashMap<CacheKey, Arc<Image>>> {
        // Nothing that is done under the lock can leave the map half changed.
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, key: &CacheKey, image: Image) -> Arc<Image> {
        Arc::clone(self.memory().entry(*key).or_insert_with(|| Arc::new(image)))
    }
}
