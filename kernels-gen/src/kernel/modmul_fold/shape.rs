//! Blocks of kernels by folds.

use limbforge_algos::modmul_fold::Fold;

use crate::kernel::Geometry;
use crate::spec::{Limits, SpecError};

/// (words, most warps of a block): a thread holds two numbers and a product of twice the words, so that longer numbers
/// leave registers to fewer threads. Measured on an H200 at 8, 16, 24, 32, 40 and 48 words.
const POWERS: [(u32, u32); 3] = [(24, 16), (34, 12), (48, 8)];
/// The same for sequences, at 16, 20, 24 and 32 words: 12 and 16 warps make 10.7 and 11.3 thousand curves a second at 512
/// bits, 8, 12 and 16 warps 5.2, 6.3 and 5.8 at 768, 8 and 12 warps 3.5 and 3.3 at 1024.
const SEQUENCES: [(u32, u32); 3] = [(20, 16), (30, 12), (48, 8)];

/// The instances and the memory of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Words of an integer.
    pub(super) words: u32,
    /// Words that are folded.
    pub(super) upper: u32,
    /// Of 32 instances each.
    pub(super) warps: u32,
    /// Constants and words of the steps of a sequence; None for powers.
    steps: Option<(u32, u32)>,
}

impl Shape {
    /// Whether integers of so many words are folded.
    pub(crate) fn exists(words: u32) -> bool {
        Fold::new(words).is_some() && words <= POWERS[POWERS.len() - 1].0
    }

    /// Powers, with the most warps that fit; None if integers are longer than those that [exist](Self::exists).
    pub(crate) fn new(words: u32, limits: &Limits) -> Option<Result<Self, SpecError>> {
        Self { words, upper: words + 1, warps: 0, steps: None }.with_most_warps(&POWERS, limits)
    }

    /// A sequence with so many constants, and words of steps.
    pub(crate) fn of_sequence(
        words: u32,
        steps: (u32, u32),
        limits: &Limits,
    ) -> Option<Result<Self, SpecError>> {
        Self { words, upper: words + 2, warps: 0, steps: Some(steps) }.with_most_warps(&SEQUENCES, limits)
    }

    fn with_most_warps(self, measured: &[(u32, u32)], limits: &Limits) -> Option<Result<Self, SpecError>> {
        let &(_, most) = measured.iter().find(|(longest, _)| self.words <= *longest)?;
        let of_warps = |warps| Self { warps, ..self };
        let fits =
            |shape: &Self| shape.shared_bytes() <= limits.shared_bytes && 32 * shape.warps <= limits.threads;
        let least =
            SpecError::SharedMemory { needed: of_warps(1).shared_bytes(), limit: limits.shared_bytes };
        Some((1..=most).rev().map(of_warps).find(fits).ok_or(least))
    }

    /// Instances of a block.
    pub(crate) const fn instances(&self) -> u32 {
        32 * self.warps
    }

    /// Chunks of 16 bytes of what is folded.
    pub(super) const fn chunks(&self) -> u32 {
        self.upper.div_ceil(4)
    }

    /// Words of a number in memory, which has a word more than an integer.
    pub(crate) const fn entry_words(&self) -> u32 {
        (self.words + 1).next_multiple_of(4)
    }

    /// Bits of the unit of bounds of a sequence; 0 for powers.
    pub(super) fn unit_bits(&self) -> u32 {
        let fold = self.steps.and_then(|_| Fold::for_sequences(self.words));
        fold.map_or(0, Fold::unit_bits)
    }

    /// Bits of a digit of an exponent, at most.
    pub(crate) fn window(&self) -> u32 {
        Fold::window(32 * self.words)
    }

    /// Words of the table of an instance.
    pub(crate) fn table_words(&self) -> u32 {
        self.entry_words() << self.window()
    }

    /// Units of 8 words of a result.
    const fn units(&self) -> u32 {
        self.words.div_ceil(8)
    }

    /// Words of all rows.
    const fn row_words(&self) -> u32 {
        128 * self.chunks() * self.units()
    }

    /// Words that the kernel of rows leaves: those, and a multiple of the modulus of sequences.
    pub(crate) fn modulus_words(&self) -> u32 {
        self.row_words() + self.steps.map_or(0, |_| self.entry_words())
    }

    /// Rows, numbers or sums of each warp, constants and steps.
    fn shared_bytes(&self) -> u64 {
        let (number, sums) = (4 * (self.chunks() | 1), 16 * self.units() + 4);
        let steps = self.steps.map_or(0, |(constants, words)| constants * self.entry_words() + words);
        4 * u64::from(self.row_words() + 32 * self.warps * number.max(sums) + steps)
    }

    pub(super) fn geometry(&self) -> Geometry {
        let instances = self.instances();
        Geometry { threads: instances, instances, planes: 1, shared_bytes: self.shared_bytes() as u32 }
    }
}
