//! `limbforge selftest`: every family of kernels on a GPU against the CPU backend.

mod arguments;
mod cases;
mod check;
mod report;
mod run;

use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

pub(crate) use self::arguments::SelftestArguments;
use self::report::Report;
use self::run::{Extent, Runner};
use crate::error::CliError;
use crate::kernels::Gpu;
use crate::output::Output;

pub(crate) fn run(arguments: &SelftestArguments) -> Result<(), CliError> {
    let mut cases = cases::all(arguments.small)?;
    cases.retain(|case| {
        let name = case.to_string();
        arguments.filter.iter().all(|text| name.contains(text.as_str()))
    });
    if cases.is_empty() {
        return Err(CliError::NoCases { filter: arguments.filter.join("` and `") });
    }
    let gpu = Gpu::open(arguments.backend)?;
    let begin = Instant::now();
    let threads =
        arguments.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let runner = Runner {
        gpu: &gpu,
        cases: &cases,
        extent: Extent {
            small: arguments.small,
            instances: arguments.instances,
            threads: threads.div_ceil(cases.len()),
        },
        threads,
        verbose: arguments.verbose,
        timeout: Duration::from_secs(arguments.timeout),
    };
    let results = runner.run()?;
    let info = gpu.device.info();
    let report = Report {
        device: info.to_string(),
        driver: info.driver.to_string(),
        nvrtc: gpu.compiler.nvrtc().version().to_string(),
        seconds: begin.elapsed().as_secs_f64(),
        results: cases.into_iter().zip(results).collect(),
    };
    let text = if arguments.json { format!("{:#}\n", report.to_json()) } else { report.to_string() };
    let mut output = Output::create(None)?;
    output.write(text.as_bytes())?;
    output.finish()?;
    match report.failed() {
        0 => Ok(()),
        failed => Err(CliError::Selftest { failed, of: report.passed() + failed }),
    }
}
