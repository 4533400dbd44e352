//! A kernel of the product on tensor cores as CUDA C++.

use minijinja::{Value, context, value::Serde};

use super::areas::{Areas, walks};
use super::check::check;
use super::phases::{Phase, Value as PhaseValue};
use super::plan::TensorPlan;
use super::spec::MulTensorSpec;
use crate::kernel::{Block, Geometry, Kernel};
use crate::spec::{InputSpec, Limits, SpecError, operand_names};
use crate::template::{Instructions, Template, Templates, render_source};

const KERNEL: &str = include_str!("../../../templates/mul_tensor.cu.j2");
const WARPGROUP_KERNEL: &str = include_str!("../../../templates/mul_tensor_wgmma.cu.j2");

/// Tiles up to which each phase has its own instructions, also for few products: the limit is their cache.
const MOST_TILES_UNROLLED: u32 = 4;
const MOST_TILES_FEW_UNROLLED: u32 = 16;
const FEW_PRODUCTS: usize = 4;

/// Tiles up to which registers hold the coefficients and factors of products that share factors.
const MOST_TILES_WALK: u32 = 4;

const SUMS: &str = include_str!("../../../templates/mul_tensor_sums.cuh.j2");

/// Renders the specification, for a device with these limits.
///
/// # Errors
/// [`SpecError`] if the specification contradicts itself, or the device lacks what its plan needs.
pub fn render_mul_tensor(spec: &MulTensorSpec, limits: &Limits) -> Result<Kernel, SpecError> {
    let Block { geometry, wanted, .. } = block(spec, limits)?;
    let source = if spec.plan.warpgroup { warpgroup_source(spec) } else { source(spec, wanted) }?;
    let names = spec.inputs.iter().map(|input| input.name.clone());
    Ok(Kernel::new(source, operand_names(names, spec.unless), geometry, false))
}

/// The resources of a block of the kernel, without its source.
pub(crate) fn block(spec: &MulTensorSpec, limits: &Limits) -> Result<Block, SpecError> {
    check(spec, limits)?;
    let (plan, schedule) = (&spec.plan, &spec.plan.schedule);
    let (threads, shared_bytes) = (32 * schedule.warps, plan.shared_bytes() as u32);
    let geometry = Geometry { threads, instances: plan.instances(), planes: 1, shared_bytes };
    let wanted = limits.blocks(schedule.blocks, threads, plan.shared_bytes());
    // A stage is loaded; each phase waits for groups, carries and layout (mul_tensor_team.cuh).
    let phases = spec.phases.phases.len() as u32;
    let barriers = if schedule.warps_per_instance > 1 { schedule.stages * (2 + 3 * phases) } else { 0 };
    Ok(Block { geometry, wanted, registers: TensorPlan::registers(schedule.tiles_per_pass), barriers })
}

/// The kernel of a warpgroup.
fn warpgroup_source(spec: &MulTensorSpec) -> Result<String, SpecError> {
    let inputs = spec.inputs.iter().map(|input| context! { broadcast => input.broadcast });
    let flags = spec.unless.map(|_| Template::SkipMask);
    let templates = Templates::of([Template::MulTensorWgmma].into_iter().chain(flags));
    render_source(
        WARPGROUP_KERNEL,
        context! {
            spec => spec.to_string(),
            words => spec.words(),
            padded => 32 * spec.plan.tiling.tiles,
            bits => spec.result.bits(),
            shared_words => spec.plan.slot_words(),
            blocks => spec.plan.schedule.blocks,
            instructions => Instructions::text(&[Instructions::Warpgroups], spec.target)?,
            templates => templates.texts(),
            unless => spec.unless.map(|unless| unless.mask),
            inputs => inputs.collect::<Vec<_>>(),
        },
    )
}

/// The templates of a kernel of warps, around the sums of its phases.
fn texts(spec: &MulTensorSpec, sums: String) -> Vec<String> {
    let optional = [
        (spec.unless.is_some(), Template::SkipMask),
        (spec.plan.squaring.squares, Template::MulTensorSquare),
        (spec.plan.squaring.half > 0, Template::MulTensorHalf),
    ];
    let optional = optional.into_iter().filter_map(|(is, template)| is.then_some(template));
    let before = Templates::of([Template::MulTensor].into_iter().chain(optional));
    let behind = match spec.plan.schedule.warps_per_instance {
        _ if spec.is_high() => Template::MulTensorHigh,
        1 => Template::MulTensorWarp,
        _ => Template::MulTensorTeam,
    };
    before.texts().into_iter().map(str::to_owned).chain([sums, behind.text().to_owned()]).collect()
}

