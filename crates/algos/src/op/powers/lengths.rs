//! Which powers are worth computing together.

use crate::op::octave::octave;
use crate::vector::{PathOfPowers, WIDTH, digits_of_powers};

/// Words of the longest modulus whose products are straight assembly.
const SHORT: u64 = 8;

/// Words of the longest modulus whose products take the time of rows.
const LONGEST_BY_ROWS: u64 = 108;

/// Nanoseconds a word of the modulus that a longer one takes for each bit of the exponent.
const BY_TRANSFORMS: u64 = 80;

/// Bits of an exponent and of its modulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lengths {
    pub(super) exponent: u32,
    pub(super) modulus: u32,
}

impl Lengths {
    /// In order: moduli of about the same length, the longest first, and of these the longest exponents
    /// first.
    pub(super) const fn key(self) -> u64 {
        !((octave(digits_of_powers(self.modulus)) as u64) << u32::BITS | self.exponent as u64)
    }

    /// Whether up to eight powers take less time in vectors, where all take that of the longest, than one by
    /// one.
    pub(super) fn are_faster_together(path: PathOfPowers, all: impl Iterator<Item = Self> + Clone) -> bool {
        Self::together(path, all.clone()) < all.map(Self::alone).sum()
    }

    /// Nanoseconds of up to eight powers in vectors.
    pub(super) fn together(path: PathOfPowers, all: impl Iterator<Item = Self>) -> u64 {
        let (mut longest, mut count) = (Self { exponent: 0, modulus: 0 }, 0);
        for lengths in all {
            count += 1;
            longest.exponent = longest.exponent.max(lengths.exponent);
            longest.modulus = longest.modulus.max(lengths.modulus);
        }
        longest.in_vectors(path, count)
    }

    /// Nanoseconds of a power alone. This and the other are within a fifth of what random numbers of 256 to
    /// 8192 bits take, where exponents are as long as moduli. Long products are by transforms.
    const fn alone(self) -> u64 {
        let words = self.modulus.div_ceil(u64::BITS) as u64;
        let by_rows =
            if words > SHORT { 20 + words * (2 + words * 4 / 5) } else { 5 + words * (2 + words / 2) };
        let product = if words > LONGEST_BY_ROWS { words * BY_TRANSFORMS } else { by_rows };
        1000 + self.exponent as u64 * product
    }

    /// Nanoseconds of up to eight such powers in vectors.
    const fn in_vectors(self, path: PathOfPowers, count: usize) -> u64 {
        let digits = digits_of_powers(self.modulus) as u64;
        let product = match path {
            PathOfPowers::Vectors(_) => 25 + digits * (5 + digits),
            #[cfg(target_arch = "x86_64")]
            PathOfPowers::Doubles(_) => {
                let halves = if count > WIDTH / 2 { 2 } else { 1 };
                halves * (20 + digits * (12 + digits * 7 / 8))
            }
        };
        4000 + (self.exponent as u64 + 32) * product
    }
}
