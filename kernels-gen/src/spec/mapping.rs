//! The threads of an instance and the words that each holds.

use core::fmt;

use serde::Serialize;

use super::error::SpecError;

/// Lanes of a warp.
pub(crate) const WARP: u32 = 32;

/// Words of 32 bits of a vector, which one instruction loads or stores.
pub(crate) const VECTOR_WORDS: u32 = 4;

/// Words of a lane up to which operations within a warp keep their operands in registers.
pub(crate) const MOST_WORDS_WITHIN_WARP: u32 = 64;

/// Threads of a block that holds several instances.
const BLOCK_THREADS: u32 = 128;

/// The threads of an instance and of a block (`templates/layout.cuh`).
///
/// An instance belongs to `lanes` lanes of one warp, or to `warps` whole warps; a thread holds `runs` runs of
/// `run_words` consecutive words. Instances share a warp if `lanes` is below 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Mapping {
    /// V: consecutive words of 32 bits that a thread holds.
    pub run_words: u32,
    /// Runs of a thread, 32 V words apart. More than one only if an instance has whole warps.
    pub runs: u32,
    /// Lanes of an instance within a warp, a power of two up to 32.
    pub lanes: u32,
    /// Warps of an instance. More than one only with 32 lanes.
    pub warps: u32,
    /// IPB: instances of a block.
    pub instances: u32,
}

impl Mapping {
    /// Threads of a block, a multiple of 32.
    #[must_use]
    pub const fn threads(&self) -> u32 {
        let threads = self.instances.saturating_mul(self.lanes.saturating_mul(self.warps));
        threads.div_ceil(WARP).saturating_mul(WARP)
    }

    /// Words of an instance with its padding.
    #[must_use]
    pub const fn padded_words(&self) -> u32 {
        self.run_words.saturating_mul(self.runs).saturating_mul(self.lanes).saturating_mul(self.warps)
    }

    /// Whether the runs of a thread are whole vectors.
    pub(crate) const fn has_vectors(&self) -> bool {
        self.run_words.is_multiple_of(VECTOR_WORDS)
    }

    /// Words that go through shared memory at once: a vector if runs are whole ones.
    pub(crate) const fn piece_words(&self) -> u32 {
        if self.has_vectors() { VECTOR_WORDS } else { 1 }
    }

    /// The words of a lane are a multiple of this in operations within a warp.
    pub(crate) const fn words_within_warp(&self) -> u32 {
        if self.lanes == 1 { 4 } else { 8 }
    }

    /// Threads of `run_words` words, in several runs only if an instance takes whole warps.
    pub(crate) fn over_threads(words: u32, run_words: u32, runs: u32) -> Self {
        let threads = words.div_ceil(run_words);
        let (lanes, runs, warps) = if threads <= WARP {
            (threads.next_power_of_two(), 1, 1)
        } else {
            (WARP, runs, threads.div_ceil(WARP * runs))
        };
        Self { run_words, runs, lanes, warps, instances: 1 }
    }

    /// As many instances as fill a block, or one of several warps, whose barriers then delay no other.
    pub(crate) fn with_full_blocks(self) -> Self {
        Self { instances: if self.warps > 1 { 1 } else { BLOCK_THREADS / self.lanes }, ..self }
    }

    /// Whether the numbers are those of a mapping at all.
    pub(crate) fn check(&self) -> Result<(), SpecError> {
        let Self { run_words, runs, lanes, warps, instances } = *self;
        let has_lanes = lanes.is_power_of_two() && lanes <= WARP;
        let has_warps = warps == 1 || warps > 1 && lanes == WARP;
        let has_runs = runs == 1 || (2..=64).contains(&runs) && lanes == WARP;
        SpecError::require((1..=64).contains(&run_words), "words per run", run_words, "1 to 64")?;
        SpecError::require(has_lanes, "lanes", lanes, "a power of two up to 32")?;
        SpecError::require(has_warps, "warps", warps, "1, or more with 32 lanes")?;
        SpecError::require(has_runs, "runs", runs, "1, or up to 64 with 32 lanes")?;
        SpecError::require(instances > 0, "instances per block", instances, "1 or more")?;
        match self.threads() {
            ..=1024 => Ok(()),
            needed => Err(SpecError::Threads { needed, limit: 1024 }),
        }
    }
}

impl fmt::Display for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { run_words, runs, lanes, warps, instances } = self;
        write!(f, "{run_words}w.{runs}r.{lanes}l.{warps}p.{instances}i")
    }
}
