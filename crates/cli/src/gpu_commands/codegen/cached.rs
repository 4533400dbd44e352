//! How long a kernel takes that an earlier process has compiled.

use std::time::{Duration, Instant};

use limbforge_gpu::{Cache, CacheKey, Compiled, Source, Target, Version};
use limbforge_kernels_gen::{Limits, ProgramKernel, SpecError};

/// Lookups that are timed.
const LOOKUPS: usize = 9;

/// The median time from the specification to the compiled kernel, read from a cache on disk as a new process does: all
/// that comes before the driver loads it. None if there is no place for a temporary cache.
pub(super) fn time(
    spec: &ProgramKernel,
    limits: &Limits,
    target: Target,
    nvrtc: Version,
    compiled: &Compiled,
) -> Result<Option<Duration>, SpecError> {
    let Ok(folder) = tempfile::tempdir() else { return Ok(None) };
    let lookup = || {
        let kernel = spec.render(limits)?;
        let key = CacheKey::new(&kernel.source, target, &[], nvrtc);
        let Ok(found) = Cache::new(Some(folder.path().to_owned()))
            .get_or_compile(&key, || Ok::<_, core::convert::Infallible>(compiled.clone()));
        Ok::<_, SpecError>(found.source)
    };
    lookup()?;
    let mut times = Vec::with_capacity(LOOKUPS);
    for _ in 0..LOOKUPS {
        let start = Instant::now();
        if lookup()? != Source::Disk {
            return Ok(None);
        }
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(times.get(LOOKUPS / 2).copied())
}
