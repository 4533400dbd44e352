//! Operations on one thread of a CPU beside FLINT and GMP.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::table::{Table, table, three_digits};

/// A run of `peers` of `limbforge-benches`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct CpuPeers {
    device: String,
    /// `LIMBFORGE_VECTORS` of the run.
    vectors: Option<String>,
    /// `LIMBFORGE_ROWS` of the run.
    rows_of_products: Option<String>,
    rows: Vec<Row>,
}

/// Nanoseconds of an instance.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Row {
    operation: String,
    operands: String,
    bits: u32,
    limbforge: f64,
    #[serde(rename = "FLINT")]
    flint: f64,
    #[serde(rename = "GMP")]
    gmp: f64,
}

impl CpuPeers {
    /// Paths of limbforge, the fastest first.
    const fn path(&self) -> Path {
        match (&self.vectors, &self.rows_of_products) {
            (_, Some(_)) => Path::Portable,
            (Some(_), None) => Path::WithoutIfma,
            (None, None) => Path::Vectors,
        }
    }

    fn row(&self, operation: &str, operands: &str, bits: u32) -> Option<&Row> {
        let mut rows = self.rows.iter();
        rows.find(|row| row.operation == operation && row.operands == operands && row.bits == bits)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Path {
    Vectors,
    WithoutIfma,
    Portable,
}

impl Path {
    const fn name(self) -> &'static str {
        match self {
            Self::Vectors => "limbforge",
            Self::WithoutIfma => "without IFMA",
            Self::Portable => "portable",
        }
    }
}

/// The table of a name, `DEVICE: OPERATION` or `DEVICE: OPERANDS operands`, where the device's name has `DEVICE` in it:
/// [times of an operation](times), or [ratios of all](ratios). None if no run has it.
pub(super) fn named(name: &str, runs: &[CpuPeers]) -> Option<Table> {
    let (device, what) = name.split_once(": ")?;
    let mut runs: Vec<&CpuPeers> = runs.iter().filter(|run| run.device.contains(device)).collect();
    runs.sort_by_key(|run| run.path());
    match what.strip_suffix(" operands") {
        Some(operands) => ratios(operands, &runs),
        None => times(what, &runs),
    }
}

/// For each operation and path the time of the faster of the others to limbforge's, by the width.
fn ratios(operands: &str, runs: &[&CpuPeers]) -> Option<Table> {
    let all = || runs.iter().flat_map(|run| &run.rows).filter(|row| row.operands == operands);
    let widths: BTreeSet<u32> = all().map(|row| row.bits).collect();
    let mut operations: Vec<&str> = vec![];
    for row in all() {
        if !operations.contains(&&*row.operation) {
            operations.push(&row.operation);
        }
    }
    let head = ["operation", "path"].map(str::to_owned).into_iter();
    let head = head.chain(widths.iter().map(u32::to_string));
    let lines = operations.iter().flat_map(|operation| runs.iter().map(move |run| (*operation, run)));
    let lines = lines.map(|(operation, run)| {
        let ratio = |row: &Row| format!("{:.2}", row.flint.min(row.gmp) / row.limbforge);
        let of = |&bits: &u32| run.row(operation, operands, bits).map(ratio).unwrap_or_default();
        [operation, run.path().name()].map(str::to_owned).into_iter().chain(widths.iter().map(of)).collect()
    });
    if widths.is_empty() { None } else { Some(table(head, lines)) }
}

/// Microseconds of an operation by the width of random operands, and for each path the times of the others in
/// its own run to its time.
fn times(operation: &str, runs: &[&CpuPeers]) -> Option<Table> {
    let first = *runs.first()?;
    let rows = runs.iter().flat_map(|run| &run.rows).filter(|row| row.operation == operation);
    let widths: BTreeSet<u32> = rows.map(|row| row.bits).collect();
    if widths.is_empty() {
        return None;
    }
    let head = ["bits", "FLINT", "GMP"].map(str::to_owned).into_iter();
    let head = head.chain(runs.iter().flat_map(|run| {
        let name = run.path().name();
        [name.to_owned(), format!("FLINT : {name}"), format!("GMP : {name}")]
    }));
    let lines = widths.into_iter().map(|bits| {
        let time = |ns: f64| three_digits(ns / 1e3);
        let others = first
            .row(operation, "random", bits)
            .map(|row| [row.flint, row.gmp].map(time))
            .unwrap_or_default();
        let own = runs.iter().flat_map(|run| {
            let of = |row: &Row| {
                let ratio = |other: f64| format!("{:.2}", other / row.limbforge);
                [time(row.limbforge), ratio(row.flint), ratio(row.gmp)]
            };
            run.row(operation, "random", bits).map(of).unwrap_or_default()
        });
        [bits.to_string()].into_iter().chain(others).chain(own).collect()
    });
    Some(table(head, lines))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn run(vectors: Option<&str>, limbforge: f64) -> CpuPeers {
        let row = |operands: &str, limbforge: f64| {
            json!({"operation": "gcd", "operands": operands, "bits": 512, "limbforge": limbforge,
                   "FLINT": 3000.0, "GMP": 1500.0})
        };
        let rows = json!([row("structured", 1.0), row("random", limbforge)]);
        let run = json!({"device": "AMD EPYC", "vectors": vectors, "rows_of_products": null, "rows": rows});
        CpuPeers::deserialize(run).unwrap()
    }

    #[test]
    fn ratios_are_those_of_the_run() {
        let table = named("AMD: gcd", &[run(Some("doubles"), 2000.0), run(None, 750.0)]).unwrap();
        assert_eq!(table[0][3..7], ["limbforge", "FLINT : limbforge", "GMP : limbforge", "without IFMA"]);
        assert_eq!(table[1], ["512", "3.00", "1.50", "0.750", "4.00", "2.00", "2.00", "1.50", "0.75"]);
    }

    #[test]
    fn ratios_are_to_the_faster_of_the_others() {
        let runs = [run(Some("doubles"), 2000.0), run(None, 750.0)];
        let table = named("AMD: random operands", &runs).unwrap();
        let expected =
            [["operation", "path", "512"], ["gcd", "limbforge", "2.00"], ["gcd", "without IFMA", "0.75"]];
        assert_eq!(table, expected);
    }

    #[test]
    fn an_operation_that_nobody_measured_has_no_table() {
        for name in ["AMD: root", "Intel: gcd", "AMD: other operands", "gcd"] {
            assert_eq!(named(name, &[run(None, 1.0)]), None);
        }
        assert_eq!(named("AMD: gcd", &[]), None);
    }
}