fn source(spec: &MulTensorSpec, blocks: u32) -> Result<String, SpecError> {
    let (plan, areas) = (&spec.plan, Areas::of(&spec.phases));
    let inputs = inputs(spec, &areas);
    let placed = (0..spec.inputs.len()).filter(|&input| areas.inputs[input] != [None, None]);
    render_source(
        KERNEL,
        context! {
            spec => spec.to_string(),
            words => spec.words(),
            high => spec.is_high(),
            result_words => spec.result_words(),
            bits => spec.result.bits(),
            thread_words => plan.thread_words(),
            slot_words => plan.slot_words(),
            threads => 32 * plan.schedule.warps,
            blocks,
            instructions => Instructions::text(&[Instructions::Matrices], spec.target)?,
            templates => texts(spec, sums(spec, &areas, &inputs)?),
            inputs,
            placed => placed.map(|input| format!("in{input}")).collect::<Vec<_>>(),
            most_products => spec.phases.most_products(),
            unless => spec.unless.map(|unless| unless.mask),
            ..Serde(plan)
        },
    )
}

/// The operands with the areas that they are loaded into; those without any are read where they are added.
fn inputs(spec: &MulTensorSpec, areas: &Areas) -> Vec<Value> {
    let mut places = 0;
    let input = |(index, (input, &[toeplitz, data])): (usize, (&InputSpec, &[Option<u32>; 2]))| {
        let (broadcast, place, added) = (input.broadcast, places, toeplitz.or(data).is_none());
        places += usize::from(!added);
        context! { index, broadcast, placed => !added, added, place, toeplitz, data }
    };
    spec.inputs.iter().zip(&areas.inputs).enumerate().map(input).collect()
}

/// The template of all phases.
fn sums(spec: &MulTensorSpec, areas: &Areas, inputs: &[Value]) -> Result<String, SpecError> {
    let (plan, all, products) = (&spec.plan, &spec.phases.phases, &areas.products);
    let mut next_product = 0;
    let phase = |(number, phase): (usize, &Phase)| {
        let first_product = next_product;
        next_product += phase.products.len();
        let ([toeplitz, data], square) = (areas.phases[number], phase.begins_with_square());
        let words = phase.constant_words(spec.words()).into_iter();
        let constant: Vec<String> = words.map(|word| format!("{word:#x}u")).collect();
        context! { number, square, first_product, terms => terms(phase, areas), constant, toeplitz, data }
    };
    let phases: Vec<Value> = all.iter().enumerate().map(phase).collect();
    let single_phase = all.iter().rposition(|phase| !phase.products.is_empty()).unwrap_or(0);
    let added = areas.inputs.contains(&[None, None]);
    let terms = all.iter().any(|phase| !phase.terms.is_empty() || phase.constant != 0.into());
    let few = plan.intermediate && products.len() <= FEW_PRODUCTS;
    let most_tiles = if few { MOST_TILES_FEW_UNROLLED } else { MOST_TILES_UNROLLED };
    let (tiles, squares) = (plan.tiling.tiles, plan.squaring.squares);
    let unrolled = plan.schedule.warps_per_instance == 1 && tiles <= most_tiles;
    let one_group = unrolled && !plan.tiling.paired && tiles == plan.schedule.tiles_per_pass;
    let mut walks = walks(&spec.phases, areas);
    let share = walks.iter().flatten().any(|walk| walk.products.len() > 1);
    if !share || !one_group || tiles > MOST_TILES_WALK {
        walks.clear();
    }
    let product = match (squares, plan.slots.copies) {
        (true, _) => "square_group",
        (false, 1) => "square_tiles",
        (false, _) => "multiply_group",
    };
    let walks = Serde(walks);
    let context =
        context! { product, walks, phases, products, squares, unrolled, single_phase, inputs, added, terms };
    render_source(SUMS, context)
}

fn terms(phase: &Phase, areas: &Areas) -> Vec<Value> {
    let term = |&(value, factor): &(PhaseValue, i64)| {
        let (form, area) = areas.read(value);
        context! { form, area, factor }
    };
    phase.terms.iter().map(term).collect()
}
