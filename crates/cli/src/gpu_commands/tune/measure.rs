//! Measuring case after case.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use limbforge::limb::{Base, IntType};
use limbforge_gpu::{GpuError, LoadedProgram, Timings, Word};
use limbforge_kernels_gen::ProgramSpec;

use super::cases::{Case, Job};
use crate::args::LimbArgument;
use crate::error::CliError;
use limbforge_cli::gpu::batch::DeviceOperands;
use limbforge_cli::gpu::kernels::Gpu;

/// Bits of an operand's batch that times are given for.
const BATCH_BITS: f64 = (1_u64 << 32) as f64;

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Time {
    /// The median, scaled to 2^32 bits of each operand.
    pub(super) ms: f64,
    pub(super) instances: u64,
    pub(super) repeats: u32,
}

/// What measures a candidate, after it has seen that its results are right.
pub(super) trait Stopwatch {
    fn time(&mut self, case: &Case, job: &Job) -> Result<Time, CliError>;
}

/// Of each job of each case its time, or why there is none.
pub(super) type Outcomes = Vec<Vec<Result<Time, String>>>;

/// Measures all jobs and records each time as soon as it is known. A candidate that does not fit the GPU's
/// memory is left out.
///
/// # Errors
/// A wrong result, any other failure of the GPU, and those of `record`.
pub(super) fn measure(
    cases: &[Case],
    stopwatch: &mut dyn Stopwatch,
    record: &mut dyn FnMut(&Case, &Job, &Time) -> Result<(), CliError>,
    progress: &ProgressBar,
) -> Result<Outcomes, CliError> {
    let mut outcomes = vec![];
    for case in cases {
        let mut outcome = vec![];
        for job in &case.jobs {
            progress.set_message(format!("{} of {} bits, {job}", case.expression, case.ty.bits()));
            outcome.push(match stopwatch.time(case, job) {
                Ok(time) => {
                    record(case, job, &time)?;
                    Ok(time)
                }
                Err(error @ (CliError::Spec(_) | CliError::Gpu(GpuError::OutOfMemory { .. }))) => {
                    Err(error.to_string())
                }
                Err(error) => return Err(error),
            });
            progress.inc(1);
        }
        outcomes.push(outcome);
    }
    progress.finish_and_clear();
    Ok(outcomes)
}

/// Compiles the kernels of all jobs, several at a time; what does not compile is said when it is measured.
///
/// # Errors
/// [`CliError::Spec`] for kernels that do not fit the GPU.
pub(super) fn compile_ahead(gpu: &Gpu, cases: &[Case], progress: &ProgressBar) -> Result<(), CliError> {
    let mut kernels = vec![];
    for job in cases.iter().flat_map(|case| &case.jobs) {
        kernels.extend(job.program.render(&gpu.limits)?);
    }
    progress.set_message(format!("compiling {} kernels", kernels.len()));
    gpu.device.compile_ahead(&gpu.compiler, &kernels);
    Ok(())
}

/// A bar over all jobs, hidden unless standard error is a terminal.
pub(super) fn progress(jobs: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(jobs as u64);
    bar.enable_steady_tick(Duration::from_millis(200));
    match ProgressStyle::with_template("{bar:40} {pos} of {len}  {eta} left  {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Times a program on operands of one limb.
type Run = Box<dyn FnMut(&Gpu, &ProgramSpec, &LoadedProgram, u32) -> Result<Timings, CliError>>;

/// Measures on a GPU, as `limbforge-lab bench` does.
pub(super) struct GpuStopwatch<'g> {
    gpu: &'g Gpu,
    batch_bits: u64,
    repeats: u32,
    /// How many operands there are.
    count: usize,
    /// Those of the last case.
    operands: Option<(IntType, LimbArgument, (u64, Run))>,
}

impl<'g> GpuStopwatch<'g> {
    pub(super) fn new(gpu: &'g Gpu, batch_bits: u64, repeats: u32, count: usize) -> Self {
        Self { gpu, batch_bits, repeats, count, operands: None }
    }

    /// The number of instances, and what runs programs on them.
    fn new_operands<B: Base + Word>(&self, ty: IntType) -> Result<(u64, Run), CliError> {
        let mut operands = DeviceOperands::<B>::new(self.gpu, ty, self.batch_bits, self.count)?;
        let instances = operands.instances;
        let run: Run =
            Box::new(move |gpu, spec, program, repeats| operands.time(gpu, spec, program, repeats));
        Ok((instances, run))
    }
}

impl Stopwatch for GpuStopwatch<'_> {
    fn time(&mut self, case: &Case, job: &Job) -> Result<Time, CliError> {
        let program = self.gpu.load_planned(&job.program)?;
        // The old ones go before the new ones come: there may be no room for both.
        let kept = self.operands.take().filter(|(ty, limb, _)| (*ty, *limb) == (case.ty, case.limb));
        let operands = match kept {
            Some((_, _, operands)) => operands,
            None => match case.limb {
                LimbArgument::U32 => self.new_operands::<u32>(case.ty)?,
                LimbArgument::U64 => self.new_operands::<u64>(case.ty)?,
                LimbArgument::U128 => self.new_operands::<u128>(case.ty)?,
            },
        };
        let (_, _, (instances, run)) = self.operands.insert((case.ty, case.limb, operands));
        let timings = run(self.gpu, &job.spec, &program, self.repeats)?;
        let instances = *instances;
        let scale = BATCH_BITS / (instances as f64 * f64::from(case.ty.bits()));
        Ok(Time { ms: timings.median_ms * scale, instances, repeats: self.repeats })
    }
}
