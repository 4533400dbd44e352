//! A kernel of the product on tensor cores as CUDA C++.

use limbforge_limb::Layout;
use minijinja::context;

use super::spec::MulTensorSpec;
use crate::error::SpecError;
use crate::kernel::{Geometry, Kernel};
use crate::render::{ENTRY, environment};
use crate::resources::Limits;
use crate::spec::{InputForm, InputSpec, Target};

const KERNEL: &str = include_str!("../../templates/mul_tensor.cu.j2");

/// Renders the specification, for a device with these limits.
///
/// # Errors
/// [`SpecError`] if the specification contradicts itself, or the device lacks what its plan needs.
pub fn render_mul_tensor(spec: &MulTensorSpec, limits: &Limits) -> Result<Kernel, SpecError> {
    check(spec, limits)?;
    let plan = &spec.plan;
    let geometry = Geometry {
        threads: 32 * plan.warps,
        instances: plan.instances(),
        planes: 1,
        shared_bytes: plan.shared_bytes() as u32,
    };
    let source = source(spec, limits).map_err(|error| SpecError::Template(format!("{error:#}")))?;
    let inputs = spec.inputs.iter().map(|input| input.name.clone()).collect();
    Ok(Kernel { source, entry: ENTRY.to_owned(), inputs, geometry })
}

fn check(spec: &MulTensorSpec, limits: &Limits) -> Result<(), SpecError> {
    let plan = &spec.plan;
    if !limits.matrices {
        return Err(SpecError::Matrices);
    }
    limbforge_algos::mul_tensor::check(4 * spec.words() as usize)?;
    if plan.shared_bytes() > limits.shared_bytes {
        let (needed, limit) = (plan.shared_bytes(), limits.shared_bytes);
        return Err(SpecError::SharedMemory { needed, limit });
    }
    let mapping = |what, found, expected| Err(SpecError::Mapping { what, found, expected });
    if 32 * plan.tiles < spec.words() || plan.paired && spec.words() > 16 {
        let held = u64::from(if plan.paired { 16 } else { 32 * plan.tiles });
        return Err(SpecError::Width { held, needed: spec.words().into(), ty: spec.ty });
    }
    let held = u64::from(32 * plan.tiles) * if plan.wide { 2 } else { 1 };
    if plan.wide && u64::from(spec.result_words()) > held || !plan.wide && spec.result != spec.ty {
        return Err(SpecError::Width { held, needed: spec.result_words().into(), ty: spec.result });
    }
    if !spec.words().is_multiple_of(plan.vector) {
        return mapping("words of a load", plan.vector, "a divisor of the words of an integer");
    }
    if plan.team > 1 && plan.team != plan.warps {
        return mapping("warps of a block", plan.warps, "those of the team that computes an integer");
    }
    if !(1..=2).contains(&spec.inputs.len()) {
        return mapping("operands", spec.inputs.len() as u32, "1 or 2");
    }
    let plain =
        |input: &&InputSpec| input.layout == Layout::InstanceMajor && input.form == InputForm::Integers;
    if spec.inputs.iter().filter(plain).count() != spec.inputs.len() {
        return mapping("operands", spec.inputs.len() as u32, "integers, instance-major");
    }
    Ok(())
}

fn source(spec: &MulTensorSpec, limits: &Limits) -> Result<String, minijinja::Error> {
    let (plan, environment) = (&spec.plan, environment()?);
    let instructions = match spec.target {
        Target::Cuda => include_str!("../../templates/ptx.cuh"),
        Target::Emulator => include_str!("../../templates/ptx_twin.cuh"),
    };
    let instructions = environment.render_str(instructions, context! { mma => true })?;
    let templates = [
        include_str!("../../templates/mul_tensor.cuh"),
        if plan.team == 1 {
            include_str!("../../templates/mul_tensor_warp.cuh")
        } else {
            include_str!("../../templates/mul_tensor_team.cuh")
        },
    ];
    let threads = 32 * plan.warps;
    let blocks = limits.blocks(plan.blocks, threads, plan.shared_bytes());
    // The first factor becomes the Toeplitz matrix, the other one, or the same, the data.
    let data = spec.inputs.len() - 1;
    let arguments: Vec<String> = (0..spec.inputs.len()).map(|input| format!("in{input}")).collect();
    let input =
        |(index, input): (usize, &InputSpec)| context! { index => index, broadcast => input.broadcast };
    let inputs: Vec<_> = spec.inputs.iter().enumerate().map(input).collect();
    environment.render_str(
        KERNEL,
        context! {
            spec => spec.to_string(),
            entry => ENTRY,
            words => spec.words(),
            wide => plan.wide,
            result_words => spec.result_words(),
            bits => spec.result.bits(),
            vector => plan.vector,
            tiles => plan.tiles,
            paired => plan.paired,
            top_skip => plan.top_skip,
            together => plan.together,
            quads => plan.quads,
            copies => plan.copies,
            slot_words => plan.slot_words(),
            team => plan.team,
            warps => plan.warps,
            stage_instances => plan.stage_instances,
            prefetch => plan.prefetch,
            threads => threads,
            blocks => blocks,
            instructions => instructions,
            templates => templates,
            inputs => inputs,
            arguments => arguments.join(", "),
            toeplitz => 0,
            data => data,
        },
    )
}
