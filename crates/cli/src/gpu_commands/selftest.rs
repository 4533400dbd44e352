//! `limbforge selftest`: every family of kernels on a GPU against the CPU backend.

mod arguments;
mod cases;
mod check;
mod random;
mod report;
mod run;

use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use self::arguments::Extent;
pub(crate) use self::arguments::SelftestArguments;
use self::cases::Case;
use self::random::RandomCase;
use self::report::Report;
use self::run::Runner;
use limbforge::Engine;

use crate::error::CliError;
use crate::output;
use limbforge_cli::gpu::kernels::Gpu;

pub(crate) fn run(arguments: &SelftestArguments) -> Result<(), CliError> {
    let count = arguments.random.unwrap_or(if arguments.small { 20 } else { 200 });
    let random = (0..count).map(|index| RandomCase::new(arguments.seed, index).map(Case::from));
    let mut cases = if arguments.compile.is_some() { vec![] } else { cases::all(arguments.small)? };
    cases.extend(random.collect::<Result<Vec<_>, _>>()?);
    cases.retain(|case| arguments.filter.iter().all(|text| case.name.contains(text.as_str())));
    if cases.is_empty() {
        return Err(CliError::NoCases { filter: arguments.filter.join("` and `") });
    }
    if let Some(arch) = arguments.compile {
        return random::compile(arguments, arch, &cases);
    }
    let gpu = Gpu::open(arguments.backend)?;
    let engine = Engine::gpu(arguments.backend.0)?;
    let begin = Instant::now();
    let threads =
        arguments.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let runner = Runner {
        gpu: &gpu,
        engine: &engine,
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
    output::write(None, &text)?;
    match report.failed() {
        0 => Ok(()),
        failed => Err(CliError::Selftest { failed, of: report.passed() + failed }),
    }
}

#[cfg(test)]
mod tests;
