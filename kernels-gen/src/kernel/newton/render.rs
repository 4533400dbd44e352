//! The kernels of a division by an inverse as CUDA C++.

use limbforge_limb::Layout;
use minijinja::{Value, context, value::Serde};

use super::operands::{Plane, Slice, aligned, part_words};
use super::outputs::{marking, places};
use super::spec::{DivNewtonSpec, Facts};
use super::stage::Stage;
use crate::kernel::{Block, Geometry, Kernel, out_parameters};
use crate::spec::{InputSpec, Limits, Mapping, SpecError, WARP, operand_names};
use crate::template::{Instructions, Template, Templates, render_source};

const KERNEL: &str = include_str!("../../../templates/div_newton.cu.j2");

/// Words of a run: one vector of 16 bytes.
const RUN_WORDS: u32 = 4;

/// Threads of a block at most: two blocks then hide each other's barriers.
const MAX_WARPS: u32 = 16;

/// Blocks that a multiprocessor holds at most.
const MAX_BLOCKS: u32 = 32;

/// Threads of a block that shifts operands.
const SHIFT_THREADS: u32 = 256;

/// Words of a thread that divides by two words: fewer take longer, more leave too little shared memory.
const SHORT_WORDS: u32 = 16;

/// Registers beside the numbers that a thread holds, and numbers that live at once.
const OTHER_REGISTERS: u32 = 40;
const LIVE_NUMBERS: u32 = 4;

/// Renders the specification, for a device with these limits.
///
/// # Errors
/// [`SpecError::SharedMemory`] if a block has too little of it for an instance.
pub fn render_div_newton(spec: &DivNewtonSpec, limits: &Limits) -> Result<Kernel, SpecError> {
    let Block { geometry, wanted, .. } = block(spec, limits)?;
    let (facts, inputs) = (spec.facts(), inputs(spec));
    let flags = facts.unless.map(|_| Template::SkipMask);
    let results = spec.stage.fails().iter().next().map(|_| Template::Results);
    let templates = [Template::DivNewton].into_iter().chain(facts.divides).chain(flags).chain(results);
    let outs = spec.stage.out_names();
    let instructions = [Instructions::Carries(RUN_WORDS), Instructions::Multiples];
    let instructions = &instructions[..1 + usize::from(facts.divides.is_some())];
    let source = render_source(
        KERNEL,
        context! {
            spec => spec.to_string(),
            stage => stage(spec, &facts),
            shared => facts.shared,
            words => spec.words(),
            bits => facts.bits,
            type_bits => spec.ty.bits(),
            is_signed => spec.ty.is_signed(),
            limb_words => spec.limb.words(),
            half => spec.half,
            operand => aligned(spec.half + 1),
            low => aligned(2 * spec.half + 1),
            part_words => part_words(spec.half),
            factor => facts.factor,
            threads => geometry.threads,
            blocks => wanted,
            instructions => Instructions::text(instructions, spec.target)?,
            short_words => SHORT_WORDS,
            short_threads => short_threads(spec),
            inputs => &inputs,
            marks => facts.marks,
            marking => marking(&spec.stage),
            out_parameters => out_parameters(&outs),
            outs => places(spec, &facts, &outs),
            planes => planes(spec, &facts),
            templates => Templates::of(templates).texts(),
            short_template => Template::DivNewtonShort.text(),
            ..Serde(mapping(spec))
        },
    )?;
    Ok(Kernel::new(source, inputs, geometry, facts.marks).with_outputs(outs.len()))
}

/// The resources of a block of the kernel, without its source.
pub(crate) fn block(spec: &DivNewtonSpec, limits: &Limits) -> Result<Block, SpecError> {
    let (facts, mapping) = (spec.facts(), mapping(spec));
    mapping.check()?;
    let work_words = match &spec.stage {
        Stage::Normalise { dividend: Some(_), .. } => {
            // Two remainders of each thread, one of all, and padded words.
            let (threads, _) = short_threads(spec);
            4 * threads + 4 + aligned(threads * (SHORT_WORDS + 1))
        }
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
fn mapping(spec: &DivNewtonSpec) -> Mapping {
    let (runs, warps) = match spec.facts().held_words.div_ceil(RUN_WORDS) {
        0 => (1, SHIFT_THREADS / WARP),
        vectors => {
            let runs = vectors.div_ceil(WARP * MAX_WARPS);
            (runs, vectors.div_ceil(WARP * runs))
        }
    };
    Mapping { run_words: RUN_WORDS, runs, lanes: WARP, warps, instances: 1 }
}

/// Threads that divide by two words, and their rounds: the dividend need not fit in shared memory.
const fn short_threads(spec: &DivNewtonSpec) -> (u32, u32) {
    let runs = spec.words().div_ceil(SHORT_WORDS);
    let rounds = runs.div_ceil(SHIFT_THREADS);
    (runs.div_ceil(rounds), rounds)
}

/// Names of the operands.
fn inputs(spec: &DivNewtonSpec) -> Vec<String> {
    let summands = if let Stage::Sum { operands, .. } = spec.stage { operands } else { 0 };
    let named = spec.stage.names()[1].split_whitespace().map(str::to_owned);
    operand_names((0..summands).map(|i| format!("x{i}")).chain(named), spec.facts().unless)
}

/// The stage as the template reads it.
fn stage(spec: &DivNewtonSpec, facts: &Facts) -> Value {
    let values = match &spec.stage {
        Stage::Normalise { dividend, divisor, .. } => {
            let operand = |input: &InputSpec| {
                context! { broadcast => input.broadcast, interleaved => input.layout == Layout::Interleaved }
            };
            let [dividend, divisor] = [dividend, divisor].map(|input| input.as_ref().map(operand));
            context! { dividend, divisor }
        }
        Stage::Sum { slices, minus, drop, .. } => {
            // A run owes at most a borrow for each number that is subtracted, and the carry of a product.
            let owed = |(_, slice): &(usize, Slice)| match (slice.negative, slice.factor) {
                (false, _) => 0,
                (true, None) => 1,
                (true, Some(_)) => 2,
            };
            let negative: u32 = slices.iter().map(owed).sum();
            let slices: Vec<Value> =
                slices.iter().map(|(input, slice)| context! { input, ..Serde(slice) }).collect();
            context! { slices, minus, drop, negative }
        }
        Stage::Difference { from, to, .. } => context! { from, to },
        Stage::PartialRemainder { shape, .. } | Stage::CorrectHigh { shape } => Serde(shape).into(),
        Stage::CorrectLow { wanted, output, shape, .. } => {
            let interleaved = *output == Layout::Interleaved;
            context! { wanted => Serde(wanted), interleaved, ..Serde(shape) }
        }
    };
    context! { name => spec.stage.name(), unless => facts.unless.map(|unless| unless.mask), ..values }
}

/// The planes of the result: the first word of each, in words per instance, and its contents.
fn planes(spec: &DivNewtonSpec, facts: &Facts) -> Vec<Value> {
    let parts: &[Plane] = if let Stage::Normalise { planes, .. } = &spec.stage { planes } else { &[] };
    let mut first = 0;
    let plane = |(i, &words): (usize, &u32)| {
        let begin = first;
        first += aligned(words);
        match i.checked_sub(1).and_then(|i| parts.get(i)) {
            None => context! { first => begin, words },
            Some(&Plane { of, from, count, of_inverse, .. }) => {
                context! { first => begin, words, from, count, of => Serde(of), of_inverse }
            }
        }
    };
    facts.planes.iter().enumerate().map(plane).collect()
}
