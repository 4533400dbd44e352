//! Errors of specifications of products on tensor cores.

use limbforge_algos::block::mul_tensor;
use limbforge_limb::Layout;

use super::areas::Areas;
use super::plan::{Schedule, TensorPlan, Tiling};
use super::spec::MulTensorSpec;
use crate::spec::{InputForm, InputSpec, Limits, SpecError};

/// Errors if the specification contradicts itself, or the device lacks the resources of its plan.
pub(super) fn check(spec: &MulTensorSpec, limits: &Limits) -> Result<(), SpecError> {
    if !limits.matrices {
        return Err(SpecError::Matrices);
    }
    mul_tensor::check(4 * spec.words() as usize * spec.phases.most_products())?;
    room(spec, limits)?;
    steps(spec)?;
    teams(spec, limits)?;
    operands(spec)
}

/// Operands and result fit in tiles and in shared memory.
fn room(spec: &MulTensorSpec, limits: &Limits) -> Result<(), SpecError> {
    limits.check_shared(spec.plan.shared_bytes())?;
    let (Tiling { vector, wide, tiles, paired, .. }, words) = (spec.plan.tiling, spec.words());
    if 32 * tiles < words || paired && words > 16 {
        let held = u64::from(if paired { 16 } else { 32 * tiles });
        return Err(SpecError::Width { held, needed: words.into(), ty: spec.ty });
    }
    let (held, needed) = (u64::from((32 * tiles) << u32::from(wide)), spec.result_words().into());
    if if wide { needed > held } else { spec.result != spec.ty } {
        return Err(SpecError::Width { held, needed, ty: spec.result });
    }
    SpecError::require(
        !spec.is_high() || MulTensorSpec::can_be_high(spec.ty, &spec.plan),
        "bits of the operands",
        spec.ty.bits(),
        "unsigned ones of whole words, of one warp each, for a high product",
    )?;
    let divides = words.is_multiple_of(vector);
    SpecError::require(divides, "words of a load", vector, "a divisor of the words of an integer")
}

/// Steps are skipped only where the product allows it.
fn steps(spec: &MulTensorSpec) -> Result<(), SpecError> {
    let (TensorPlan { tiling, schedule, slots, squaring, .. }, words) = (spec.plan, spec.words());
    let is_low = !tiling.wide && !tiling.paired;
    let whole_groups = slots.prebuilt_fragments && tiling.tiles.is_multiple_of(schedule.tiles_per_pass);
    SpecError::require(
        !squaring.squares || spec.phases.has_squares() && is_low && whole_groups,
        "tiles that are computed together",
        schedule.tiles_per_pass,
        "a divisor of all tiles, of a low square",
    )?;
    let one_group = schedule.warps_per_instance == 1 && tiling.tiles == schedule.tiles_per_pass;
    let can_halve = spec.phases.is_lone_square() && is_low && !squaring.squares && one_group;
    let is_half =
        (words.div_ceil(2)..=words).contains(&squaring.half) && squaring.half.is_multiple_of(tiling.vector);
    SpecError::require(
        if squaring.half > 0 { can_halve && is_half } else { slots.copies != 1 },
        "words of the lower half of a square",
        squaring.half,
        "at least half of all, in whole loads, only of a low square alone whose tiles a warp computes together",
    )
}

/// The warps of a block fit the instances.
fn teams(spec: &MulTensorSpec, limits: &Limits) -> Result<(), SpecError> {
    let (Tiling { wide, tiles, .. }, Schedule { warps_per_instance, warps, .. }) =
        (spec.plan.tiling, spec.plan.schedule);
    SpecError::require(
        !spec.plan.warpgroup
            || limits.warpgroups && !wide && tiles.is_multiple_of(16) && spec.phases.is_product(),
        "tiles that a warpgroup computes",
        tiles,
        "a multiple of 16, of a low product, for sm_90a",
    )?;
    let is_team = warps_per_instance <= 1 || warps_per_instance == warps;
    SpecError::require(is_team, "warps of a block", warps, "those of the team that computes an integer")
}

/// Operands are those of the phases, in the form that kernels read.
fn operands(spec: &MulTensorSpec) -> Result<(), SpecError> {
    let (plan, phases, count) = (&spec.plan, &spec.phases, spec.inputs.len() as u32);
    let is_listed = spec.inputs.len() == phases.inputs && (!plan.tiling.wide || phases.is_product());
    SpecError::require(is_listed, "operands", count, "those of its phases, of a wide product 1 or 2")?;
    let areas = plan.slots.areas;
    let are_placed = areas == Areas::of(phases).counts && plan.intermediate == (phases.phases.len() > 1);
    SpecError::require(are_placed, "values in shared memory", areas[0], "those of its phases")?;
    let plain =
        |input: &InputSpec| input.layout == Layout::InstanceMajor && input.form == InputForm::Integers;
    SpecError::require(spec.inputs.iter().all(plain), "operands", count, "integers, instance-major")
}
