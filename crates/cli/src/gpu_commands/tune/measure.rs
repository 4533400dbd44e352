//! Measuring case after case.

use indicatif::ProgressBar;
use limbforge::limb::{Base, IntType};
use limbforge_gpu::{GpuError, LoadedProgram, Timings, Word};
use limbforge_kernels_gen::ProgramSpec;

use super::arguments::TuneArguments;
use super::cases::{Case, Job, Time};
use crate::error::CliError;
use limbforge_cli::{gpu::batch::DeviceOperands, gpu::kernels::Gpu, with_limb};

/// Bits of an operand's batch that times refer to.
const BATCH_BITS: f64 = (1_u64 << 32) as f64;

/// Measures all jobs and records each time at once. A candidate that does not fit the GPU's memory has none.
pub(super) fn measure(
    cases: &mut [Case],
    stopwatch: &mut dyn FnMut(&Case, &Job) -> Result<Time, CliError>,
    record: &mut dyn FnMut(&Case, &Job, Time) -> Result<(), CliError>,
    progress: &ProgressBar,
) -> Result<(), CliError> {
    for case in cases {
        for i in 0..case.jobs.len() {
            let job = &case.jobs[i];
            progress.set_message(format!("{} of {} bits, {job}", case.expression, case.ty.bits()));
            let outcome = match stopwatch(case, job) {
                Ok(time) => record(case, job, time).map(|()| Ok(time))?,
                Err(error @ (CliError::Spec(_) | CliError::Gpu(GpuError::OutOfMemory { .. }))) => {
                    Err(error.to_string())
                }
                Err(error) => return Err(error),
            };
            case.jobs[i].outcome = Some(outcome);
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    Ok(())
}

/// Compiles the kernels of all jobs, several at a time. Failures are reported when they are measured.
pub(super) fn compile_ahead(gpu: &Gpu, cases: &[Case], progress: &ProgressBar) -> Result<(), CliError> {
    let jobs = cases.iter().flat_map(|case| &case.jobs);
    let kernels = jobs.map(|job| job.program.render(&gpu.limits)).collect::<Result<Vec<_>, _>>()?.concat();
    progress.set_message(format!("compiling {} kernels", kernels.len()));
    gpu.device.compile_ahead(&gpu.compiler, &kernels);
    Ok(())
}

/// Times a program on operands of one type and limb; their instances.
type Run<'g> = (u64, Box<dyn FnMut(&ProgramSpec, &LoadedProgram) -> Result<Timings, CliError> + 'g>);

/// Measures on a GPU. Consecutive cases of the same type and limb share their operands.
pub(super) fn stopwatch<'g>(
    gpu: &'g Gpu,
    &TuneArguments { batch_bits, repeats, .. }: &TuneArguments,
    operands: usize,
) -> impl FnMut(&Case, &Job) -> Result<Time, CliError> + 'g {
    let mut last: Option<(IntType, &str, Run<'g>)> = None;
    move |case, job| {
        let program = gpu.load_planned(&job.program)?;
        let (ty, limb) = (case.ty, case.limb.name());
        // The old operands are freed first: there may be no room for both.
        let kept = last.take().filter(|(last, name, _)| (*last, *name) == (ty, limb));
        let run = match kept {
            Some((.., run)) => run,
            None => with_limb!(case.limb, B => run::<B>(gpu, ty, batch_bits, operands, repeats)?),
        };
        let (.., (instances, run)) = last.insert((ty, limb, run));
        let scale = BATCH_BITS / (*instances as f64 * f64::from(ty.bits()));
        let timings = run(&job.spec, &program)?;
        Ok(Time { ms: timings.median_ms * scale, instances: *instances, repeats })
    }
}

fn run<B: Base + Word>(
    gpu: &Gpu,
    ty: IntType,
    batch_bits: u64,
    operands: usize,
    repeats: u32,
) -> Result<Run<'_>, CliError> {
    let mut operands = DeviceOperands::<B>::new(&gpu.device, ty, batch_bits, operands)?;
    let instances = operands.instances;
    Ok((instances, Box::new(move |spec, program| operands.time(spec, program, repeats))))
}
