//! The vectors that products use.

use std::env;
use std::sync::OnceLock;

use fearless_simd::Level;

/// The vectors of this machine, or AVX2 if the environment variable `LIMBFORGE_TRANSFORMS`, for tests, is `avx2`
/// when the first product is computed and the machine has it.
pub(super) fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        let level = Level::new();
        #[cfg(target_arch = "x86_64")]
        if named("avx2")
            && let Some(avx2) = level.as_avx2()
        {
            return Level::Avx2(avx2);
        }
        level
    })
}

/// Returns true if a vector has eight doubles.
pub(super) fn has_long_vectors() -> bool {
    match level() {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx512(_) => true,
        _ => false,
    }
}

/// Returns true if transforms are left out, because the vectors have no fused multiply-add in hardware, or
/// because `LIMBFORGE_TRANSFORMS` is `none`.
pub(super) fn are_left_out() -> bool {
    static LEFT_OUT: OnceLock<bool> = OnceLock::new();
    *LEFT_OUT.get_or_init(|| {
        let is_fast = match level() {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx2(_) | Level::Avx512(_) => true,
            #[cfg(target_arch = "aarch64")]
            Level::Neon(_) => true,
            _ => false,
        };
        !is_fast || named("none")
    })
}

fn named(name: &str) -> bool {
    env::var_os("LIMBFORGE_TRANSFORMS").is_some_and(|found| found == name)
}
