//! Several expressions over integers against the CPU backend.

use limbforge::algos::cpu::Evaluator;
use limbforge::prelude::*;
use limbforge_gpu::{DeviceBuffer, GpuError, LoadedProgram, Word};

use super::evaluations::{clear, wrongly_marked};
use super::{CliError, Gpu, MARGIN, Outcome, difference::difference};
use crate::gpu_commands::selftest::cases::{Case, SeveralCase};
use limbforge_cli::gpu::{batch::POISON, operands::Operands};

/// Bits of the largest batch.
const BATCH_BITS: usize = 1 << 20;
const SMALL_BATCH_BITS: usize = 1 << 18;

/// One instance, one beyond two blocks, and many: every result and every failure of each.
pub(super) fn check<B: Base + Word>(
    gpu: &Gpu,
    case: &Case,
    several: &SeveralCase,
    seed: u64,
    small: bool,
) -> Result<Outcome, CliError> {
    let SeveralCase { dag, ty, layout, .. } = several;
    let program = gpu.load_planned(&case.program(&gpu.limits)?)?;
    let block = program.kernels().map(|kernel| kernel.geometry().instances as usize).max().unwrap_or(1);
    let most = if small { SMALL_BATCH_BITS } else { BATCH_BITS } / ty.bits() as usize;
    let evaluator = Evaluator::<B>::new(dag, *ty)?;
    let (mut operands, mut compared) = (Operands::new(seed), 0);
    for instances in [1, 2 * block + 1, most.max(3)] {
        let batches = operands.batches::<B>(*ty, dag.inputs().count(), instances, several.places());
        let mut batches = batches.map_err(EvalError::from)?;
        operands.divisions(&mut batches);
        let named: Vec<(&str, &Batch<B>)> = dag.inputs().zip(&batches).collect();
        let all = evaluator.eval_all(&batches.iter().collect::<Vec<_>>(), instances, *layout)?;
        let (found, marks) = run(gpu, &program, &batches, instances)?;
        for (root, (expected, mut found)) in all.iter().zip(found).enumerate() {
            let lacks = |instance: &usize| marks.get(*instance).is_some_and(|mark| mark >> root & 1 == 1);
            let marked: Vec<u64> = (0..instances).filter(lacks).map(|instance| instance as u64).collect();
            let why = wrongly_marked(&expected.failures, &marked).or_else(|| {
                clear(&mut found, &expected.values, &marked);
                difference(&expected.values, &found, &named)
            });
            if let Some(why) = why {
                return Ok(Outcome::Failed(format!("{}: result {root}, N={instances}, {why}", case.name)));
            }
        }
        compared += instances as u64;
    }
    Ok(Outcome::Equal { instances: compared })
}

/// The limbs of each result with the margin behind it, and the words that mark instances.
fn run<B: Base + Word>(
    gpu: &Gpu,
    program: &LoadedProgram,
    operands: &[Batch<B>],
    instances: usize,
) -> Result<(Vec<Vec<B>>, Vec<u32>), GpuError> {
    let inputs =
        operands.iter().map(|batch| gpu.device.upload(batch.limbs())).collect::<Result<Vec<_>, _>>()?;
    let scratch = gpu.device.scratch(program, instances as u64)?;
    let poisoned = |bytes: &u64| {
        let mut output = gpu.device.alloc(bytes * instances as u64 + MARGIN)?;
        output.fill(POISON)?;
        Ok(output)
    };
    let mut outputs: Vec<DeviceBuffer> =
        program.footprint().outputs.iter().map(poisoned).collect::<Result<_, GpuError>>()?;
    let mut written: Vec<&mut DeviceBuffer> = outputs.iter_mut().collect();
    let inputs: Vec<&DeviceBuffer> = inputs.iter().collect();
    gpu.device.run_program_to(program, &inputs, &scratch, &mut written, instances as u64)?;
    let mut all = vec![];
    for output in &outputs {
        let mut found = vec![B::ZERO; output.bytes() as usize / B::BYTES];
        output.copy_to(&mut found)?;
        all.push(found);
    }
    let mut marks = vec![];
    if let Some(buffer) = scratch.into_marks() {
        marks.resize(instances, 0_u32);
        buffer.copy_to(&mut marks)?;
    }
    Ok((all, marks))
}
