//! `limbforge selftest`: every family of kernels on a GPU against the CPU backend.

mod arguments;
mod cases;
mod check;
mod random;
mod report;
mod run;
#[cfg(test)]
mod tests;
mod types;

use std::time::{Duration, Instant};

use limbforge::Engine;
use serde_json::json;

use self::arguments::Extent;
pub(crate) use self::arguments::SelftestArguments;
use self::{cases::Case, random::RandomCase, report::Report};
use crate::{error::CliError, output};
use limbforge_cli::gpu::kernels::Gpu;

pub(crate) fn run(arguments: &SelftestArguments) -> Result<(), CliError> {
    let &SelftestArguments { small, instances, timeout, .. } = arguments;
    let random = 0..arguments.random.unwrap_or(if small { 20 } else { 200 });
    let mut cases = vec![];
    if arguments.compile.is_none() {
        cases.extend(cases::all(small)?);
        cases.extend(cases::tapes(small)?);
    }
    for index in random {
        cases.push(RandomCase::new(arguments.seed, index)?.into());
    }
    cases.retain(|case| arguments.filter.iter().all(|text| case.name.contains(text.as_str())));
    if let Some(part) = arguments.part {
        let mut number = 0..;
        cases.retain(|_| number.next().is_some_and(|number| part.has(number)));
    }
    if cases.is_empty() {
        return Err(CliError::NoCases { filter: arguments.filter.join("` and `") });
    }
    if let Some(arch) = arguments.compile {
        return random::compile(arguments, arch, &cases);
    }
    let gpu = Gpu::open(arguments.backend)?;
    let engine = Engine::gpu(arguments.backend.0)?;
    let begin = Instant::now();
    let extent = Extent { small, instances, threads: arguments.threads().div_ceil(cases.len()) };
    let check = |seed, case: &Case| check::check(&gpu, &engine, case, seed, extent);
    let outcomes = run::run(arguments, &cases, Duration::from_secs(timeout), check)?;
    let info = gpu.device.info();
    let mut report = Report {
        device: info.to_string(),
        driver: info.driver.to_string(),
        nvrtc: gpu.compiler.nvrtc().version().to_string(),
        seconds: begin.elapsed().as_secs_f64(),
        ..Report::default()
    };
    cases.iter().zip(outcomes).for_each(|(case, outcome)| report.add(case, outcome));
    let text = if arguments.json { format!("{:#}\n", json!(report)) } else { report.to_string() };
    output::write(None, &text)?;
    match (report.failed, report.passed) {
        (0, _) => Ok(()),
        (failed, passed) => Err(CliError::Selftest { failed, of: passed + failed }),
    }
}
