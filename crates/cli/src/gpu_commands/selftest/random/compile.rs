//! Kernels of random expressions by nvrtc, without a GPU.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use limbforge_gpu::{Arch, Nvrtc, Target, Version, driver_version};
use limbforge_kernels_gen::{Limits, Planner, Program};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::RandomCase;
use crate::error::CliError;
use crate::gpu_commands::selftest::arguments::SelftestArguments;
use crate::gpu_commands::selftest::cases::{Case, Task};
use crate::output;
use limbforge_cli::gpu::kernels;

/// How many expressions pass until a line says how far it has come.
const STEP: usize = 100;

/// What became of an expression.
#[derive(Debug)]
enum Outcome {
    Compiled {
        kernels: usize,
    },
    /// By which documented limit, and the whole text.
    Refused {
        limit: &'static str,
        why: String,
    },
    Failed(String),
}

/// Compiles the kernels of the random cases, on the threads that are asked for.
///
/// # Errors
/// Those of nvrtc itself, and [`CliError::Uncompiled`] if any has no kernels and no documented limit is why.
pub(crate) fn compile(arguments: &SelftestArguments, arch: Arch, cases: &[Case]) -> Result<(), CliError> {
    let limits = kernels::multiprocessor("selftest", "--compile", arch)?.limits;
    let nvrtc = Nvrtc::find(driver_version().ok())?;
    let begin = Instant::now();
    let random =
        cases.iter().filter_map(|case| if let Task::Random(case) = &case.task { Some(case) } else { None });
    let random: Vec<&RandomCase> = random.collect();
    let done = AtomicUsize::new(0);
    let outcome = |case: &&RandomCase| {
        let outcome = compiled(&nvrtc, arch, &limits, case);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if arguments.verbose {
            eprintln!("{case}: {outcome:?}");
        } else if done.is_multiple_of(STEP) {
            eprintln!("{done} of {}", random.len());
        }
        outcome
    };
    let threads =
        arguments.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| {
        let why = format!("{threads} threads do not start: {error}");
        CliError::Usage { command: "selftest", why }
    })?;
    let outcomes: Vec<Outcome> = pool.install(|| random.par_iter().map(outcome).collect());
    let report = Report {
        arch,
        nvrtc: nvrtc.version(),
        seed: arguments.seed,
        seconds: begin.elapsed().as_secs_f64(),
        results: random.into_iter().zip(outcomes).collect(),
    };
    let text = if arguments.json { format!("{:#}\n", report.to_json()) } else { report.to_string() };
    output::write(None, &text)?;
    match report.failed().count() {
        0 => Ok(()),
        failed => Err(CliError::Uncompiled { failed, of: report.results.len() }),
    }
}

fn compiled(nvrtc: &Nvrtc, arch: Arch, limits: &Limits, case: &RandomCase) -> Outcome {
    let drawn = case.draw();
    let failed = |error: &dyn fmt::Display| Outcome::Failed(format!("{drawn}: {error}"));
    let kernels = match Program::with_kernels(&drawn.spec(case), limits, &Planner::new(arch.number())) {
        Ok((_, kernels)) => kernels,
        Err(error) => {
            let refused = |limit| Outcome::Refused { limit, why: error.to_string() };
            return error.limit().map_or_else(|| failed(&error), refused);
        }
    };
    for kernel in &kernels {
        if let Err(error) = nvrtc.compile(&kernel.source, Target::Cubin(arch), &[]) {
            return failed(&CliError::from(error));
        }
    }
    Outcome::Compiled { kernels: kernels.len() }
}

/// All outcomes.
#[derive(Debug)]
struct Report<'c> {
    arch: Arch,
    nvrtc: Version,
    seed: u64,
    seconds: f64,
    results: Vec<(&'c RandomCase, Outcome)>,
}

