//! Which implementation runs.

use core::ops::RangeInclusive;
use std::env;
use std::sync::OnceLock;

use super::{divider, multiply, portable::Portable};
pub(super) use powers::with_ring;
pub(crate) use powers::{PathOfPowers, path_of_powers, path_of_tests};

mod powers;

/// Bits of types whose divisions run in vectors. Measured beside those one by one, by divisors of half the
/// bits, microseconds a quotient: 0.069 and 0.063 at 256 bits, 0.074 and 0.095 at 384, 0.106 and 0.188 at
/// 1024, 20.6 and 83 at 65536, 68.7 and 128 at 98304; a remainder 0.095 and 0.095 at 384, 0.137 and 0.190 at
/// 1024; both 109 and 132 at 98304. Now that both take less and groups are sorted, quotients take 0.119 and 0.112 at
/// 1024 bits, of structured numbers 0.150 and 0.117, and 0.181 and 0.242 at 2048.
const DIVISIONS: RangeInclusive<u32> = 1280..=98304;

/// Bits from which square roots take their last quotients in vectors. Measured, microseconds in vectors and one by
/// one: 1.24 and 1.16 at 8192, 2.75 and 2.93 at 16384, 23.7 and 30.6 at 65536.
const LEAST_OF_ROOTS: u32 = 12288;

/// Bits of types whose products modulo an operand run in vectors. Measured as before: 0.22 and 0.36 at 128
/// bits, 0.27 and 0.93 at 1024, 19 and 45 at 16384, 73 and 108 at 32768.
const MODULAR_PRODUCTS: RangeInclusive<u32> = 65..=32768;

/// Bits of types whose greatest common divisors run in vectors. Measured as before: 0.152 and 0.076 at 64
/// bits, 0.22 and 0.38 at 128, 1.17 and 3.6 at 1024, 19 and 49 at 8192; 803 and 1390 at 65536, but of
/// structured numbers, which end early alone, 1512 and 590.
const DIVISORS: RangeInclusive<u32> = 65..=49152;

/// Bits of types whose inverses run in vectors. Measured as before: 0.19 and 0.25 at 64 bits, 1.68 and 4.1 at
/// 1024, 49 and 70 at 8192, 705 and 755 at 32768.
const INVERSES: RangeInclusive<u32> = 64..=32768;

/// A product of two numbers or a square, and what is kept of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    Low,
    LowOfSquare,
    High,
    Wide,
    WideOfSquare,
}

/// Bits of the longest factors in vectors.
const LONGEST: u32 = 65536;

impl Kept {
    /// Bits of types whose products run in vectors. Measured beside rows and transforms, microseconds: 0.062
    /// and 0.076 (low, 1024 bits), 0.065 and 0.053 (low, 768), 0.102 and 0.143 (high, 1024), 0.046 and 0.054
    /// (wide, 512), 0.027 and 0.034 (wide square, 256); at 32768 bits 14.8 and 18.6, 7.6 and 15.4 (square),
    /// 28.9 and 24.3 (wide), 15.0 and 21.1 (wide square). Digits come in whole blocks of 260 bits, so that
    /// squares of 512 bits win (0.023 and 0.028) and those of 640 lose (0.039 and 0.033).
    const fn is_faster(self, bits: u32) -> bool {
        match self {
            Self::Low => matches!(bits, 832..=36864),
            Self::LowOfSquare => matches!(bits, 480..=520 | 768..=LONGEST),
            Self::High => matches!(bits, 704..=24576),
            Self::Wide => matches!(bits, 480..=24576),
            Self::WideOfSquare => matches!(bits, 256..=40960),
        }
    }

    /// The same where the numbers of a batch lie side by side. Measured: 0.0024 and 0.0116 (low, 256 bits),
    /// 0.0080 and 0.0292 (low, 512), 0.0288 and 0.0371 (low, 576), 0.0048 and 0.0270 (wide, 256), 0.014 and
    /// 0.050 (wide, 512), 0.0396 and 0.0640 (wide, 576), 0.0036 and 0.026 (wide square, 256).
    const fn is_faster_side_by_side(self, bits: u32) -> bool {
        match (self, bits) {
            (Self::High, _) => false,
            (_, 193..=256 | 449..=832) => true,
            _ => self.is_faster(bits),
        }
    }
}

const _: () = assert!(LONGEST <= multiply::MOST_BITS && *DIVISIONS.end() <= divider::MOST_BITS);

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
/// `LIMBFORGE_VECTORS`, for tests, names another path when the first batch is computed: `none`, `doubles`,
/// which has powers alone, or one of [`Path::all`]. Other values are ignored.
pub(crate) fn path() -> Option<Path> {
    static PATH: OnceLock<Option<Path>> = OnceLock::new();
    *PATH.get_or_init(|| match env::var("LIMBFORGE_VECTORS").as_deref() {
        Ok("none" | "doubles") => None,
        Ok(name) => Path::all().find(|path| path.name() == name).or_else(Path::of_machine),
        Err(_) => Path::of_machine(),
    })
}

/// The path of products of numbers of so many bits, if it is faster there, and from how many instances on.
pub(crate) fn path_of_products(kept: Kept, bits: u32) -> Option<(Path, usize)> {
    kept.is_faster(bits).then(path).flatten().map(|path| (path, 5))
}

/// The path of products of neighbouring numbers of so many bits, if it is faster there.
pub(crate) fn path_of_neighbours(kept: Kept, bits: u32) -> Option<Path> {
    kept.is_faster_side_by_side(bits).then(path).flatten()
}

/// The path of divisions of numbers of so many bits, if it is faster there, and from how many instances on.
pub(crate) fn path_of_divisions(bits: u32) -> Option<(Path, usize)> {
    DIVISIONS.contains(&bits).then(path).flatten().map(|path| (path, 4))
}

/// The path of the last quotients of square roots of numbers of so many bits, which have half the bits and a word
/// more, and from how many instances on.
pub(crate) fn path_of_roots(bits: u32) -> Option<(Path, usize)> {
    (bits >= LEAST_OF_ROOTS).then(|| path_of_divisions(bits / 2 + 2 * u64::BITS)).flatten()
}

/// The path of products modulo numbers of so many bits, if it is faster there, and from how many instances
/// on.
pub(crate) fn path_of_modular_products(bits: u32) -> Option<(Path, usize)> {
    MODULAR_PRODUCTS.contains(&bits).then(path).flatten().map(|path| (path, 3))
}

/// The path of greatest common divisors of numbers of so many bits, if it is faster there, and from how many
/// instances on.
pub(crate) fn path_of_divisors(bits: u32) -> Option<(Path, usize)> {
    DIVISORS.contains(&bits).then(path).flatten().map(|path| (path, 6))
}

/// The path of inverses modulo numbers of so many bits, if it is faster there, and from how many instances
/// on.
pub(crate) fn path_of_inverses(bits: u32) -> Option<(Path, usize)> {
    INVERSES.contains(&bits).then(path).flatten().map(|path| (path, 6))
}
