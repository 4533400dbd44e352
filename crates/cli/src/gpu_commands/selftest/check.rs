//! The kernels of a case against the CPU backend.

mod difference;
mod evaluations;
mod fills;
mod known;
mod random;
mod several;
mod tapes;
mod words;

use limbforge::prelude::*;
use limbforge_gpu::{GpuError, LoadedProgram, NvrtcError, Word};

use super::cases::{Case, Task};
use super::{arguments::Extent, report::Outcome};
use crate::error::CliError;
use limbforge_cli::gpu::{batch::POISON, kernels::Gpu};
use limbforge_cli::with_limb;

/// Bytes behind the result that a kernel must not touch.
const MARGIN: u64 = 256;

/// Compiles the case's kernels, runs them on several batches and compares every instance.
/// An error leaves the GPU or the machine in no state to go on.
pub(super) fn check(
    gpu: &Gpu,
    engine: &Engine,
    case: &Case,
    seed: u64,
    extent: Extent,
) -> Result<Outcome, CliError> {
    let outcome = match &case.task {
        Task::Evaluation(evaluation) => {
            with_limb!(evaluation.limb, B => evaluations::check::<B>(gpu, case, evaluation, seed, extent))
        }
        Task::Transform(_) | Task::Program(_) => words::check(gpu, case, seed, extent.small),
        Task::Fill(fill) => {
            with_limb!(fill.limb, B => fills::check::<B>(gpu, &case.name, fill, extent.small))
        }
        Task::Several(several) => with_limb!(several.limb, B => {
            several::check::<B>(gpu, case, several, seed, extent.small)
        }),
        Task::Random(random) => with_limb!(random.limb, B => random::check::<B>(engine, random, extent)),
        Task::Tape(tape) => tapes::check(engine, *tape, seed, extent),
    };
    match (outcome, &case.task) {
        (Err(CliError::Spec(error)), _) if case.may_refuse(&error) => Ok(Outcome::Refused {
            limit: error.limit().unwrap_or_default(),
            why: CliError::from(error).to_string(),
        }),
        (Err(error), Task::Random(random)) if is_about_kernel(&error) => {
            Ok(Outcome::Failed(format!("{random}: {error}")))
        }
        (Err(error), _) if is_about_kernel(&error) => Ok(Outcome::Failed(error.to_string())),
        (outcome, _) => outcome,
    }
}

/// Whether another kernel may well run.
const fn is_about_kernel(error: &CliError) -> bool {
    matches!(
        error,
        CliError::Spec(_)
            | CliError::Internal(_)
            | CliError::Gpu(
                GpuError::Nvrtc(NvrtcError::Compile(_))
                    | GpuError::Refused { .. }
                    | GpuError::Entry { .. }
                    | GpuError::SharedMemory { .. }
                    | GpuError::Threads { .. }
            )
    )
}

/// Runs a program: the limbs of the result and of the margin behind it, and the instances without a result.
fn run<B: Base + Word>(
    gpu: &Gpu,
    program: &LoadedProgram,
    operands: &[&[B]],
    instances: usize,
) -> Result<(Vec<B>, Vec<u64>), GpuError> {
    let inputs = operands.iter().map(|limbs| gpu.device.upload(limbs)).collect::<Result<Vec<_>, _>>()?;
    let inputs: Vec<_> = inputs.iter().collect();
    let instances = instances as u64;
    let mut output = gpu.device.alloc(program.footprint().outputs[0] * instances + MARGIN)?;
    output.fill(POISON)?;
    let scratch = gpu.device.scratch(program, instances)?;
    gpu.device.run_program(program, &inputs, &scratch, &mut output, instances)?;
    let mut found = vec![B::ZERO; output.bytes() as usize / B::BYTES];
    output.copy_to(&mut found)?;
    Ok((found, gpu.device.marked(&scratch, instances)?))
}
