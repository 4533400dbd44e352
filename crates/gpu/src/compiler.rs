//! nvrtc with a memory.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::arch::Target;
use crate::cache::{Cache, CacheKey, Cached};
use crate::driver;
use crate::nvrtc::{Nvrtc, NvrtcError};

/// Threads that compile kernels: each takes some hundred megabytes at times.
const MOST_THREADS: usize = 16;

/// Compiles kernels, each once.
#[derive(Debug)]
pub struct Compiler {
    nvrtc: Nvrtc,
    cache: Cache,
}

/// One of several sources, compiled.
#[derive(Debug)]
pub struct Compilation {
    /// The source's place among them.
    pub index: usize,
    /// Its image.
    pub cached: Result<Cached, NvrtcError>,
    /// The time of its thread, in the cache or in nvrtc.
    pub taken: Duration,
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

    /// Compiles sources on several cores at once, and passes each to `done` as soon as it is ready, from the
    /// thread that has compiled it. Equal sources are compiled once.
    ///
    /// ```no_run
    /// use limbforge_gpu::{Arch, Compiler, Target};
    /// # fn example(a: &str, b: &str) -> Result<(), Box<dyn std::error::Error>> {
    /// let target = Target::Cubin(Arch::new(9, 0));
    /// Compiler::from_environment()?.compile_all(&[(a, target), (b, target)], &[], |compilation| {
    ///     println!("source {} took {:?}", compilation.index, compilation.taken);
    /// });
    /// # Ok(())
    /// # }
    /// ```
    pub fn compile_all(
        &self,
        sources: &[(&str, Target)],
        options: &[String],
        done: impl Fn(Compilation) + Sync,
    ) {
        let mut order: Vec<usize> = (0..sources.len()).collect();
        // Long sources first, which mostly take longest: no core then ends long after the others.
        order.sort_by_key(|&index| std::cmp::Reverse(sources[index].0.len()));
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                let ((source, target), begin) = (sources[index], Instant::now());
                let cached = self.compile(source, target, options);
                done(Compilation { index, cached, taken: begin.elapsed() });
            }
        };
        let cores = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            for _ in 1..cores.min(sources.len()).min(MOST_THREADS) {
                scope.spawn(work);
            }
            work();
        });
    }

    /// Compiles sources on several cores at once, so that [`compile`](Self::compile) then has them in memory;
    /// equal ones once. What does not compile is left to [`compile`](Self::compile), which says why.
    pub fn prepare<'s>(
        &self,
        sources: impl IntoIterator<Item = &'s str>,
        target: Target,
        options: &[String],
    ) {
        let sources: BTreeSet<&str> = sources.into_iter().collect();
        let sources: Vec<(&str, Target)> = sources.into_iter().map(|source| (source, target)).collect();
        self.compile_all(&sources, options, drop);
    }
}
