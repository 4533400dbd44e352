//! What the selftest prints.

use std::fmt;

use serde::Serialize;
use serde_json::{Value, json};

use super::cases::{Case, Task};

/// The outcome of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// All results equal those of the CPU backend.
    Equal { instances: u64 },
    /// What differs or does not compile.
    Failed(String),
    /// Which resource this GPU lacks.
    Refused(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equal { instances } => write!(f, "equal in {instances} instances"),
            Self::Failed(_) => f.write_str("FAILED"),
            Self::Refused(_) => f.write_str("refused"),
        }
    }
}

/// All results.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) device: String,
    pub(super) driver: String,
    pub(super) nvrtc: String,
    pub(super) seconds: f64,
    pub(super) results: Vec<(Case, Outcome)>,
}

/// The cases of a family, a limb and a product, or of a word and a class of residues.
#[derive(Debug, Default, Serialize)]
struct Row {
    family: &'static str,
    limb: &'static str,
    algorithm: &'static str,
    smallest: u32,
    largest: u32,
    kernels: u64,
    refused: u64,
    instances: u64,
    failed: u64,
}

impl Report {
    pub(super) fn passed(&self) -> usize {
        self.results.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Equal { .. })).count()
    }

    pub(super) fn failed(&self) -> usize {
        self.failures().count()
    }

    fn failures(&self) -> impl Iterator<Item = (&Case, &str)> {
        self.results.iter().filter_map(|(case, outcome)| match outcome {
            Outcome::Failed(why) => Some((case, why.as_str())),
            _ => None,
        })
    }

    /// Random expressions that a documented limit of the GPU excludes.
    fn refusals(&self) -> impl Iterator<Item = (&Case, &str)> {
        self.results.iter().filter_map(|(case, outcome)| match (&case.task, outcome) {
            (Task::Random(_), Outcome::Refused(why)) => Some((case, why.as_str())),
            _ => None,
        })
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = vec![];
        for (case, outcome) in &self.results {
            let &Case { key: [family, limb, algorithm], size, .. } = case;
            let known = rows.iter().position(|row| [row.family, row.limb, row.algorithm] == case.key);
            let index = known.unwrap_or_else(|| {
                rows.push(Row { family, limb, algorithm, smallest: size, largest: size, ..Row::default() });
                rows.len() - 1
            });
            let row = &mut rows[index];
            (row.smallest, row.largest) = (row.smallest.min(size), row.largest.max(size));
            match outcome {
                Outcome::Equal { instances } => row.instances += instances,
                Outcome::Failed(_) => row.failed += 1,
                Outcome::Refused(_) => row.refused += 1,
            }
            row.kernels += u64::from(!matches!(outcome, Outcome::Refused(_)));
        }
        rows
    }

    /// Keys `device`, `driver`, `nvrtc`, `seconds`, `rows` (each with `smallest` and `largest` in bits, or points, terms or keys), `failures`,
    /// `refusals` of random expressions, `passed` and `failed`.
    pub(super) fn to_json(&self) -> Value {
        let failure = |(case, why): (&Case, &str)| json!({"case": case.name, "why": why});
        json!({
            "device": self.device,
            "driver": self.driver,
            "nvrtc": self.nvrtc,
            "seconds": self.seconds,
            "rows": self.rows(),
            "failures": self.failures().map(failure).collect::<Vec<_>>(),
            "refusals": self.refusals().map(failure).collect::<Vec<_>>(),
            "passed": self.passed(),
            "failed": self.failed(),
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}; driver {}, nvrtc {}\n", self.device, self.driver, self.nvrtc)?;
        writeln!(f, "family      limb  product    bits, points   kernels  refused  instances  result")?;
        for row in self.rows() {
            let sizes = format!("{}..{}", row.smallest, row.largest);
            let result = if row.failed == 0 { "equal".to_owned() } else { format!("{} FAILED", row.failed) };
            let Row { family, limb, algorithm, kernels, refused, instances, .. } = row;
            writeln!(
                f,
                "{family:<10}  {limb:<4}  {algorithm:<9}  {sizes:<13}  {kernels:>7}  {refused:>7}  {instances:>9}  {result}"
            )?;
        }
        for (case, why) in self.refusals() {
            writeln!(f, "refused {}: {why}", case.name)?;
        }
        for (case, why) in self.failures() {
            writeln!(f, "FAILED {}: {why}", case.name)?;
        }
        writeln!(f, "\n{:.1} s", self.seconds)?;
        writeln!(f, "{} passed, {} failed", self.passed(), self.failed())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use super::super::cases;
    use super::*;

    fn report(outcomes: &[Outcome]) -> Report {
        let cases = cases::all(true).unwrap();
        Report {
            device: "GPU 0: made up".to_owned(),
            driver: "13.0".to_owned(),
            nvrtc: "13.0".to_owned(),
            seconds: 1.25,
            results: cases.into_iter().zip(outcomes.iter().cloned()).collect(),
        }
    }

    /// What the rows of a report that was printed are of: family, limb, product; its head is no row, nor what follows the rows.
    fn printed_rows(text: &str) -> HashSet<[&str; 3]> {
        let rows = text.lines().skip_while(|line| !line.starts_with("family ")).skip(1);
        let words = rows.take_while(|line| !line.is_empty()).map(str::split_whitespace);
        words.filter_map(|mut words| Some([words.next()?, words.next()?, words.next()?])).collect()
    }

    /// A case without a row was not run on the GPU when the log was made.
    #[test]
    fn the_committed_log_leaves_no_family_out() {
        let log = include_str!("../../../../../benches/results/h200/selftest.txt");
        let rows = printed_rows(log);
        let cases = cases::all(false).unwrap();
        let missing: BTreeSet<[&str; 3]> =
            cases.iter().map(|case| case.key).filter(|key| !rows.contains(key)).collect();
        assert!(
            missing.is_empty(),
            "benches/results/h200/selftest.txt has no rows of {missing:?}: run `limbforge selftest`"
        );
        assert!(
            log.ends_with(" passed, 0 failed\n"),
            "benches/results/h200/selftest.txt: something failed, or the end is missing"
        );
    }

    #[test]
    fn a_table_and_its_last_line() {
        let (equal, wrong) = (Outcome::Equal { instances: 100 }, Outcome::Failed("no".to_owned()));
        let report =
            report(&[equal.clone(), equal.clone(), wrong, Outcome::Refused("too wide".to_owned()), equal]);
        let text = report.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "GPU 0: made up; driver 13.0, nvrtc 13.0");
        assert_eq!(
            lines[3],
            "add         u32   -          131..2048            4        1        300  1 FAILED"
        );
        assert_eq!(lines[4], "FAILED add u32 u2048 planned major-major: no");
        assert_eq!(lines[5..], ["", "1.2 s", "3 passed, 1 failed"]);
        let json = report.to_json();
        assert_eq!((&json["passed"], &json["failed"]), (&json!(3), &json!(1)));
        assert_eq!(json["rows"][0]["instances"], 300);
        assert_eq!(json["failures"][0]["why"], "no");
    }
}
