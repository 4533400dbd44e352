//! The kernels of a division by an inverse as CUDA C++.

use limbforge_limb::Layout;
use minijinja::{Value, context};

use super::schedule::{aligned, part_words};
use super::spec::{DivNewtonSpec, Factor, Shape, Slice, Stage, Wanted};
use crate::kernel::{Block, Geometry, Kernel};
use crate::spec::{InputSpec, Limits, Mapping, SpecError, Unless, WARP};
use crate::template::{ENTRY, Instructions, Template, Templates, render_source};

const KERNEL: &str = include_str!("../../../templates/div_newton.cu.j2");

/// Words of a run: one vector of 16 bytes.
const RUN_WORDS: u32 = 4;

/// Threads of a block at most: two blocks then hide each other's barriers.
const MAX_WARPS: u32 = 16;

/// Blocks that a multiprocessor holds at most.
const MAX_BLOCKS: u32 = 32;

/// Threads of a block that shifts operands.
const SHIFT_THREADS: u32 = 256;

/// Words of a thread that divides by two words, a power of two: with fewer, remainders on their way down take longer than the words; with
/// more, they take more of shared memory than other divisions leave to as many blocks.
const SHORT_WORDS: u32 = 16;

/// Registers beside the numbers that a thread holds, and numbers that live at once.
const OTHER_REGISTERS: u32 = 40;
const LIVE_NUMBERS: u32 = 4;

/// Renders the specification, for a device with these limits.
///
/// # Errors
/// [`SpecError::SharedMemory`] if a block has too little of it for an instance.
pub fn render_div_newton(spec: &DivNewtonSpec, limits: &Limits) -> Result<Kernel, SpecError> {
    let mapping = mapping(spec);
    let Block { geometry, wanted, .. } = block(spec, limits)?;
    let (inputs, marks) = (inputs(&spec.stage), marks(&spec.stage));
    let stage = stage(spec);
    let source = render_source(
        KERNEL,
        context! {
            spec => spec.to_string(),
            entry => ENTRY,
            stage => stage,
            shared => is_shared(&spec.stage),
            words => spec.words(),
            bits => bits(spec),
            type_bits => spec.ty.bits(),
            is_signed => spec.ty.is_signed(),
            limb_words => spec.limb.words(),
            half => spec.half,
            operand => aligned(spec.half + 1),
            low => aligned(2 * spec.half + 1),
            part_words => part_words(spec.half),
            factor => factor(&spec.stage),
            run_words => mapping.run_words,
            runs => mapping.runs,
            warps => mapping.warps,
            threads => geometry.threads,
            blocks => wanted,
            instructions => instructions(spec)?,
            short_words => SHORT_WORDS,
            short_threads => short_threads(spec),
            inputs => &inputs,
            marks => marks,
            planes => planes(spec),
            templates => templates(spec),
            short_template => Template::DivNewtonShort.text(),
        },
    )?;
    Ok(Kernel { source, entry: ENTRY.to_owned(), inputs, geometry, marks })
}

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
    if needed > limits.shared_bytes {
        return Err(SpecError::SharedMemory { needed, limit: limits.shared_bytes });
    }
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

/// Texts that the kernel includes.
fn templates(spec: &DivNewtonSpec) -> Vec<&'static str> {
    let mut templates = Templates::of(&[Template::DivNewton]);
    if spec.stage.unless().is_some() {
        templates.include(Template::Unless);
    }
    match &spec.stage {
        Stage::Normalise { .. } => templates.include(Template::DivNewtonNormalise),
        Stage::Finish { .. } => templates.include(Template::DivNewtonDigit),
        Stage::Sum { .. } | Stage::Difference { .. } | Stage::Rest { .. } | Stage::Middle { .. } => {}
    }
    templates.texts()
}

/// An instance to a block.
fn mapping(spec: &DivNewtonSpec) -> Mapping {
    let (runs, warps) = if matches!(spec.stage, Stage::Normalise { .. }) {
        (1, SHIFT_THREADS / WARP)
    } else {
        let vectors = spec.held_words().div_ceil(RUN_WORDS);
        let runs = vectors.div_ceil(WARP * MAX_WARPS);
        (runs, vectors.div_ceil(WARP * runs))
    };
    Mapping { run_words: RUN_WORDS, runs, lanes: WARP, warps, instances: 1 }
}

