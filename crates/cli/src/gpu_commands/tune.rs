//! `limbforge tune`: measure how products are computed fastest on this GPU, and remember it.

mod arguments;
mod cases;
mod measure;
mod report;
mod stored;

use limbforge_gpu::{DeviceKey, TunedTime, Tuning};
use limbforge_kernels_gen::{Measurement, Planner};

pub(crate) use self::arguments::TuneArguments;
use self::cases::{Case, Job, cases};
use self::measure::{GpuStopwatch, Time, compile_ahead, measure, progress};
use self::report::Report;
use crate::error::CliError;
use crate::output::Output;
use limbforge_cli::gpu::kernels::{Gpu, limb_kind};

pub(crate) fn run(arguments: &TuneArguments) -> Result<(), CliError> {
    let path = Tuning::usual_path()?;
    if arguments.forget || arguments.show {
        let text = if arguments.forget {
            stored::forget(&path, arguments.json)?
        } else {
            stored::show(&path, arguments.json)?
        };
        return print(&text);
    }
    // Before anything is measured: a file that cannot be written to, or an expression of other operands.
    Tuning::read(&path)?;
    let operands = cases::operands(arguments)?;
    let gpu = Gpu::open(arguments.backend)?;
    let key = DeviceKey::of(gpu.device.info());
    let shipped = Planner::new(gpu.device.info().arch.number());
    let planner = if arguments.check { &gpu.planner } else { &shipped };
    let cases = cases(arguments, &gpu.limits, planner)?;
    let mut stopwatch = GpuStopwatch::new(&gpu, arguments.batch_bits, arguments.repeats, operands);
    let mut record = |case: &Case, job: &Job, time: &Time| {
        if !arguments.check {
            Tuning::record(&path, &key, tuned(case, job, time))?;
        }
        Ok(())
    };
    let progress = progress(cases.iter().map(|case| case.jobs.len()).sum());
    compile_ahead(&gpu, &cases, &progress)?;
    let outcomes = measure(&cases, &mut stopwatch, &mut record, &progress)?;
    let path = (!arguments.check).then_some(&*path);
    let report = Report { key: &key, path, cases: &cases, outcomes: &outcomes };
    print(&if arguments.json { report.to_json() } else { report.to_string() })?;
    if arguments.check { report.check() } else { Ok(()) }
}

/// A measurement as it is kept.
fn tuned(case: &Case, job: &Job, time: &Time) -> TunedTime {
    let measurement = Measurement {
        expression: case.expression.clone(),
        bits: case.ty.bits(),
        limb: limb_kind(case.limb),
        product: job.spec.product,
        mapping: job.mapping,
        ms: time.ms,
    };
    TunedTime {
        measurement,
        instances: time.instances,
        repeats: time.repeats,
        date: jiff::Timestamp::now().strftime("%F").to_string(),
    }
}

fn print(text: &str) -> Result<(), CliError> {
    let mut output = Output::create(None)?;
    output.write(text.as_bytes())?;
    output.finish()
}

#[cfg(test)]
mod tests;
