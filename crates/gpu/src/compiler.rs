//! nvrtc with a memory.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::arch::Target;
use crate::cache::{Cache, CacheKey, Cached};
use crate::driver;
use crate::nvrtc::{Nvrtc, NvrtcError};

/// Threads that compile a program's kernels: each takes some hundred megabytes at times.
const MOST_THREADS: usize = 8;

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

    /// Compiles sources on several cores at once, so that [`compile`](Self::compile) then has them in memory;
    /// equal ones once. What does not compile is left to [`compile`](Self::compile), which says why.
    pub fn prepare<'s>(
        &self,
        sources: impl IntoIterator<Item = &'s str>,
        target: Target,
        options: &[String],
    ) {
        let sources: Vec<&str> = sources.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..cores.min(sources.len()).min(MOST_THREADS) {
                scope.spawn(|| {
                    while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
                        drop(self.compile(source, target, options));
                    }
                });
            }
        });
    }
}