impl Report<'_> {
    /// Expressions and kernels that were compiled.
    fn compiled(&self) -> (usize, usize) {
        let of = |outcome: &Outcome| {
            if let Outcome::Compiled { kernels } = outcome { Some(*kernels) } else { None }
        };
        let kernels = || self.results.iter().filter_map(|(_, outcome)| of(outcome));
        (kernels().count(), kernels().sum())
    }

    /// How many each limit refuses, and the first of them.
    fn refused(&self) -> BTreeMap<&'static str, (usize, String)> {
        let mut refused = BTreeMap::new();
        for (case, outcome) in &self.results {
            if let Outcome::Refused { limit, why } = outcome {
                refused.entry(*limit).or_insert_with(|| (0, format!("{case}: {why}"))).0 += 1;
            }
        }
        refused
    }

    fn failed(&self) -> impl Iterator<Item = (&RandomCase, &str)> {
        self.results.iter().filter_map(|(case, outcome)| match outcome {
            Outcome::Failed(why) => Some((*case, why.as_str())),
            _ => None,
        })
    }

    /// Keys `arch`, `nvrtc`, `seed`, `seconds`, `expressions`, `compiled`, `kernels`, `refused` (each with `limit`, `count` and
    /// `first`) and `failures`.
    fn to_json(&self) -> Value {
        let (compiled, kernels) = self.compiled();
        let refused = self.refused();
        let refused = refused
            .iter()
            .map(|(limit, (count, first))| json!({"limit": limit, "count": count, "first": first}));
        let failure = |(case, why): (&RandomCase, &str)| json!({"case": case.to_string(), "why": why});
        json!({
            "arch": self.arch.to_string(),
            "nvrtc": self.nvrtc.to_string(),
            "seed": self.seed,
            "seconds": self.seconds,
            "expressions": self.results.len(),
            "compiled": compiled,
            "kernels": kernels,
            "refused": refused.collect::<Vec<_>>(),
            "failures": self.failed().map(failure).collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}; nvrtc {}; seed {}\n", self.arch, self.nvrtc, self.seed)?;
        let refused = self.refused();
        for (limit, (count, first)) in &refused {
            writeln!(f, "refused {count}, {limit}; the first is {first}")?;
        }
        for (case, why) in self.failed() {
            writeln!(f, "FAILED {case}: {why}")?;
        }
        let ((compiled, kernels), failed) = (self.compiled(), self.failed().count());
        let refused: usize = refused.values().map(|(count, _)| count).sum();
        writeln!(f, "{:.1} s", self.seconds)?;
        writeln!(
            f,
            "{} expressions: {compiled} compiled ({kernels} kernels), {refused} refused by a documented limit, {failed} failed",
            self.results.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_is_told() {
        let cases: Vec<RandomCase> = (0..4).map(|index| RandomCase::new(7, index).unwrap()).collect();
        let refused = |why: &str| Outcome::Refused { limit: "registers of a thread", why: why.to_owned() };
        let outcomes = [
            Outcome::Compiled { kernels: 3 },
            refused("one"),
            refused("two"),
            Outcome::Failed("no".to_owned()),
        ];
        let report = Report {
            arch: Arch::new(9, 0),
            nvrtc: Version { major: 13, minor: 0 },
            seed: 7,
            seconds: 1.25,
            results: cases.iter().zip(outcomes).collect(),
        };
        let text = report.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "sm_90; nvrtc 13.0; seed 7");
        let first = format!("refused 2, registers of a thread; the first is {}: one", cases[1]);
        assert_eq!(lines[2..4], [first, format!("FAILED {}: no", cases[3])]);
        let last = "4 expressions: 1 compiled (3 kernels), 2 refused by a documented limit, 1 failed";
        assert_eq!(lines.last(), Some(&last));
        let json = report.to_json();
        assert_eq!((&json["compiled"], &json["kernels"]), (&json!(1), &json!(3)));
        assert_eq!((&json["refused"][0]["count"], &json["failures"][0]["why"]), (&json!(2), &json!("no")));
    }
}