fn instructions(spec: &DivNewtonSpec) -> Result<String, SpecError> {
    let divides = matches!(spec.stage, Stage::Normalise { .. } | Stage::Finish { .. });
    let wanted = [Instructions::Carries(RUN_WORDS), Instructions::Multiples];
    Instructions::text(&wanted[..1 + usize::from(divides)], spec.target)
}

/// Threads that divide by a divisor of two words, and how often, until all of the dividend is done: it need not fit in shared memory.
const fn short_threads(spec: &DivNewtonSpec) -> (u32, u32) {
    let runs = spec.words().div_ceil(SHORT_WORDS);
    let rounds = runs.div_ceil(SHIFT_THREADS);
    (runs.div_ceil(rounds), rounds)
}

/// Words of shared memory for that: two remainders of each thread, one of all, and words with the padding of threads.
const fn short_shared_words(spec: &DivNewtonSpec) -> u32 {
    let (threads, _) = short_threads(spec);
    4 * threads + 4 + aligned(threads * (SHORT_WORDS + 1))
}

/// Bits of the numbers that threads hold.
fn bits(spec: &DivNewtonSpec) -> u32 {
    match &spec.stage {
        Stage::Normalise { .. } => spec.ty.bits(),
        Stage::Sum { words, .. } => 32 * words,
        // Whole vectors are dropped.
        Stage::Difference { from, to, .. } => 32 * (aligned(from - 2) + to - from + 2),
        Stage::Rest { .. } => 32 * (aligned(spec.half / 2 - 1) + spec.half / 2 + 2),
        Stage::Middle { .. } => 32 * (spec.half + 2),
        Stage::Finish { .. } => 32 * (2 * spec.half + 1),
    }
}

/// Registers of a thread for the addresses and factors of operands.
const fn of_operands(stage: &Stage) -> u32 {
    match stage {
        Stage::Sum { slices, .. } => 2 * slices.len() as u32,
        Stage::Difference { .. } | Stage::Rest { .. } | Stage::Middle { .. } => 8,
        _ => 0,
    }
}

/// Words in memory of the divisor's top; 0 where it is no operand.
const fn factor(stage: &Stage) -> u32 {
    match stage {
        Stage::Rest { shape, .. } | Stage::Middle { shape } | Stage::Finish { shape, .. } => shape.factor,
        Stage::Difference { factor, .. } => *factor,
        Stage::Normalise { .. } | Stage::Sum { .. } => 0,
    }
}

/// Whether it reads operands of one instance.
fn is_shared(stage: &Stage) -> bool {
    let of_one =
        |(_, slice): &(usize, Slice)| slice.broadcast || slice.factor.is_some_and(|factor| factor.broadcast);
    match stage {
        Stage::Sum { slices, .. } => slices.iter().any(of_one),
        Stage::Rest { shape, .. } | Stage::Middle { shape } | Stage::Finish { shape, .. } => shape.shared,
        Stage::Normalise { .. } | Stage::Difference { .. } => false,
    }
}

fn is_shifted_back(stage: &Stage) -> bool {
    let shifts = |wanted: &Wanted| matches!(wanted, Wanted::Remainder | Wanted::RemainderEuclid);
    matches!(stage, Stage::Finish { wanted, .. } if wanted.iter().any(shifts))
}

fn marks(stage: &Stage) -> bool {
    matches!(stage, Stage::Finish { wanted, .. } if wanted.iter().any(|wanted| *wanted != Wanted::Divisible))
}

/// Names of the operands.
fn inputs(stage: &Stage) -> Vec<String> {
    let names: &[&str] = match stage {
        Stage::Normalise { dividend: None, .. } => &["divisor"],
        Stage::Normalise { .. } => &["dividend", "divisor"],
        Stage::Sum { operands, unless, .. } => {
            let flags = unless.map(|_| Unless::NAME.to_owned());
            return (0..*operands).map(|i| format!("x{i}")).chain(flags).collect();
        }
        Stage::Difference { unless, .. } => {
            return with_flags(&["prefix", "inverse", "divisor_top", "product"], *unless);
        }
        Stage::Rest { unless, .. } => {
            return with_flags(&["top", "divisor_top", "divisor_low", "block", "multiple"], *unless);
        }
        Stage::Middle { .. } => &["info", "dividend", "top", "divisor_top", "inverse", "block", "multiple"],
        Stage::Finish { .. } => &[
            "info",
            "dividend",
            "top",
            "divisor_top",
            "divisor_low",
            "rest",
            "upper",
            "multiple",
            "product",
            "block",
            "last_multiple",
        ],
    };
    names.iter().map(|&name| name.to_owned()).collect()
}

