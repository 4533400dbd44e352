//! The threads, shared memory and registers of a division's kernels.

use super::operands::aligned;
use super::spec::DivNewtonSpec;
use super::stage::Stage;
use crate::kernel::{Block, Geometry};
use crate::spec::{Limits, Mapping, SpecError, WARP};

/// Words of a run: one vector of 16 bytes.
pub(super) const RUN_WORDS: u32 = 4;

/// Threads of a block at most: two blocks then hide each other's barriers.
const MAX_WARPS: u32 = 16;

/// Blocks that a multiprocessor holds at most.
const MAX_BLOCKS: u32 = 32;

/// Threads of a block that shifts operands.
const SHIFT_THREADS: u32 = 256;

/// Words of a thread that divides by two words, a power of two. With fewer, remainders on their way down take
/// longer than the words; with more, they take more shared memory than as many blocks have.
pub(super) const SHORT_WORDS: u32 = 16;

/// Registers beside the numbers that a thread holds, and numbers that live at once.
const OTHER_REGISTERS: u32 = 40;
const LIVE_NUMBERS: u32 = 4;

/// The resources of a block of the kernel, without its source.
pub(crate) fn block(spec: &DivNewtonSpec, limits: &Limits) -> Result<Block, SpecError> {
    let (facts, mapping) = (spec.facts(), mapping(spec));
    mapping.check()?;
    let work_words = match &spec.stage {
        Stage::Normalise { dividend: Some(_), .. } => short_shared_words(spec),
        _ if facts.shifts_back => mapping.padded_words(),
        _ => 0,
    };
    let needed = 4 * u64::from(aligned(2 * mapping.warps) + work_words);
    limits.check_shared(needed)?;
    let threads = mapping.threads();
    let held = if facts.held_words == 0 { 0 } else { LIVE_NUMBERS * mapping.runs * mapping.run_words };
    let registers = OTHER_REGISTERS + facts.registers + held;
    let wanted =
        limits.blocks((limits.registers / (threads * registers)).clamp(1, MAX_BLOCKS), threads, needed);
    let geometry = Geometry { threads, instances: 1, planes: 1, shared_bytes: needed as u32 };
    Ok(Block { geometry, wanted, registers, barriers: 1 })
}

/// An instance to a block.
pub(super) fn mapping(spec: &DivNewtonSpec) -> Mapping {
    let (runs, warps) = match spec.facts().held_words.div_ceil(RUN_WORDS) {
        0 => (1, SHIFT_THREADS / WARP),
        vectors => {
            let runs = vectors.div_ceil(WARP * MAX_WARPS);
            (runs, vectors.div_ceil(WARP * runs))
        }
    };
    Mapping { run_words: RUN_WORDS, runs, lanes: WARP, warps, instances: 1 }
}

/// Threads that divide by a divisor of two words, and the rounds that they take: the dividend need not fit in
/// shared memory.
pub(super) const fn short_threads(spec: &DivNewtonSpec) -> (u32, u32) {
    let runs = spec.words().div_ceil(SHORT_WORDS);
    let rounds = runs.div_ceil(SHIFT_THREADS);
    (runs.div_ceil(rounds), rounds)
}

/// Words of shared memory for that: two remainders of each thread, one of all, and padded words.
const fn short_shared_words(spec: &DivNewtonSpec) -> u32 {
    let (threads, _) = short_threads(spec);
    4 * threads + 4 + aligned(threads * (SHORT_WORDS + 1))
}
