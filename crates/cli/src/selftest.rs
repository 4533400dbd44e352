//! `limbforge selftest`: every family of kernels on a GPU against the CPU backend.

mod arguments;
mod cases;
mod check;
mod report;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

pub(crate) use self::arguments::SelftestArguments;
use self::cases::Case;
use self::check::check;
use self::report::{Outcome, Report};
use crate::error::CliError;
use crate::kernels::Gpu;
use crate::output::Output;

pub(crate) fn run(arguments: &SelftestArguments) -> Result<(), CliError> {
    let mut cases = cases::all(arguments.small)?;
    if let Some(text) = &arguments.filter {
        cases.retain(|case| case.to_string().contains(text.as_str()));
        if cases.is_empty() {
            return Err(CliError::NoCases { filter: text.clone() });
        }
    }
    let gpu = Gpu::open(arguments.backend)?;
    let begin = Instant::now();
    let results = run_all(&gpu, &cases, arguments.small)?;
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

/// The outcomes of all cases, in their order. Kernels are compiled on all cores at once; the GPU runs one after the
/// other. An error is one that makes all further results worthless.
fn run_all(gpu: &Gpu, cases: &[Case], small: bool) -> Result<Vec<Outcome>, CliError> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new((vec![], None));
    let lock = || done.lock().unwrap_or_else(PoisonError::into_inner);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(index) else { break };
                    match check(gpu, case, index as u64, small) {
                        Ok(outcome) => lock().0.push((index, outcome)),
                        Err(error) => {
                            next.store(cases.len(), Ordering::Relaxed);
                            lock().1.get_or_insert(CliError::SelftestStopped {
                                case: case.to_string(),
                                source: Box::new(error),
                            });
                        }
                    }
                }
            });
        }
    });
    let (mut outcomes, error) = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = error {
        return Err(error);
    }
    outcomes.sort_unstable_by_key(|(index, _)| *index);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}
