//! `limbforge tune`: measure how products are computed fastest on this GPU, and remember it.

mod arguments;
mod cases;
mod measure;
mod report;
mod stored;
#[cfg(test)]
mod tests;

use limbforge_gpu::{DeviceKey, TunedTime, Tuning};
use limbforge_kernels_gen::{Measurement, Planner};

pub(crate) use self::arguments::TuneArguments;
use self::cases::{Case, Job, Time, cases};
use self::report::Report;
use crate::error::CliError;
use crate::output;
use limbforge_cli::gpu::kernels::{Gpu, limb_kind};

pub(crate) fn run(arguments: &TuneArguments) -> Result<(), CliError> {
    let path = Tuning::usual_path()?;
    if arguments.forget {
        return output::write(None, stored::forget(&path, arguments.json)?);
    }
    if arguments.show {
        return output::write(None, stored::show(&path, arguments.json)?);
    }
    // A file that cannot be written and operands with other names fail before anything is measured.
    Tuning::read(&path)?;
    let operands = cases::operands(arguments)?;
    let gpu = Gpu::open(arguments.backend)?;
    let key = DeviceKey::of(gpu.device.info());
    let shipped = Planner::new(gpu.device.info().arch.number());
    let planner = if arguments.check { &gpu.planner } else { &shipped };
    let mut cases = cases(arguments, &gpu.limits, planner)?;
    let progress = measure::progress(cases.iter().map(|case| case.jobs.len()).sum());
    measure::compile_ahead(&gpu, &cases, &progress)?;
    let mut stopwatch = measure::stopwatch(&gpu, arguments, operands);
    let mut record = |case: &Case, job: &Job, time: Time| {
        if !arguments.check {
            Tuning::record(&path, &key, tuned(case, job, time))?;
        }
        Ok(())
    };
    measure::measure(&mut cases, &mut stopwatch, &mut record, &progress)?;
    let path = (!arguments.check).then_some(&*path);
    let report = Report { key: &key, path, cases: &cases };
    output::write(None, if arguments.json { report.to_json() } else { report.to_string() })?;
    if arguments.check { report.check() } else { Ok(()) }
}

/// A measurement as it is kept.
fn tuned(case: &Case, job: &Job, time: Time) -> TunedTime {
    let measurement = Measurement {
        expression: case.expression.clone(),
        bits: case.ty.bits(),
        limb: limb_kind(case.limb),
        product: job.spec.product,
        mapping: job.mapping,
        ms: time.ms,
    };
    let date = jiff::Timestamp::now().strftime("%F").to_string();
    TunedTime { measurement, instances: time.instances, repeats: time.repeats, date }
}
