//! The kernel of a program as CUDA C++.

use limbforge_algos::program::{TypedProgram, stages};
use minijinja::{context, value::Serde};
use serde::Serialize;

use super::assemble::{Tape, tape};
use super::fits::refused;
use super::kernel::{RowWords, TapeKernel};
use super::lower::{self, Case, widest};
use super::open::{differing, template};
use super::resources::{blocks, placed, shared, work_words};
use super::shapes::shapes;
use super::spec::{Emission, TapeSpec};
use super::straight;
use super::tape::code::What;
use super::threads;
use crate::kernel::{Geometry, Kernel};
use crate::lower::Single;
use crate::spec::{Limits, Mapping, SpecError};
use crate::template::{Instructions, Template, Templates, render_source};

const PROGRAM: &str = include_str!("../../templates/program.cu.j2");
const INPUTS: &str = include_str!("../../templates/program_inputs.cuh.j2");
const LISTS: &str =
    concat!(include_str!("../../templates/program_rows.cuh"), include_str!("../../templates/tape_lists.cuh"));
const RANDOM: &str = concat!(
    include_str!("../../templates/program_philox.cuh"),
    include_str!("../../templates/tape_random.cuh")
);

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
    if spec.emission == Some(Emission::Tape) {
        return by_tape(spec, limits);
    }
    match straight::rendered(spec, limits)? {
        Ok(kernel) => Ok(kernel),
        Err(why) if spec.emission.is_some() => Err(SpecError::Straight { why }),
        Err(why) => by_tape(spec, limits).map(|tape| TapeKernel { not_straight: Some(why), ..tape }),
    }
}

fn by_tape(spec: &TapeSpec<'_>, limits: &Limits) -> Result<TapeKernel, SpecError> {
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
    let (lists, differing) = (RowWords::of(spec.program), differing(spec.program, &spec.inputs));
    let kernel = with_lists(Kernel::new(source, inputs, geometry, true), spec.program);
    let states = stages(spec.program).iter().map(|stage| lower::planes(spec.program, stage)).collect();
    let (slots, operations) = (tape.numbers, tape.lines.len() as u32);
    // Each begins at 16 bytes; behind the scalars are whether the thread stores and, of several lanes, the rank.
    let scalars = tape.scalars + if has_ranks(&mapping, &cases) { 2 } else { 1 };
    let local_bytes = (8 * scalars).next_multiple_of(16) + 4 * mapping.run_words * tape.shared.cold;
    let places = tape.shared.places;
    Ok(TapeKernel {
        emission: Emission::Tape,
        not_straight: None,
        kernel,
        entries: tape.entries,
        places,
        states,
        lists,
        differing,
        mapping,
        slots,
        operations,
        local_bytes,
    })
}

/// A kernel with the outputs of a program: results, the next state, rows of lists and their counters.
pub(super) fn with_lists(kernel: Kernel, program: &TypedProgram) -> Kernel {
    let (of_lists, counters) = if program.lists().is_empty() { (0, 0) } else { (2, 1) };
    kernel.with_outputs(program.results().len() + 1 + of_lists).with_zeroed(counters)
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
    let (shapes, results) = shapes(spec);
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
            tape_template => [Template::TapeCodes, Template::ProgramWords, Template::Tape].map(Template::text).concat(),
            inputs_template => render_source(INPUTS, context! { shapes => &shapes })?,
            random_template => RANDOM,
            list_template => LISTS,
            lists => !spec.program.lists().is_empty(),
            open_template => template(spec),
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
