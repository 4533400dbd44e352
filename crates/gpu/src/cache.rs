//! Compiled kernels, remembered in memory and on disk, since compiling one takes far longer than running it.

mod entry;
mod folder;
mod key;
mod warning;

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use etcetera::BaseStrategy;

use self::folder::Stored;
pub(crate) use self::folder::create as create_folder;
pub use self::key::CacheKey;
pub use self::warning::CacheWarning;
use crate::nvrtc::{Compiled, Image};

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

/// Compiled kernels by key. Any number of threads and processes may use the same folder.
#[derive(Debug, Default)]
pub struct Cache {
    folder: Option<PathBuf>,
    memory: Mutex<HashMap<CacheKey, Slot>>,
}

/// The image of a key, as soon as there is one. Locked while it is looked up or compiled.
type Slot = Arc<Mutex<Option<Arc<Image>>>>;

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
    /// both. Of several threads that ask for the same key at once, one compiles and the others wait for it.
    ///
    /// # Errors
    /// The errors of `compile`, and no others: a folder that cannot be used is a [`CacheWarning`].
    pub fn get_or_compile<E>(
        &self,
        key: &CacheKey,
        compile: impl FnOnce() -> Result<Compiled, E>,
    ) -> Result<Cached, E> {
        let slot = self.slot(key);
        // An image is put into its slot as a whole, so that a panic leaves none behind.
        let mut kept = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(image) = &*kept {
            let image = Arc::clone(image);
            return Ok(Cached { image, log: String::new(), source: Source::Memory, warning: None });
        }
        let cached = self.stored_or_compiled(key, compile)?;
        *kept = Some(Arc::clone(&cached.image));
        Ok(cached)
    }

    /// The image from the folder, else from `compile`.
    fn stored_or_compiled<E>(
        &self,
        key: &CacheKey,
        compile: impl FnOnce() -> Result<Compiled, E>,
    ) -> Result<Cached, E> {
        let checked = self.folder.as_deref().map(|folder| folder::check(folder).map(|()| folder)).transpose();
        let (folder, mut warning) =
            checked.map_or_else(|untrusted| (None, Some(untrusted)), |folder| (folder, None));
        match folder.map(|folder| (folder, folder::read(folder, key))) {
            Some((_, Stored::Image(image))) => {
                let image = Arc::new(image);
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
        Ok(Cached { image: Arc::new(image), log, source: Source::Compiler, warning })
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

    fn slot(&self, key: &CacheKey) -> Slot {
        // Nothing that is done under the lock can leave the map half changed.
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        memory.entry(*key).or_default().clone()
    }
}
