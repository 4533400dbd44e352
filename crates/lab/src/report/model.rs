//! Tables of the measurements of `limbforge-lab model --paper-tables --device gpu --json`.

use std::collections::BTreeSet;

use limbforge::algos::model::{Application, Machine};
use serde_json::Value;

use super::fields::{field, positive};
use super::table::{Table, table, three_digits};

/// A report of `limbforge-lab model`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ModelReport {
    /// Name of the file, date, commit, device, driver, nvrtc.
    source: [String; 6],
    rows: Vec<Row>,
}

/// An application with its sizes.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    application: String,
    n: u64,
    /// Terms of the shorter polynomial, or bits of a key.
    second: u64,
    chosen: u64,
    /// Parameters with measured milliseconds.
    measured: Times,
    paper: Times,
    transforms_ms: Option<f64>,
}

type Times = Vec<(u64, f64)>;

/// Threads of a block unless s determines them, as in all reports so far.
const THREADS: u64 = 256;

impl ModelReport {
    /// Reads a report; the error names the field that is missing, as in a report without measured times.
    pub(super) fn new(name: &str, report: &Value) -> Result<Self, String> {
        let commit = report["commit"].as_str().unwrap_or("not given").to_owned();
        let of = |key| field(report, key);
        let source = [name.to_owned(), of("date")?, commit, of("device")?, of("driver")?, of("nvrtc")?];
        let machine = report.get("machine").map(machine).transpose()?;
        let rows: Vec<Value> = field(report, "applications")?;
        let rows = rows.iter().map(|value| row(value, machine.as_ref())).collect::<Result<_, _>>()?;
        Ok(Self { source, rows })
    }
}

/// The machine that was measured, with the refinement of this version.
fn machine(value: &Value) -> Result<Machine, String> {
    let multiprocessors = u32::try_from(field::<u64>(value, "multiprocessors")?).unwrap_or(u32::MAX);
    let (transfer, operation) = (positive(value, "transfer")?, positive(value, "operation_seconds")?);
    let machine = Machine::new(transfer, field(value, "local_words")?, multiprocessors, operation);
    Ok(machine.map_err(|error| error.to_string())?.with_block_threads(field(value, "block_threads")?))
}

/// The choice of this version of the model among the parameters of a row. Without a machine, and for an
/// application that the model lacks, it is the choice that was measured.
fn chosen(value: &Value, [n, second]: [u64; 2], machine: Option<&Machine>) -> Result<u64, String> {
    let application = match value["application"].as_str() {
        Some("multiplication") => Application::Multiplication { n, m: second },
        Some("division") => Application::Division { n, m: second },
        Some("gcd") => Application::Gcd { n, m: second },
        Some("radix sort") => Application::RadixSort { n, bits: second },
        _ => return field(value, "best_refined"),
    };
    let Some(machine) = machine else { return field(value, "best_refined") };
    let parameters = field::<Vec<Value>>(value, "parameters")?;
    let parameters = parameters.iter().map(|choice| field(choice, "s")).collect::<Result<Vec<u64>, _>>()?;
    let best = application.best_refined(parameters, THREADS, machine);
    best.map(|choice| choice.s).map_err(|error| error.to_string())
}

fn row(value: &Value, machine: Option<&Machine>) -> Result<Row, String> {
    let sizes: Value = field(value, "sizes")?;
    let second = if sizes.get("bits").is_some() { "bits" } else { "m" };
    let sizes = [field(&sizes, "n")?, field(&sizes, second)?];
    // Parameters without a kernel have no time.
    let times = |list, key| -> Result<Times, String> {
        let choices = field::<Vec<Value>>(value, list)?.into_iter().filter(|choice| !choice[key].is_null());
        choices.map(|choice| Ok((field(&choice, "s")?, positive(&choice, key)?))).collect()
    };
    Ok(Row {
        application: field(value, "application")?,
        n: sizes[0],
        second: sizes[1],
        chosen: chosen(value, sizes, machine)?,
        measured: times("parameters", "measured_ms")?,
        paper: times("paper_ms", "milliseconds")?,
        transforms_ms: value["transforms_ms"].as_f64(),
    })
}

/// The table of this name: `model sources`, `products`, `gcds`, `divisions` or `sorts`.
pub(super) fn named(name: &str, reports: &[ModelReport]) -> Option<Table> {
    let of = |application: &str, second, by_transforms| {
        let all = reports.iter().flat_map(|report| &report.rows);
        let rows = all.filter(|row| row.application == application && !row.measured.is_empty());
        Some(measured(&rows.collect::<Vec<_>>(), second, by_transforms))
    };
    match name {
        "model sources" => {
            let head = ["report", "date", "commit", "device", "driver", "nvrtc"];
            Some(table(head, reports.iter().map(|report| report.source.to_vec())))
        }
        "products" => of("multiplication", "m", Some("transforms")),
        "gcds" => of("gcd", "m", None),
        "divisions" => of("division", "m", Some("Newton")),
        "sorts" => of("radix sort", "bits", None),
        _ => None,
    }
}

/// Milliseconds for each s, the model's choice, its time as a multiple of the best, the time by transforms
/// under its name, and the paper's milliseconds, if there are any.
fn measured(rows: &[&Row], second: &str, by_transforms: Option<&str>) -> Table {
    let parameters = |times: fn(&Row) -> &Times| -> BTreeSet<u64> {
        rows.iter().flat_map(|row| times(row)).map(|&(s, _)| s).collect()
    };
    let (ours, papers) = (parameters(|row| &row.measured), parameters(|row| &row.paper));
    let mut head = vec!["n".to_owned(), second.to_owned()];
    head.extend(ours.iter().map(|s| format!("s = {s}")));
    head.extend(["chosen s", "of the best time"].into_iter().chain(by_transforms).map(str::to_owned));
    head.extend(papers.iter().map(|s| format!("paper, s = {s}")));
    let milliseconds = |value: Option<f64>| value.map(three_digits).unwrap_or_default();
    let line = |row: &&Row| {
        let of = |times: &Times, s: u64| times.iter().find(|time| time.0 == s).map(|time| time.1);
        let best = row.measured.iter().map(|time| time.1).fold(f64::MAX, f64::min);
        let mut cells = vec![row.n.to_string(), row.second.to_string()];
        cells.extend(ours.iter().map(|&s| milliseconds(of(&row.measured, s))));
        cells.push(row.chosen.to_string());
        cells.push(of(&row.measured, row.chosen).map(|ms| format!("{:.2}", ms / best)).unwrap_or_default());
        cells.extend(by_transforms.map(|_| milliseconds(row.transforms_ms)));
        cells.extend(papers.iter().map(|&s| milliseconds(of(&row.paper, s))));
        cells
    };
    table(head, rows.iter().map(line))
}

#[cfg(test)]
mod tests;
