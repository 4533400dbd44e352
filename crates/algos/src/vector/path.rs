//! Which implementation runs.

use core::ops::RangeInclusive;
use std::env;
use std::sync::OnceLock;

use super::{montgomery::MOST_BITS, portable::Portable};

/// Bits of types whose powers run in vectors. Measured, microseconds a power, one by one and in groups of 2, 3,
/// 4 and 8: 3.3 and 5.6, 4.9, 4.1, 2.2 at 128 bits, 9.3 and 11.5, 8.0, 6.1, 3.2 at 256, 48 and 36, 25, 18, 9.3
/// at 512, 379 and 185, 123, 93, 47 at 1024. At 64 bits both take the same time; at 8192 vectors win, above was
/// not measured.
const POWERS: RangeInclusive<u32> = 128..=8192;

const _: () = assert!(*POWERS.end() <= MOST_BITS);

/// An implementation of vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Path {
    /// Without vector instructions: for tests.
    Portable(Portable),
    /// AVX-512 with IFMA.
    #[cfg(target_arch = "x86_64")]
    Ifma(fearless_simd::Avx512),
}

/// Runs an expression of the lanes of a path.
macro_rules! with_lanes {
    ($path:expr, $lanes:ident => $run:expr) => {
        match $path {
            $crate::vector::Path::Portable($lanes) => $run,
            #[cfg(target_arch = "x86_64")]
            $crate::vector::Path::Ifma($lanes) => $run,
        }
    };
}

pub(super) use with_lanes;

impl Path {
    /// The implementations of this machine.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        [Some(Self::Portable(Portable)), Self::of_machine()].into_iter().flatten()
    }

    /// By instructions of this machine, if it has them.
    fn of_machine() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return fearless_simd::Level::new().as_avx512().map(Self::Ifma);
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Portable(_) => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Ifma(_) => "ifma",
        }
    }
}

/// The implementation that all batches use, or none: what the machine has, unless the environment variable
/// `LIMBFORGE_VECTORS`, for tests, names another path when the first batch is computed: `none` or one of
/// [`Path::all`]. Other values are ignored.
pub(crate) fn path() -> Option<Path> {
    static PATH: OnceLock<Option<Path>> = OnceLock::new();
    *PATH.get_or_init(|| match env::var("LIMBFORGE_VECTORS") {
        Ok(name) if name == "none" => None,
        Ok(name) => Path::all().find(|path| path.name() == name).or_else(Path::of_machine),
        Err(_) => Path::of_machine(),
    })
}

/// The path of powers with a modulus of so many bits, if it is faster there, and from how many instances on.
pub(crate) fn path_of_powers(bits: u32) -> Option<(Path, usize)> {
    let fewest = match bits {
        0..256 => 6,
        256..512 => 3,
        _ => 2,
    };
    POWERS.contains(&bits).then(path).flatten().map(|path| (path, fewest))
}
