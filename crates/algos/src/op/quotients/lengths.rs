//! Which divisions are worth computing together.

use limbforge_limb::slice::div::short::MOST_OF_QUOTIENTS;

/// Shorter divisors, in words, and quotients are computed one by one.
const LEAST: usize = 2;

/// Words from which quotients take less time in halves, and nanoseconds for a word. Measured, 43 microseconds for 512
/// words and 108 for 1024.
const HALVES: usize = 400;
const IN_HALVES: usize = 90;

/// Words of a quotient and of its divisor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::op) struct Lengths {
    pub(in crate::op) quotient: usize,
    pub(in crate::op) divisor: usize,
}

impl Lengths {
    /// The lengths of a division of numbers of so many words. Quotients of 0 have none.
    #[inline(always)]
    pub(super) const fn of(a: usize, b: usize) -> Self {
        Self { quotient: (a + 1).saturating_sub(b), divisor: b }
    }

    /// Words of the dividend, if the quotient is not 0.
    #[inline(always)]
    pub(in crate::op) const fn dividend(self) -> usize {
        self.quotient + self.divisor - 1
    }

    /// Whether such divisions may be worth computing together.
    #[inline(always)]
    pub(super) const fn are_long(self) -> bool {
        self.quotient >= LEAST && self.divisor >= LEAST
    }

    /// Whether up to eight divisions take less time in vectors, where all take that of the longest, than one by
    /// one.
    pub(super) fn are_faster_together(all: impl Iterator<Item = Self>, wants_rests: bool) -> bool {
        let [together, one_by_one] = Self::times(all, wants_rests);
        together < one_by_one
    }

    /// Nanoseconds of up to eight divisions in vectors, and one by one.
    pub(in crate::op) fn times(all: impl Iterator<Item = Self>, wants_rests: bool) -> [usize; 2] {
        let (mut longest, mut one_by_one) = (Self { quotient: 0, divisor: 0 }, 0);
        for lengths in all {
            longest.quotient = longest.quotient.max(lengths.quotient);
            longest.divisor = longest.divisor.max(lengths.divisor);
            one_by_one += lengths.alone(wants_rests);
        }
        [longest.in_vectors(wants_rests), one_by_one]
    }

    /// Nanoseconds of a division alone: within a tenth of what numbers of 8 to 512 words take, where dividends
    /// have twice the words of divisors.
    const fn alone(self, wants_rest: bool) -> usize {
        let Self { quotient, divisor } = self;
        let shorter = if quotient < divisor { quotient } else { divisor };
        if divisor <= MOST_OF_QUOTIENTS && !wants_rest {
            // Two at a time, without the products of lower words.
            let products = (shorter * shorter - shorter) / 2 + (quotient - shorter) * divisor;
            return 26 + 5 * quotient / 2 + 2 * products / 3;
        }
        if shorter >= HALVES && quotient <= divisor + 1 && !wants_rest {
            return IN_HALVES * quotient;
        }
        let fixed = if wants_rest { 30 } else { 20 };
        fixed + 6 * quotient + ((quotient * divisor * 1024_usize.saturating_sub(shorter * 2 / 3)) >> 10) / 3
    }

    /// Nanoseconds of eight such divisions in vectors, and of their rests.
    const fn in_vectors(self, wants_rests: bool) -> usize {
        let Self { quotient, divisor } = self;
        let passes = if wants_rests { 2 } else { 1 };
        300 + 25 * (quotient + passes * divisor) + passes * quotient * divisor * 2 / 5
    }
}
