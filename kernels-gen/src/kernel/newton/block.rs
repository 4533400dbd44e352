//! The threads, shared memory and registers of a division's kernels.

use super::spec::DivNewtonSpec;
use super::stage::{DivOutput, Stage};
use super::words::aligned;
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

/// Words of a thread that divides by two words, a power of two: with fewer, remainders on their way down take longer than the words; with
/// more, they take more of shared memory than other divisions leave to as many blocks.
pub(super) const SHORT_WORDS: u32 = 16;

/// Registers beside the numbers that a thread holds, and numbers that live at once.
const OTHER_REGISTERS: u32 = 40;
const LIVE_NUMBERS: u32 = 4;

/// What a block of the kernel takes, without its source.
///
/// # Errors
/// Those of [`render_div_newton`].
pub(crate) fn block(spec: &DivNewtonSpec, limits: &Limits) -> Result<Block, SpecError> {
    let mapping = mapping(spec);
    mapping.check()?;
    let exchange = aligned(2 * mapping.warps);
    let shared_words = exchange
        + match &spec.stage {
            Stage::Normalise { dividend: Some(_), .. } => short_shared_words(spec),
            stage if is_shifted_back(stage) => mapping.padded_words(),
            _ => 0,
        };
    let needed = 4 * u64::from(shared_words);
    limits.check_shared(needed)?;
    let threads = mapping.threads();
    // Threads that shift hold no numbers.
    let shifts = matches!(spec.stage, Stage::Normalise { .. });
    let held = if shifts { 0 } else { LIVE_NUMBERS * mapping.runs * mapping.run_words };
    // What they read and write begins anywhere unless planes have powers of two of words: there are more addresses then.
    let addresses = if shifts && !spec.half.is_power_of_two() { 8 } else { 0 };
    let registers = OTHER_REGISTERS + of_operands(&spec.stage) + held + addresses;
    let wanted =
        limits.blocks((limits.registers / (threads * registers)).clamp(1, MAX_BLOCKS), threads, needed);
    let geometry = Geometry { threads, instances: 1, planes: 1, shared_bytes: needed as u32 };
    Ok(Block { geometry, wanted, registers, barriers: 1 })
}

/// An instance to a block.
pub(super) fn mapping(spec: &DivNewtonSpec) -> Mapping {
    let (runs, warps) = if matches!(spec.stage, Stage::Normalise { .. }) {
        (1, SHIFT_THREADS / WARP)
    } else {
        let vectors = spec.held_words().div_ceil(RUN_WORDS);
        let runs = vectors.div_ceil(WARP * MAX_WARPS);
        (runs, vectors.div_ceil(WARP * runs))
    };
    Mapping { run_words: RUN_WORDS, runs, lanes: WARP, warps, instances: 1 }
}

/// Threads that divide by a divisor of two words, and how often, until all of the dividend is done: it need not fit in shared memory.
pub(super) const fn short_threads(spec: &DivNewtonSpec) -> (u32, u32) {
    let runs = spec.words().div_ceil(SHORT_WORDS);
    let rounds = runs.div_ceil(SHIFT_THREADS);
    (runs.div_ceil(rounds), rounds)
}

/// Words of shared memory for that: two remainders of each thread, one of all, and words with the padding of threads.
const fn short_shared_words(spec: &DivNewtonSpec) -> u32 {
    let (threads, _) = short_threads(spec);
    4 * threads + 4 + aligned(threads * (SHORT_WORDS + 1))
}

/// Registers of a thread for the addresses and factors of operands.
const fn of_operands(stage: &Stage) -> u32 {
    match stage {
        Stage::Sum { slices, .. } => 2 * slices.len() as u32,
        Stage::Difference { .. } | Stage::PartialRemainder { .. } | Stage::CorrectHigh { .. } => 8,
        _ => 0,
    }
}

fn is_shifted_back(stage: &Stage) -> bool {
    let shifts = |wanted: &DivOutput| matches!(wanted, DivOutput::Remainder | DivOutput::RemainderEuclid);
    matches!(stage, Stage::CorrectLow { wanted, .. } if wanted.iter().any(shifts))
}
