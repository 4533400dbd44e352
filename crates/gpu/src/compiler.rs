//! nvrtc with a memory.

use crate::arch::Target;
use crate::cache::{Cache, CacheKey, Cached};
use crate::driver;
use crate::nvrtc::{Nvrtc, NvrtcError};

/// Compiles kernels, each once.
#[derive(Debug)]
pub struct Compiler {
    nvrtc: Nvrtc,
    cache: Cache,
}

impl Compiler {
    /// With the best nvrtc of this machine and the user's cache folder.
    ///
    /// # Errors
    /// Those of [`Nvrtc::find`].
    pub fn from_environment() -> Result<Self, NvrtcError> {
        let nvrtc = Nvrtc::find(driver::driver_version().ok())?;
        Ok(Self::new(nvrtc, Cache::new(Cache::usual_folder())))
    }

    /// With this nvrtc and this cache.
    #[must_use]
    pub const fn new(nvrtc: Nvrtc, cache: Cache) -> Self {
        Self { nvrtc, cache }
    }

    /// Its nvrtc.
    #[must_use]
    pub const fn nvrtc(&self) -> &Nvrtc {
        &self.nvrtc
    }

    /// Its cache.
    #[must_use]
    pub const fn cache(&self) -> &Cache {
        &self.cache
    }

    /// The image of a source, compiled unless it is in the cache. `options` are added to limbforge's own.
    ///
    /// # Errors
    /// Those of [`Nvrtc::compile`].
    pub fn compile(&self, source: &str, target: Target, options: &[String]) -> Result<Cached, NvrtcError> {
        let key = CacheKey::new(source, target, options, self.nvrtc.version());
        self.cache.get_or_compile(&key, || self.nvrtc.compile(source, target, options))
    }
}
