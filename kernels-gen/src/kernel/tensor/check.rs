//! What a specification of a product on tensor cores must say so that there is a kernel.

use limbforge_limb::Layout;

use super::areas::Areas;
use super::spec::MulTensorSpec;
use crate::spec::{InputForm, InputSpec, Limits, SpecError};

/// # Errors
/// [`SpecError`] if the specification contradicts itself, or the device lacks what its plan needs.
pub(super) fn check(spec: &MulTensorSpec, limits: &Limits) -> Result<(), SpecError> {
    if !limits.matrices {
        return Err(SpecError::Matrices);
    }
    limbforge_algos::block::mul_tensor::check(4 * spec.words() as usize * spec.phases.most_products())?;
    room(spec, limits)?;
    steps(spec)?;
    teams(spec, limits)?;
    operands(spec)
}

/// Whether operands and result have room in tiles and in shared memory.
fn room(spec: &MulTensorSpec, limits: &Limits) -> Result<(), SpecError> {
    let plan = &spec.plan;
    limits.check_shared(plan.shared_bytes())?;
    if 32 * plan.tiling.tiles < spec.words() || plan.tiling.paired && spec.words() > 16 {
        let held = u64::from(if plan.tiling.paired { 16 } else { 32 * plan.tiling.tiles });
        return Err(SpecError::Width { held, needed: spec.words().into(), ty: spec.ty });
    }
    let held = u64::from(32 * plan.tiling.tiles) * if plan.tiling.wide { 2 } else { 1 };
    if plan.tiling.wide && u64::from(spec.result_words()) > held
        || !plan.tiling.wide && spec.result != spec.ty
    {
        return Err(SpecError::Width { held, needed: spec.result_words().into(), ty: spec.result });
    }
    if spec.is_high() && !MulTensorSpec::can_be_high(spec.ty, plan) {
        let expected = "unsigned ones of whole words, of one warp each, for a high product";
        return SpecError::mapping("bits of the operands", spec.ty.bits(), expected);
    }
    if !spec.words().is_multiple_of(plan.tiling.vector) {
        return SpecError::mapping(
            "words of a load",
            plan.tiling.vector,
            "a divisor of the words of an integer",
        );
    }
    Ok(())
}

/// Whether steps are left out only of what allows that.
fn steps(spec: &MulTensorSpec) -> Result<(), SpecError> {
    let plan = &spec.plan;
    let whole_groups =
        plan.slots.prebuilt_fragments && plan.tiling.tiles.is_multiple_of(plan.schedule.tiles_per_pass);
    if plan.squaring.squares
        && (!spec.phases.has_squares() || plan.tiling.wide || plan.tiling.paired || !whole_groups)
    {
        return SpecError::mapping(
            "tiles that are computed together",
            plan.schedule.tiles_per_pass,
            "a divisor of all tiles, of a low square",
        );
    }
    let can_halve = spec.phases.is_lone_square()
        && !(plan.tiling.wide || plan.tiling.paired || plan.squaring.squares)
        && plan.schedule.warps_per_instance == 1
        && plan.tiling.tiles == plan.schedule.tiles_per_pass;
    let is_half = (spec.words().div_ceil(2)..=spec.words()).contains(&plan.squaring.half)
        && plan.squaring.half.is_multiple_of(plan.tiling.vector);
    if plan.squaring.half > 0 && !(can_halve && is_half) || plan.slots.copies == 1 && plan.squaring.half == 0
    {
        return SpecError::mapping(
            "words of the lower half of a square",
            plan.squaring.half,
            "at least half of all, in whole loads, only of a low square alone whose tiles a warp computes together",
        );
    }
    Ok(())
}

/// Whether warps can be dealt out so.
fn teams(spec: &MulTensorSpec, limits: &Limits) -> Result<(), SpecError> {
    let plan = &spec.plan;
    let by_warpgroup = limits.warpgroups
        && !plan.tiling.wide
        && plan.tiling.tiles.is_multiple_of(16)
        && spec.phases.is_product();
    if plan.warpgroup && !by_warpgroup {
        return SpecError::mapping(
            "tiles that a warpgroup computes",
            plan.tiling.tiles,
            "a multiple of 16, of a low product, for sm_90a",
        );
    }
    if plan.schedule.warps_per_instance > 1 && plan.schedule.warps_per_instance != plan.schedule.warps {
        return SpecError::mapping(
            "warps of a block",
            plan.schedule.warps,
            "those of the team that computes an integer",
        );
    }
    Ok(())
}

/// Whether operands are those of the phases, in the form that kernels read.
fn operands(spec: &MulTensorSpec) -> Result<(), SpecError> {
    let plan = &spec.plan;
    let count = spec.inputs.len() as u32;
    if spec.inputs.len() != spec.phases.inputs() || plan.tiling.wide && !spec.phases.is_product() {
        return SpecError::mapping("operands", count, "those of its phases, of a wide product 1 or 2");
    }
    let areas = Areas::of(&spec.phases);
    if plan.slots.areas != areas.counts || plan.intermediate != (spec.phases.phases().len() > 1) {
        return SpecError::mapping("values in shared memory", plan.slots.areas[0], "those of its phases");
    }
    let plain =
        |input: &InputSpec| input.layout == Layout::InstanceMajor && input.form == InputForm::Integers;
    if !spec.inputs.iter().all(plain) {
        return SpecError::mapping("operands", count, "integers, instance-major");
    }
    Ok(())
}
