//! The kernel of a program as CUDA C++.

use limbforge_algos::program::stages;
use limbforge_limb::{IntType, Layout};
use minijinja::{context, value::Serde};
use serde::Serialize;

use super::assemble::{Tape, tape};
use super::fits::refused;
use super::kernel::{RowWords, TapeKernel};
use super::lower::{self, Case, widest};
use super::spec::{TapeInput, TapeSpec};
use super::tape::code::What;
use super::threads;
use crate::kernel::{Geometry, Kernel};
use crate::lower::Single;
use crate::spec::{Limits, Mapping, SpecError, WARP};
use crate::template::{Instructions, Template, Templates, render_source};

const PROGRAM: &str = include_str!("../../templates/program.cu.j2");
const TAPE: &str = include_str!("../../templates/tape.cuh");
const LISTS: &str = include_str!("../../templates/tape_lists.cuh");
const RANDOM: &str = include_str!("../../templates/tape_random.cuh");

/// Threads of a block that holds several instances.
const BLOCK_THREADS: u32 = 128;

/// A case of the kernel.
#[derive(Serialize)]
struct CaseText {
    code: String,
    name: String,
    operands: usize,
    lines: Vec<String>,
    result: String,
    truth: bool,
}

/// Renders a program, for a device with these limits.
///
/// # Errors
/// [`SpecError::ProgramOperation`] if the program has an operation that kernels do not take,
/// [`SpecError::ProgramRefused`] if it needs more than the limits give: with what would fit.
pub fn render(spec: &TapeSpec<'_>, limits: &Limits) -> Result<TapeKernel, SpecError> {
    rendered(spec, limits).map_err(|error| refused(spec, limits, error))
}

/// The same, with errors that do not say what would fit.
pub(super) fn rendered(spec: &TapeSpec<'_>, limits: &Limits) -> Result<TapeKernel, SpecError> {
    let ty = widest(spec);
    let mapping = threads::mapping(ty)?;
    let tape = tape(spec, &mapping, ty)?;
    let cases = tape
        .shared
        .cases
        .iter()
        .map(|case| case.statements(mapping, spec.target).map(|single| (case, single)))
        .collect::<Result<Vec<_>, _>>()?;
    let work = work_words(&cases, &mapping)?;
    let mapping = placed(spec, mapping, &tape, work, limits)?;
    let (instance_words, shared_bytes) = shared(&mapping, &tape, work);
    let blocks = blocks(&mapping, &cases, shared_bytes, limits);
    let source = source(spec, &tape, &cases, (&mapping, instance_words, blocks))?;
    let geometry =
        Geometry { threads: mapping.threads(), instances: mapping.instances, planes: 1, shared_bytes };
    let names = spec.program.inputs().iter().map(|input| input.name.to_string());
    let inputs = names.chain(["state".to_owned(), "control".to_owned()]).collect();
    let lists: Vec<RowWords> = (0..spec.program.lists().len())
        .map(|list| {
            let (columns, row) = lower::row_words(spec.program, list);
            RowWords { columns, row }
        })
        .collect();
    let (of_lists, counters) = if lists.is_empty() { (0, 0) } else { (2, 1) };
    let kernel = Kernel::new(source, inputs, geometry, true)
        .with_outputs(spec.program.results().len() + 1 + of_lists)
        .with_zeroed(counters);
    let states = stages(spec.program).iter().map(|stage| lower::planes(spec.program, stage)).collect();
    let (slots, operations) = (tape.numbers, tape.lines.len() as u32);
    // Each begins at 16 bytes; behind the scalars are whether the thread stores and, of several lanes, the rank.
    let scalars = tape.scalars + if has_ranks(&mapping, &cases) { 2 } else { 1 };
    let local_bytes = (8 * scalars).next_multiple_of(16) + 4 * mapping.run_words * tape.shared.cold;
    let places = tape.shared.places;
    let entries = tape.entries;
    Ok(TapeKernel { kernel, entries, places, states, lists, mapping, slots, operations, local_bytes })
}

