//! A kernel of the product on tensor cores as CUDA C++.

use minijinja::value::Serde;
use minijinja::{Value, context};

use super::areas::{Area, AreaForm, Areas, Read};
use super::check::check;
use super::phases::Phase;
use super::plan::TensorPlan;
use super::spec::MulTensorSpec;
use super::walks::{Walk, walks};
use crate::kernel::{Block, Geometry, Kernel};
use crate::spec::{InputSpec, Limits, SpecError, operand_names};
use crate::template::{ENTRY, Instructions, Template, Templates, render_source};

const KERNEL: &str = include_str!("../../../templates/mul_tensor.cu.j2");
const WARPGROUP_KERNEL: &str = include_str!("../../../templates/mul_tensor_wgmma.cu.j2");

/// Tiles up to which every phase has instructions of its own, which know where its values lie; and up to which they do if there
/// are few products. Beyond, instructions would not fit the instruction cache.
const MOST_TILES_UNROLLED: u32 = 4;
const MOST_TILES_FEW_UNROLLED: u32 = 16;
const FEW_PRODUCTS: usize = 4;

/// Tiles up to which products that share factors are computed together: their digit sums and factors stay in registers.
const MOST_TILES_WALK: u32 = 4;

const SUMS: &str = include_str!("../../../templates/mul_tensor_sums.cuh.j2");

/// Renders the specification, for a device with these limits.
///
/// # Errors
/// [`SpecError`] if the specification contradicts itself, or the device lacks what its plan needs.
pub fn render_mul_tensor(spec: &MulTensorSpec, limits: &Limits) -> Result<Kernel, SpecError> {
    let Block { geometry, wanted, .. } = block(spec, limits)?;
    let source = if spec.plan.warpgroup { warpgroup_source(spec) } else { source(spec, wanted) }?;
    Ok(Kernel::new(
        source,
        operand_names(spec.inputs.iter().map(|input| input.name.clone()), spec.unless),
        geometry,
        false,
    ))
}

/// What a block of the kernel takes, without its source.
///
/// # Errors
/// Those of [`render_mul_tensor`].
pub(crate) fn block(spec: &MulTensorSpec, limits: &Limits) -> Result<Block, SpecError> {
    check(spec, limits)?;
    let plan = &spec.plan;
    let geometry = Geometry {
        threads: 32 * plan.schedule.warps,
        instances: plan.instances(),
        planes: 1,
        shared_bytes: plan.shared_bytes() as u32,
    };
    let wanted = limits.blocks(plan.schedule.blocks, geometry.threads, plan.shared_bytes());
    // A stage is loaded, and each phase waits for its groups, its carries and its layout (mul_tensor_team.cuh).
    let phases = spec.phases.phases().len() as u32;
    let barriers =
        if plan.schedule.warps_per_instance > 1 { plan.schedule.stages * (2 + 3 * phases) } else { 0 };
    Ok(Block { geometry, wanted, registers: TensorPlan::registers(plan.schedule.tiles_per_pass), barriers })
}

/// The kernel of a warpgroup.
fn warpgroup_source(spec: &MulTensorSpec) -> Result<String, SpecError> {
    let inputs: Vec<Value> =
        spec.inputs.iter().map(|input| context! { broadcast => input.broadcast }).collect();
    render_source(
        WARPGROUP_KERNEL,
        context! {
            spec => spec.to_string(),
            entry => ENTRY,
            words => spec.words(),
            padded => 32 * spec.plan.tiling.tiles,
            bits => spec.result.bits(),
            shared_words => spec.plan.slot_words(),
            blocks => spec.plan.schedule.blocks,
            instructions => Instructions::text(&[Instructions::Warpgroups], spec.target)?,
            templates => templates(spec, &[Template::MulTensorWgmma]).texts(),
            unless => spec.unless.map(|unless| unless.mask),
            inputs => inputs,
        },
    )
}

/// These templates, and what flags need.
fn templates(spec: &MulTensorSpec, templates: &[Template]) -> Templates {
    let mut all = Templates::of(templates);
    if spec.unless.is_some() {
        all.include(Template::SkipMask);
    }
    all
}

/// The templates of a kernel of warps, around the sums of its phases.
fn texts(spec: &MulTensorSpec, sums: String) -> Vec<String> {
    let mut before = templates(spec, &[Template::MulTensor]);
    if spec.plan.squaring.squares {
        before.include(Template::MulTensorSquare);
    }
    if spec.plan.squaring.half > 0 {
        before.include(Template::MulTensorHalf);
    }
    let behind = match spec.plan.schedule.warps_per_instance {
        _ if spec.is_high() => Template::MulTensorHigh,
        1 => Template::MulTensorWarp,
        _ => Template::MulTensorTeam,
    };
    before.texts().into_iter().map(str::to_owned).chain([sums, behind.text().to_owned()]).collect()
}