fn with_flags(names: &[&str], unless: Option<Unless>) -> Vec<String> {
    let flags = unless.map(|_| Unless::NAME);
    names.iter().copied().chain(flags).map(str::to_owned).collect()
}

/// What the kernel does, as its template reads it.
fn stage(spec: &DivNewtonSpec) -> Value {
    match &spec.stage {
        Stage::Normalise { dividend, divisor, .. } => {
            let operand = |input: &InputSpec| {
                context! { broadcast => input.broadcast, interleaved => input.layout == Layout::Interleaved }
            };
            let [dividend, divisor] = [dividend, divisor].map(|input| input.as_ref().map(operand));
            context! { name => "normalise", dividend => dividend, divisor => divisor }
        }
        Stage::Sum { slices, minus, drop, unless, .. } => {
            let slice = |(input, slice): &(usize, Slice)| {
                let Slice { stride, from, count, place, negative, factor, broadcast } = *slice;
                let word = factor.map(|Factor { input, stride, word, broadcast }| {
                    context! { input => input, stride => stride, word => word, broadcast => broadcast }
                });
                context! {
                    input => input, stride => stride, from => from, count => count, place => place, negative => negative,
                    factor => word, broadcast => broadcast,
                }
            };
            // What a run owes at most: a borrow, and the carry of a product.
            let owed = |(_, slice): &(usize, Slice)| match (slice.negative, slice.factor) {
                (false, _) => 0,
                (true, None) => 1,
                (true, Some(_)) => 2,
            };
            let negative: u32 = slices.iter().map(owed).sum();
            let slices: Vec<Value> = slices.iter().map(slice).collect();
            context! { name => "sum", slices => slices, minus => minus, drop => drop, negative => negative, unless => unless.map(|unless| unless.mask) }
        }
        Stage::Difference { from, to, unless, .. } => {
            context! { name => "difference", from => from, to => to, unless => unless.map(|unless| unless.mask) }
        }
        Stage::Rest { shape: Shape { cyclic, splits, .. }, unless } => {
            context! { name => "rest", cyclic => cyclic, splits => splits, unless => unless.map(|unless| unless.mask) }
        }
        Stage::Middle { shape: Shape { cyclic, splits, .. } } => {
            context! { name => "middle", cyclic => cyclic, splits => splits }
        }
        Stage::Finish { wanted, output, shape } => {
            let name = |wanted: &Wanted| match wanted {
                Wanted::Quotient => "quotient",
                Wanted::Remainder => "remainder",
                Wanted::QuotientEuclid => "quotient_euclid",
                Wanted::RemainderEuclid => "remainder_euclid",
                Wanted::Exact => "exact",
                Wanted::Divisible => "divisible",
            };
            let wanted: Vec<&str> = wanted.iter().map(name).collect();
            context! { name => "finish", wanted => wanted, interleaved => *output == Layout::Interleaved, cyclic => shape.cyclic }
        }
    }
}

/// The planes of the result: where each begins, in words per instance, and what it holds.
fn planes(spec: &DivNewtonSpec) -> Vec<Value> {
    let mut first = 0;
    let mut planes = vec![];
    for (i, words) in spec.planes().into_iter().enumerate() {
        let part = match &spec.stage {
            Stage::Normalise { planes, .. } => i.checked_sub(1).and_then(|i| planes.get(i)),
            _ => None,
        };
        planes.push(match part {
            None => context! { first => first, words => words },
            Some(plane) => context! {
                first => first, words => words, from => plane.from, count => plane.count, of => format!("{:?}", plane.of).to_lowercase(),
                of_inverse => plane.of_inverse,
            },
        });
        first += aligned(words);
    }
    planes
}
