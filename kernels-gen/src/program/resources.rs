//! Shared memory and blocks of a tape's kernel.

use super::assemble::Tape;
use super::lower::Case;
use super::spec::TapeSpec;
use crate::lower::Single;
use crate::spec::{Limits, Mapping, SpecError, WARP};
use crate::template::Template;

/// Threads of a block that holds several instances.
const BLOCK_THREADS: u32 = 128;

/// Words of shared memory that operations within a warp use.
pub(super) fn work_words(cases: &[(&Case, Single)], mapping: &Mapping) -> Result<u32, SpecError> {
    let padded = mapping.padded_words();
    let lanes = padded + mapping.lanes * mapping.piece_words();
    let words = cases.iter().map(|(_, single)| {
        let divides = if single.templates.has(Template::Div) { lanes } else { 0 };
        let twice = if single.templates.has(Template::DivWide) { 2 } else { 1 };
        single.slot.max(twice * divides)
    });
    Ok(words.max().unwrap_or(0).div_ceil(4) * 4)
}

/// Words from one instance to the next one, which begins in another bank, and bytes of a block.
pub(super) fn shared(mapping: &Mapping, tape: &Tape, work: u32) -> (u32, u32) {
    let words = |numbers: u32| numbers.saturating_mul(mapping.padded_words());
    let words = words(tape.numbers).max(words(tape.free).saturating_add(work));
    let instance_words = words.div_ceil(8).saturating_mul(8).saturating_add(4);
    let slots = mapping.threads() / mapping.lanes;
    (instance_words, instance_words.saturating_mul(4).saturating_mul(slots))
}

/// The instances of a block: 128 threads, or fewer warps where shared memory is short.
pub(super) fn placed(
    spec: &TapeSpec<'_>,
    mapping: Mapping,
    tape: &Tape,
    work: u32,
    limits: &Limits,
) -> Result<Mapping, SpecError> {
    let of = |threads: u32| Mapping { instances: threads / mapping.lanes, ..mapping };
    if let Some(instances) = spec.instances {
        let mapping = Mapping { instances, ..mapping };
        mapping.check()?;
        limits.check_threads(mapping.threads())?;
        limits.check_shared(shared(&mapping, tape, work).1.into())?;
        return Ok(mapping);
    }
    let fits = |threads: &u32| u64::from(shared(&of(*threads), tape, work).1) <= limits.shared_bytes;
    let threads = [BLOCK_THREADS, 2 * WARP, WARP].into_iter().find(fits);
    threads.map(of).ok_or_else(|| {
        let per_number = 4 * u64::from(mapping.padded_words() * (WARP / mapping.lanes));
        let most = (limits.shared_bytes / per_number).saturating_sub(u64::from(work) * 4 / per_number + 1);
        SpecError::Program {
            what: "numbers of an instance in shared memory",
            needed: tape.numbers,
            limit: most as u32,
        }
    })
}

/// Blocks of a multiprocessor for which the compiler saves registers.
pub(super) fn blocks(
    mapping: &Mapping,
    cases: &[(&Case, Single)],
    shared_bytes: u32,
    limits: &Limits,
) -> u32 {
    // As programs of residues alone compile to without a spill.
    let ring = 4 * mapping.run_words + if mapping.lanes == 1 { 32 } else { 64 };
    let registers = cases.iter().filter_map(|(_, single)| single.registers).fold(ring, u32::max);
    let wanted = limits.registers / (mapping.threads() * registers.min(limits.thread_registers));
    limits.blocks(wanted.clamp(1, 5), mapping.threads(), shared_bytes.into())
}
