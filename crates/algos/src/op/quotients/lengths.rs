//! Which divisions are worth computing together.

/// Shorter divisors, in words, and quotients are computed one by one.
const LEAST: usize = 2;

/// Words of a quotient and of its divisor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    pub(super) quotient: usize,
    pub(super) divisor: usize,
}

/// The lengths of a division of numbers of so many words; nothing if it is better computed alone.
pub(super) fn lengths(a: usize, b: usize) -> Option<Lengths> {
    (b >= LEAST && a + 1 >= b + LEAST).then(|| Lengths { quotient: a + 1 - b, divisor: b })
}

impl Lengths {
    /// Whether up to eight divisions take less time in vectors, where all take that of the longest, than one by
    /// one.
    pub(super) fn are_faster_together(all: impl Iterator<Item = Self> + Clone, wants_rests: bool) -> bool {
        let (mut longest, mut one_by_one) = (Self { quotient: 0, divisor: 0 }, 0);
        for lengths in all {
            longest.quotient = longest.quotient.max(lengths.quotient);
            longest.divisor = longest.divisor.max(lengths.divisor);
            one_by_one += lengths.alone();
        }
        longest.in_vectors(wants_rests) < one_by_one
    }

    /// Nanoseconds of a division alone: within a tenth of what numbers of 8 to 512 words take, where dividends
    /// have twice the words of divisors.
    const fn alone(self) -> usize {
        let Self { quotient, divisor } = self;
        let shorter = if quotient < divisor { quotient } else { divisor };
        30 + 6 * quotient + quotient * divisor * 1024 / (3 * (1024 + shorter))
    }

    /// Nanoseconds of eight such divisions in vectors, and of their rests.
    const fn in_vectors(self, wants_rests: bool) -> usize {
        let Self { quotient, divisor } = self;
        let passes = if wants_rests { 2 } else { 1 };
        300 + 25 * (quotient + passes * divisor) + passes * quotient * divisor * 2 / 5
    }
}
