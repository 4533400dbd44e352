//! Which implementation computes powers.

use core::ops::RangeInclusive;
use std::env;
use std::sync::OnceLock;

#[cfg(target_arch = "x86_64")]
use limbforge_limb::processor::is_intel;

use super::{Path, path};
#[cfg(target_arch = "x86_64")]
use crate::vector::doubles::{self, Doubles};
use crate::vector::montgomery;

/// Bits of types whose powers run in vectors. Measured, microseconds a power, one by one and in groups of 2,
/// 3, 4 and 8: 3.3 and 5.6, 4.9, 4.1, 2.2 at 128 bits, 9.3 and 11.5, 8.0, 6.1, 3.2 at 256, 48 and 36, 25, 18,
/// 9.3 at 512, 379 and 185, 123, 93, 47 at 1024. At 64 bits both take the same time. Of
/// exponents of 64 bits, 1480 and 1120 (groups of 8) at 16384, 3300 and 4360 at 32768.
const POWERS: RangeInclusive<u32> = 128..=16384;

/// Bits of the longest types whose tests of primality run in vectors.
const LONGEST_TESTS: u32 = 8192;

/// Bits from which four numbers or more are tested in vectors, for fewer are faster by transforms.
const FOUR_TESTS: u32 = 6912;

/// The same in doubles. Measured, microseconds a power, one by one and in groups of eight: 8.8 and 8.3 at 256
/// bits, 41.5 and 36.6 at 512, 264 and 183 at 1024, 2029 and 1045 at 2048, 13700 and 6700 at 4096, 96700 and
/// 49000 at 8192.
#[cfg(target_arch = "x86_64")]
const POWERS_IN_DOUBLES: RangeInclusive<u32> = 448..=8192;

/// The same on Intel's processors. On a Sapphire Rapids, milliseconds a power, one by one and in groups: 84 and 85 at 8192
/// bits, and 33 and 38 for structured numbers, whose groups wait for the longest exponent; at 4096 bits groups take 0.63 of
/// GMP's time, structured ones 0.76.
#[cfg(target_arch = "x86_64")]
const POWERS_IN_DOUBLES_ON_INTEL: RangeInclusive<u32> = 448..=6144;

const _: () = assert!(*POWERS.end() <= montgomery::MOST_BITS);
#[cfg(target_arch = "x86_64")]
const _: () = assert!(*POWERS_IN_DOUBLES.end() <= doubles::MOST_BITS);
#[cfg(target_arch = "x86_64")]
const _: () = assert!(*POWERS_IN_DOUBLES_ON_INTEL.end() <= *POWERS_IN_DOUBLES.end());

/// An implementation of powers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PathOfPowers {
    Vectors(Path),
    /// AVX2 with fused multiply-adds.
    #[cfg(target_arch = "x86_64")]
    Doubles(Doubles<fearless_simd::Avx2>),
}

/// Runs an expression of the ring of a path of powers.
macro_rules! with_ring {
    ($path:expr, $ring:ident => $run:expr) => {
        match $path {
            $crate::vector::PathOfPowers::Vectors(path) => $crate::vector::path::with_lanes!(path, $ring => $run),
            #[cfg(target_arch = "x86_64")]
            $crate::vector::PathOfPowers::Doubles($ring) => $run,
        }
    };
}

pub(in crate::vector) use with_ring;

impl PathOfPowers {
    /// The implementations of this machine.
    #[cfg(test)]
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Path::all().map(Self::Vectors).chain(Self::in_doubles())
    }

    /// By fused multiply-adds of this machine, if it has them.
    fn in_doubles() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return fearless_simd::Level::new().as_avx2().map(|avx2| Self::Doubles(Doubles::new(avx2)));
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// The implementation that all batches use, or none, as [`path`]; `LIMBFORGE_VECTORS` may name `doubles`,
    /// too.
    fn of_batches() -> Option<Self> {
        static PATH: OnceLock<Option<PathOfPowers>> = OnceLock::new();
        *PATH.get_or_init(|| match env::var("LIMBFORGE_VECTORS").as_deref() {
            Ok("none") => None,
            Ok("doubles") => Self::in_doubles(),
            _ => path().map(Self::Vectors).or_else(Self::in_doubles),
        })
    }

    #[cfg(test)]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Vectors(path) => path.name(),
            #[cfg(target_arch = "x86_64")]
            Self::Doubles(_) => "doubles",
        }
    }
}

/// The path of powers with a modulus of so many bits, if it is faster there, and from how many instances on.
pub(crate) fn path_of_powers(bits: u32) -> Option<(PathOfPowers, usize)> {
    let fewest = match bits {
        0..256 => 6,
        256..512 => 3,
        _ => 2,
    };
    let of_bits = |path: &PathOfPowers| match path {
        PathOfPowers::Vectors(_) => POWERS.contains(&bits),
        #[cfg(target_arch = "x86_64")]
        PathOfPowers::Doubles(_) if is_intel() => POWERS_IN_DOUBLES_ON_INTEL.contains(&bits),
        #[cfg(target_arch = "x86_64")]
        PathOfPowers::Doubles(_) => POWERS_IN_DOUBLES.contains(&bits),
    };
    PathOfPowers::of_batches().filter(of_bits).map(|path| (path, fewest))
}

/// The path of tests of primality of numbers of so many bits, if it is faster there, and from how many
/// instances on.
pub(crate) fn path_of_tests(bits: u32) -> Option<(Path, usize)> {
    path_of_powers(bits).filter(|_| bits <= LONGEST_TESTS).and_then(|(path, fewest)| match path {
        PathOfPowers::Vectors(path) => Some((path, if bits >= FOUR_TESTS { 4 } else { fewest })),
        #[cfg(target_arch = "x86_64")]
        PathOfPowers::Doubles(_) => None,
    })
}
