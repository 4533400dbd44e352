//! `limbforge tune`: measure how products are computed fastest on this GPU, and remember it.

mod arguments;
mod cases;
mod measure;
mod report;
#[cfg(test)]
mod tests;

use std::path::Path;

use limbforge_gpu::{DeviceKey, TunedTime, Tuning};
use limbforge_kernels_gen::{Measurement, Planner};
use serde_json::{Value, json};

pub(crate) use self::arguments::TuneArguments;
use self::cases::{Case, Job, Time, cases};
use self::report::Report;
use crate::{error::CliError, output, progress, table::aligned};
use limbforge_cli::gpu::kernels::{Gpu, limb_kind};

pub(crate) fn run(arguments: &TuneArguments) -> Result<(), CliError> {
    let path = Tuning::usual_path()?;
    if arguments.forget {
        return output::write(None, forget(&path, arguments.json)?);
    }
    if arguments.show {
        return output::write(None, show(&path, arguments.json)?);
    }
    // A file that cannot be written and operands with other names fail before anything is measured.
    Tuning::read(&path)?;
    let operands = cases::operands(arguments)?;
    let gpu = Gpu::open(arguments.backend)?;
    let key = DeviceKey::of(gpu.device.info());
    let shipped = Planner::new(gpu.device.info().arch.number());
    let planner = if arguments.check { &gpu.planner } else { &shipped };
    let mut cases = cases(arguments, &gpu.limits, planner)?;
    let jobs: usize = cases.iter().map(|case| case.jobs.len()).sum();
    let progress = progress::start(Some(jobs as u64), "{bar:40} {pos} of {len}  {eta} left  {msg}");
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

/// All measurements in the file.
fn show(path: &Path, json: bool) -> Result<String, CliError> {
    let tuning = Tuning::read(path)?;
    if json {
        let device = |(DeviceKey { gpu, driver, limbforge }, times): (&DeviceKey, &[TunedTime])| json!({"gpu": gpu, "driver": driver, "limbforge": limbforge, "measurements": times});
        let devices: Vec<Value> = tuning.devices().map(device).collect();
        return Ok(format!("{:#}\n", json!({"file": path, "devices": devices})));
    }
    let mut text = format!("{}\n", path.display());
    if tuning.devices().next().is_none() {
        text += "nothing was measured yet: run `limbforge tune`\n";
    }
    for (key, times) in tuning.devices() {
        let head = ["expression", "limb", "bits", "product", "mapping", "ms", "instances", "runs", "date"];
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        lines.extend(times.iter().map(|TunedTime { measurement, instances, repeats, date }| {
            let Measurement { expression, bits, limb, product, mapping, ms } = measurement;
            let mapping = mapping.map_or_else(|| "planned".to_owned(), |mapping| mapping.to_string());
            let (limb, bits, product) = (limb.to_string(), bits.to_string(), product.to_string());
            let (ms, instances, repeats) = (format!("{ms:.4}"), instances.to_string(), repeats.to_string());
            vec![expression.clone(), limb, bits, product, mapping, ms, instances, repeats, date.clone()]
        }));
        text += &format!("\n{key}\n{}\n", aligned(&lines, &[0, 1, 3, 4]).join("\n"));
    }
    Ok(text)
}

/// Removes the file.
fn forget(path: &Path, json: bool) -> Result<String, CliError> {
    let forgotten = Tuning::forget(path)?;
    if json {
        return Ok(format!("{:#}\n", json!({"file": path, "forgotten": forgotten})));
    }
    let path = path.display();
    Ok(if forgotten { format!("removed {path}\n") } else { format!("there is no {path}\n") })
}
