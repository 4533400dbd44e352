//! The report of the selftest.

use std::fmt;

use serde::Serialize;

use super::cases::{Case, Task};

/// The outcome of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// All results equal those of the CPU backend.
    Equal { instances: u64 },
    /// All kernels compile.
    Compiled { kernels: usize },
    /// Cases that differ or do not compile.
    Failed(String),
    /// The limit of the GPU that the mapping or the expression exceeds.
    Refused { limit: &'static str, why: String },
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equal { instances } => write!(f, "equal in {instances} instances"),
            Self::Compiled { kernels } => write!(f, "compiled, {kernels} kernels"),
            Self::Failed(_) => f.write_str("FAILED"),
            Self::Refused { .. } => f.write_str("refused"),
        }
    }
}

/// All results; rows of random expressions have refusals, each by a documented limit.
#[derive(Debug, Default, Serialize)]
pub(super) struct Report {
    pub(super) device: String,
    pub(super) driver: String,
    pub(super) nvrtc: String,
    pub(super) seconds: f64,
    pub(super) rows: Vec<Row>,
    pub(super) failures: Vec<Note>,
    pub(super) refusals: Vec<Note>,
    pub(super) passed: usize,
    pub(super) failed: usize,
}

/// The cases with one key; `smallest` and `largest` are bits, points, terms or keys.
#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
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

/// A case with the reason for its outcome.
#[derive(Debug, Serialize)]
pub(super) struct Note {
    pub(super) case: String,
    pub(super) why: String,
}

impl Report {
    pub(super) fn add(&mut self, case: &Case, outcome: Outcome) {
        let &Case { key: [family, limb, algorithm], size, .. } = case;
        let known = self.rows.iter().position(|row| [row.family, row.limb, row.algorithm] == case.key);
        let index = known.unwrap_or_else(|| {
            self.rows.push(Row { family, limb, algorithm, smallest: size, largest: size, ..Row::default() });
            self.rows.len() - 1
        });
        let row = &mut self.rows[index];
        (row.smallest, row.largest) = (row.smallest.min(size), row.largest.max(size));
        row.kernels += u64::from(!matches!(outcome, Outcome::Refused { .. }));
        self.passed += usize::from(matches!(outcome, Outcome::Equal { .. } | Outcome::Compiled { .. }));
        let note = |why| Note { case: case.name.clone(), why };
        match outcome {
            Outcome::Equal { instances } => row.instances += instances,
            Outcome::Compiled { .. } => {}
            Outcome::Failed(why) => {
                row.failed += 1;
                self.failures.push(note(why));
                self.failed = self.failures.len();
            }
            Outcome::Refused { limit, why } => {
                row.refused += 1;
                if matches!(case.task, Task::Random(_)) {
                    self.refusals.push(note(format!("{limit}: {why}")));
                }
            }
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}; driver {}, nvrtc {}\n", self.device, self.driver, self.nvrtc)?;
        writeln!(f, "family      limb  product    bits, points   kernels  refused  instances  result")?;
        for Row { family, limb, algorithm, smallest, largest, kernels, refused, instances, failed } in
            &self.rows
        {
            let sizes = format!("{smallest}..{largest}");
            let result = if *failed == 0 { "equal".to_owned() } else { format!("{failed} FAILED") };
            writeln!(
                f,
                "{family:<10}  {limb:<4}  {algorithm:<9}  {sizes:<13}  {kernels:>7}  {refused:>7}  {instances:>9}  {result}"
            )?;
        }
        for Note { case, why } in &self.refusals {
            writeln!(f, "refused {case}: {why}")?;
        }
        for Note { case, why } in &self.failures {
            writeln!(f, "FAILED {case}: {why}")?;
        }
        writeln!(f, "\n{:.1} s", self.seconds)?;
        writeln!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use serde_json::json;

    use super::{super::cases, *};

    fn report(outcomes: Vec<Outcome>) -> Report {
        let [device, driver, nvrtc] = ["GPU 0: made up", "13.0", "13.0"].map(str::to_owned);
        let mut report = Report { device, driver, nvrtc, seconds: 1.25, ..Report::default() };
        cases::all(true).unwrap().iter().zip(outcomes).for_each(|(case, outcome)| report.add(case, outcome));
        report
    }

    /// Family, limb and product of each row of printed reports.
    fn printed_rows(text: &str) -> HashSet<[&str; 3]> {
        let reports = text.split("\nfamily ").skip(1);
        let rows = reports.flat_map(|report| report.lines().skip(1).take_while(|line| !line.is_empty()));
        let words = rows.map(str::split_whitespace);
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
        let refused = Outcome::Refused { limit: "", why: "too wide".to_owned() };
        let report = report(vec![equal.clone(), equal.clone(), wrong, refused, equal]);
        let text = report.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "GPU 0: made up; driver 13.0, nvrtc 13.0");
        assert_eq!(
            lines[3],
            "add         u32   -          131..2048            4        1        300  1 FAILED"
        );
        assert_eq!(lines[4], "FAILED add u32 u2048 planned major-major: no");
        assert_eq!(lines[5..], ["", "1.2 s", "3 passed, 1 failed"]);
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!((&json["passed"], &json["failed"]), (&json!(3), &json!(1)));
        assert_eq!(json["rows"][0]["instances"], 300);
        assert_eq!(json["failures"][0]["why"], "no");
    }
}