fn source(spec: &MulTensorSpec, blocks: u32) -> Result<String, SpecError> {
    let (plan, areas) = (&spec.plan, Areas::of(&spec.phases));
    let inputs: Vec<Value> = inputs(spec, &areas);
    let is_placed = |input: &usize| areas.inputs[*input] != [None, None];
    let placed: Vec<String> =
        (0..spec.inputs.len()).filter(is_placed).map(|input| format!("in{input}")).collect();
    render_source(
        KERNEL,
        context! {
            spec => spec.to_string(),
            entry => ENTRY,
            words => spec.words(),
            high => spec.is_high(),
            result_words => spec.result_words(),
            bits => spec.result.bits(),
            thread_words => plan.thread_words(),
            slot_words => plan.slot_words(),
            threads => 32 * plan.schedule.warps,
            blocks => blocks,
            instructions => Instructions::text(&[Instructions::Matrices], spec.target)?,
            templates => texts(spec, sums(spec, &areas, &inputs)?),
            inputs => inputs,
            placed => placed,
            most_products => spec.phases.most_products(),
            unless => spec.unless.map(|unless| unless.mask),
            ..Serde(plan)
        },
    )
}

/// The operands with the areas that they are loaded into; those without any are read where they are added.
fn inputs(spec: &MulTensorSpec, areas: &Areas) -> Vec<Value> {
    let mut place = 0;
    let forms = spec.inputs.iter().zip(&areas.inputs).enumerate();
    let input = |(index, (input, &[toeplitz, data])): (usize, (&InputSpec, &[Option<u32>; 2]))| {
        let placed = toeplitz.or(data).is_some();
        let at = place;
        place += usize::from(placed);
        let broadcast = input.broadcast;
        context! { index => index, broadcast, placed, added => !placed, place => at, toeplitz, data }
    };
    forms.map(input).collect()
}

/// The template of all phases.
fn sums(spec: &MulTensorSpec, areas: &Areas, inputs: &[Value]) -> Result<String, SpecError> {
    let mut first_product = 0;
    let mut single_phase = 0;
    let phases: Vec<Value> = spec
        .phases
        .phases()
        .iter()
        .enumerate()
        .map(|(number, phase)| {
            let first = first_product;
            first_product += phase.products.len();
            if !phase.products.is_empty() {
                single_phase = number;
            }
            let [toeplitz, data] = areas.phases[number];
            let constant: Vec<String> =
                phase.constant_words(spec.words()).iter().map(|word| format!("{word:#x}u")).collect();
            let square = phase.begins_with_square();
            context! { number, square, first_product => first, terms => terms(phase, areas), constant, toeplitz, data }
        })
        .collect();
    let added = areas.inputs.contains(&[None, None]);
    let terms =
        spec.phases.phases().iter().any(|phase| !phase.terms.is_empty() || phase.constant != 0.into());
    let (products, squares) = (&areas.products, spec.plan.squaring.squares);
    let few = spec.plan.intermediate && products.len() <= FEW_PRODUCTS;
    let most_tiles = if few { MOST_TILES_FEW_UNROLLED } else { MOST_TILES_UNROLLED };
    let unrolled = spec.plan.schedule.warps_per_instance == 1 && spec.plan.tiling.tiles <= most_tiles;
    let one_group =
        unrolled && !spec.plan.tiling.paired && spec.plan.tiling.tiles == spec.plan.schedule.tiles_per_pass;
    let mut walks = walks(&spec.phases, areas);
    let share = walks.iter().flatten().any(|walk| walk.products.len() > 1);
    if !share || !one_group || spec.plan.tiling.tiles > MOST_TILES_WALK {
        walks.clear();
    }
    let walks: Vec<Vec<Value>> = walks.iter().map(|walks| walks.iter().map(walk).collect()).collect();
    let product = match (squares, spec.plan.slots.copies) {
        (true, _) => "square_group",
        (false, 1) => "square_tiles",
        (false, _) => "multiply_group",
    };
    let context =
        context! { product, walks, phases, products, squares, unrolled, single_phase, inputs, added, terms };
    render_source(SUMS, context)
}

fn walk(walk: &Walk) -> Value {
    let Walk { toeplitz, data, products } = walk;
    context! { toeplitz, data, products }
}

fn terms(phase: &Phase, areas: &Areas) -> Vec<Value> {
    let term = |&(value, factor): &(super::phases::Value, i64)| match areas.read(value) {
        Read::Shared(Area { form: AreaForm::Data, number }) => {
            context! { form => "data", area => number, factor }
        }
        Read::Shared(Area { form: AreaForm::Toeplitz, number }) => {
            context! { form => "toeplitz", area => number, factor }
        }
        Read::Global(input) => context! { form => "global", area => input, factor },
    };
    phase.terms.iter().map(term).collect()
}
