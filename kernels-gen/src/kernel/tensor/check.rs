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

const fn mapping(what: &'static str, found: u32, expected: &'static str) -> Result<(), SpecError> {
    Err(SpecError::Mapping { what, found, expected })
}

/// Whether operands and result have room in tiles and in shared memory.
fn room(spec: &MulTensorSpec, limits: &Limits) -> Result<(), SpecError> {
    let plan = &spec.plan;
    if plan.shared_bytes() > limits.shared_bytes {
        let (needed, limit) = (plan.shared_bytes(), limits.shared_bytes);
        return Err(SpecError::SharedMemory { needed, limit });
    }
    if 32 * plan.tiles < spec.words() || plan.paired && spec.words() > 16 {
        let held = u64::from(if plan.paired { 16 } else { 32 * plan.tiles });
        return Err(SpecError::Width { held, needed: spec.words().into(), ty: spec.ty });
    }
    let held = u64::from(32 * plan.tiles) * if plan.wide { 2 } else { 1 };
    if plan.wide && u64::from(spec.result_words()) > held || !plan.wide && spec.result != spec.ty {
        return Err(SpecError::Width { held, needed: spec.result_words().into(), ty: spec.result });
    }
    if spec.is_high() && !MulTensorSpec::can_be_high(spec.ty, plan) {
        let expected = "unsigned ones of whole words, of one warp each, for a high product";
        return mapping("bits of the operands", spec.ty.bits(), expected);
    }
    if !spec.words().is_multiple_of(plan.vector) {
        return mapping("words of a load", plan.vector, "a divisor of the words of an integer");
    }
    Ok(())
}

/// Whether steps are left out only of what allows that.
fn steps(spec: &MulTensorSpec) -> Result<(), SpecError> {
    let plan = &spec.plan;
    let whole_groups = plan.quads && plan.tiles.is_multiple_of(plan.together);
    if plan.squares && (!spec.phases.has_squares() || plan.wide || plan.paired || !whole_groups) {
        return mapping(
            "tiles that are computed together",
            plan.together,
            "a divisor of all tiles, of a low square",
        );
    }
    let can_halve = spec.phases.is_lone_square()
        && !(plan.wide || plan.paired || plan.squares)
        && plan.team == 1
        && plan.tiles == plan.together;
    let is_half = (spec.words().div_ceil(2)..=spec.words()).contains(&plan.half)
        && plan.half.is_multiple_of(plan.vector);
    if plan.half > 0 && !(can_halve && is_half) || plan.copies == 1 && plan.half == 0 {
        return mapping(
            "words of the lower half of a square",
            plan.half,
            "at least half of all, in whole loads, only of a low square alone whose tiles a warp computes together",
        );
    }
    Ok(())
}

/// Whether warps can be dealt out so.
fn teams(spec: &MulTensorSpec, limits: &Limits) -> Result<(), SpecError> {
    let plan = &spec.plan;
    let by_warpgroup =
        limits.warpgroups && !plan.wide && plan.tiles.is_multiple_of(16) && spec.phases.is_product();
    if plan.warpgroup && !by_warpgroup {
        return mapping(
            "tiles that a warpgroup computes",
            plan.tiles,
            "a multiple of 16, of a low product, for sm_90a",
        );
    }
    if plan.team > 1 && plan.team != plan.warps {
        return mapping("warps of a block", plan.warps, "those of the team that computes an integer");
    }
    Ok(())
}

/// Whether operands are those of the phases, in the form that kernels read.
fn operands(spec: &MulTensorSpec) -> Result<(), SpecError> {
    let plan = &spec.plan;
    let count = spec.inputs.len() as u32;
    if spec.inputs.len() != spec.phases.inputs() || plan.wide && !spec.phases.is_product() {
        return mapping("operands", count, "those of its phases, of a wide product 1 or 2");
    }
    let areas = Areas::of(&spec.phases);
    if plan.areas != areas.counts || plan.intermediate != (spec.phases.phases().len() > 1) {
        return mapping("values in shared memory", plan.areas[0], "those of its phases");
    }
    let plain =
        |input: &InputSpec| input.layout == Layout::InstanceMajor && input.form == InputForm::Integers;
    if !spec.inputs.iter().all(plain) {
        return mapping("operands", count, "integers, instance-major");
    }
    Ok(())
}
