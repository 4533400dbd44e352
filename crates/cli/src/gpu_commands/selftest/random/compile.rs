//! Kernels of random expressions by nvrtc, without a GPU.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use limbforge_gpu::{Arch, Nvrtc, Target, driver_version};
use limbforge_kernels_gen::{Limits, Planner, Program};
use serde::Serialize;
use serde_json::json;

use super::{CliError, RandomCase};
use crate::gpu_commands::selftest::cases::{Case, Task};
use crate::gpu_commands::selftest::report::{Note, Outcome};
use crate::gpu_commands::selftest::{arguments::SelftestArguments, run::run};
use crate::output;
use limbforge_cli::gpu::kernels;

/// Expressions between two lines of progress.
const STEP: usize = 100;

/// Compiles the kernels of the random cases, on the threads that are asked for.
pub(crate) fn compile(arguments: &SelftestArguments, arch: Arch, cases: &[Case]) -> Result<(), CliError> {
    let limits = kernels::multiprocessor("selftest", "--compile", arch)?.limits;
    let nvrtc = Nvrtc::find(driver_version().ok())?;
    let (begin, done) = (Instant::now(), AtomicUsize::new(0));
    let outcomes = run(arguments, cases, Duration::MAX, |_, case| {
        let Task::Random(random) = &case.task else { return Ok(Outcome::Compiled { kernels: 0 }) };
        let outcome = compiled(&nvrtc, arch, &limits, random);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if !arguments.verbose && done.is_multiple_of(STEP) {
            eprintln!("{done} of {}", cases.len());
        }
        Ok(outcome)
    })?;
    let (arch, nvrtc) = (arch.to_string(), nvrtc.version().to_string());
    let mut report = Report { arch, nvrtc, seed: arguments.seed, ..Report::default() };
    cases.iter().zip(outcomes).for_each(|(case, outcome)| report.add(case, outcome));
    report.seconds = begin.elapsed().as_secs_f64();
    let text = if arguments.json { format!("{:#}\n", json!(report)) } else { report.to_string() };
    output::write(None, &text)?;
    match report.failures.len() {
        0 => Ok(()),
        failed => Err(CliError::Uncompiled { failed, of: report.expressions }),
    }
}

fn compiled(nvrtc: &Nvrtc, arch: Arch, limits: &Limits, case: &RandomCase) -> Outcome {
    let kernels = match Program::with_kernels(&case.spec(), limits, &Planner::new(arch.number())) {
        Ok((_, kernels)) => kernels,
        Err(error) => {
            return match error.limit() {
                Some(limit) => Outcome::Refused { limit, why: error.to_string() },
                None => Outcome::Failed(format!("{case}: {error}")),
            };
        }
    };
    for kernel in &kernels {
        if let Err(error) = nvrtc.compile(&kernel.source, Target::Cubin(arch), &[]) {
            return Outcome::Failed(format!("{case}: {}", CliError::from(error)));
        }
    }
    Outcome::Compiled { kernels: kernels.len() }
}

#[derive(Debug, Default, Serialize)]
struct Report {
    arch: String,
    nvrtc: String,
    seed: u64,
    seconds: f64,
    expressions: usize,
    compiled: usize,
    kernels: usize,
    refused: Vec<Refused>,
    failures: Vec<Note>,
}

/// The expressions that a limit excludes, and the first of them.
#[derive(Debug, Serialize)]
struct Refused {
    limit: &'static str,
    count: usize,
    first: String,
}

impl Report {
    fn add(&mut self, case: &Case, outcome: Outcome) {
        let case = &case.name;
        self.expressions += 1;
        match outcome {
            Outcome::Refused { limit, why } => {
                match self.refused.binary_search_by_key(&limit, |refused| refused.limit) {
                    Ok(at) => self.refused[at].count += 1,
                    Err(at) => {
                        self.refused.insert(at, Refused { limit, count: 1, first: format!("{case}: {why}") });
                    }
                }
            }
            Outcome::Failed(why) => self.failures.push(Note { case: case.clone(), why }),
            Outcome::Compiled { kernels } => {
                self.compiled += 1;
                self.kernels += kernels;
            }
            Outcome::Equal { .. } => {}
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { arch, nvrtc, seed, seconds, expressions, compiled, kernels, refused, failures } = self;
        writeln!(f, "{arch}; nvrtc {nvrtc}; seed {seed}\n")?;
        for Refused { limit, count, first } in refused {
            writeln!(f, "refused {count}, {limit}; the first is {first}")?;
        }
        for Note { case, why } in failures {
            writeln!(f, "FAILED {case}: {why}")?;
        }
        let (refused, failed) = (refused.iter().map(|refused| refused.count).sum::<usize>(), failures.len());
        writeln!(f, "{seconds:.1} s")?;
        writeln!(
            f,
            "{expressions} expressions: {compiled} compiled ({kernels} kernels), {refused} refused by a documented limit, {failed} failed"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_is_told() {
        let cases: Vec<Case> = (0..4).map(|index| RandomCase::new(7, index).unwrap().into()).collect();
        let refused = |why: &str| Outcome::Refused { limit: "registers of a thread", why: why.to_owned() };
        let outcomes = [
            Outcome::Compiled { kernels: 3 },
            refused("one"),
            refused("two"),
            Outcome::Failed("no".to_owned()),
        ];
        let (arch, nvrtc) = ("sm_90".to_owned(), "13.0".to_owned());
        let mut report = Report { arch, nvrtc, seed: 7, seconds: 1.25, ..Report::default() };
        cases.iter().zip(outcomes).for_each(|(case, outcome)| report.add(case, outcome));
        let text = report.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "sm_90; nvrtc 13.0; seed 7");
        let first = format!("refused 2, registers of a thread; the first is {}: one", cases[1].name);
        assert_eq!(lines[2..4], [first, format!("FAILED {}: no", cases[3].name)]);
        let last = "4 expressions: 1 compiled (3 kernels), 2 refused by a documented limit, 1 failed";
        assert_eq!(lines.last(), Some(&last));
        let json = json!(report);
        assert_eq!((&json["compiled"], &json["kernels"]), (&json!(1), &json!(3)));
        assert_eq!((&json["refused"][0]["count"], &json["failures"][0]["why"]), (&json!(2), &json!("no")));
    }
}