/// Words of shared memory that operations within a warp use.
fn work_words(cases: &[(&Case, Single)], mapping: &Mapping) -> Result<u32, SpecError> {
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
fn shared(mapping: &Mapping, tape: &Tape, work: u32) -> (u32, u32) {
    let words = |numbers: u32| numbers.saturating_mul(mapping.padded_words());
    let words = words(tape.numbers).max(words(tape.free).saturating_add(work));
    let instance_words = words.div_ceil(8).saturating_mul(8).saturating_add(4);
    let slots = mapping.threads() / mapping.lanes;
    (instance_words, instance_words.saturating_mul(4).saturating_mul(slots))
}

/// The instances of a block: 128 threads, or fewer warps where shared memory is short.
fn placed(
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
fn blocks(mapping: &Mapping, cases: &[(&Case, Single)], shared_bytes: u32, limits: &Limits) -> u32 {
    // As programs of residues alone compile to without a spill.
    let ring = 4 * mapping.run_words + if mapping.lanes == 1 { 32 } else { 64 };
    let registers = cases.iter().filter_map(|(_, single)| single.registers).fold(ring, u32::max);
    let wanted = limits.registers / (mapping.threads() * registers.min(limits.thread_registers));
    limits.blocks(wanted.clamp(1, 5), mapping.threads(), shared_bytes.into())
}

/// Whether operations on integers have the rank from memory.
const fn has_ranks(mapping: &Mapping, cases: &[(&Case, Single)]) -> bool {
    mapping.lanes > 1 && !cases.is_empty()
}

fn source(
    spec: &TapeSpec<'_>,
    tape: &Tape,
    cases: &[(&Case, Single)],
    (mapping, instance_words, blocks): (&Mapping, u32, u32),
) -> Result<String, SpecError> {
    let mut templates = Templates::of([
        Template::Add,
        Template::Bits,
        Template::TapeDivLengths,
        Template::Montgomery,
        Template::DivSteps,
    ]);
    cases.iter().for_each(|(_, single)| templates.extend(single.templates));
    let instructions = [Instructions::Carries(mapping.run_words), Instructions::Multiples];
    let types = spec.program.inputs().iter().map(|input| (input.ty, input.elements));
    let shapes: Vec<String> =
        types.zip(&spec.inputs).map(|((ty, elements), input)| shape(ty, elements, input)).collect();
    let result = TapeInput { limb: spec.limb, layout: spec.output, one_for_all: false };
    let results: Vec<String> =
        spec.program.results().iter().map(|output| shape(output.ty, output.elements, &result)).collect();
    let mut constants: Vec<String> = tape.shared.constants.iter().map(|word| format!("{word}u")).collect();
    constants.resize(constants.len().max(1), "0u".to_owned());
    let texts: Vec<CaseText> = cases.iter().enumerate().map(case_text).collect();
    render_source(
        PROGRAM,
        context! {
            spec => spec.to_string(),
            run_words => mapping.run_words,
            lanes => mapping.lanes,
            instances => mapping.instances,
            slots => tape.free,
            scalars => tape.scalars,
            cold => tape.shared.cold,
            instance_words,
            instructions => Instructions::text(&instructions, spec.target)?,
            templates => templates.texts(),
            tape_template => TAPE,
            random_template => RANDOM,
            list_template => LISTS,
            lists => !spec.program.lists().is_empty(),
            shapes,
            result_shapes => results,
            constants,
            tape => &tape.lines,
            threads => mapping.threads(),
            blocks,
            uses => &tape.uses,
            ranks => has_ranks(mapping, cases),
            products => templates.has(Template::MulClassical),
            several_moduli => spec.program.moduli().len() > 1,
            fallible_cases => cases.iter().any(|(case, _)| case.op.may_fail(case.signed)),
            cases => Serde(texts),
        },
    )
}

fn case_text((index, (case, single)): (usize, &(&Case, Single))) -> CaseText {
    CaseText {
        code: What::Integer(index as u16).code(),
        name: case.op.to_string(),
        operands: case.op.arity(),
        lines: single.lines.clone(),
        result: single.result.clone(),
        truth: single.is_truth,
    }
}

/// A batch as the kernel's `Shape`.
fn shape(ty: IntType, elements: u32, input: &TapeInput) -> String {
    // Words of a limb are a power of two.
    let (words, limb) = (input.limb.instance_words(ty), input.limb.words().ilog2());
    let interleaved = input.layout == Layout::Interleaved;
    let (bits, signed, one) = (ty.bits(), ty.is_signed(), input.one_for_all);
    format!("{{{words}, {limb}, {bits}, {elements}, {signed}, {one}, {interleaved}}}")
}
