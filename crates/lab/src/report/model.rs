//! Tables of what `limbforge-lab model --paper-tables --device gpu --json` has measured.

use std::collections::BTreeSet;

use limbforge::algos::model::{Application, Machine};
use serde_json::Value;

use super::fields::{missing, positive, text, whole};
use super::numbers::three_digits;

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

/// Threads of a block where s does not say it, as in all reports so far.
const THREADS: u64 = 256;

impl ModelReport {
    /// Whether this is one, and not one of `limbforge-lab bench`.
    pub(super) fn is_one(report: &Value) -> bool {
        report.get("applications").is_some()
    }

    /// # Errors
    /// What is expected and missing, as in a report without measured times.
    pub(super) fn new(name: &str, report: &Value) -> Result<Self, String> {
        let commit = report.get("commit").and_then(Value::as_str).unwrap_or("not given").to_owned();
        let of = |key| text(report, key);
        let source = [name.to_owned(), of("date")?, commit, of("device")?, of("driver")?, of("nvrtc")?];
        let machine = report.get("machine").map(machine).transpose()?;
        let rows = array(report, "applications")?.iter().map(|value| row(value, machine.as_ref()));
        let rows = rows.collect::<Result<_, _>>()?;
        Ok(Self { source, rows })
    }
}

/// The machine that was measured, with the refinement of this version.
fn machine(value: &Value) -> Result<Machine, String> {
    let multiprocessors = u32::try_from(whole(value, "multiprocessors")?).unwrap_or(u32::MAX);
    let (transfer, operation) = (positive(value, "transfer")?, positive(value, "operation_seconds")?);
    let machine = Machine::new(transfer, whole(value, "local_words")?, multiprocessors, operation);
    Ok(machine.map_err(|error| error.to_string())?.with_block_threads(whole(value, "block_threads")?))
}

/// What this version of the model chooses among the parameters of a row; what was chosen when it was measured, if there is no machine or
/// the application is none of the model's.
fn chosen(value: &Value, [n, second]: [u64; 2], machine: Option<&Machine>) -> Result<u64, String> {
    let application = match value["application"].as_str() {
        Some("multiplication") => Application::Multiplication { n, m: second },
        Some("division") => Application::Division { n, m: second },
        Some("gcd") => Application::Gcd { n, m: second },
        Some("radix sort") => Application::RadixSort { n, bits: second },
        _ => return whole(value, "best_refined"),
    };
    let Some(machine) = machine else { return whole(value, "best_refined") };
    let parameters = array(value, "parameters")?.iter().map(|choice| whole(choice, "s"));
    let parameters = parameters.collect::<Result<Vec<_>, _>>()?;
    let best = application.best_refined(parameters, THREADS, machine);
    best.map(|choice| choice.s).map_err(|error| error.to_string())
}

fn row(value: &Value, machine: Option<&Machine>) -> Result<Row, String> {
    let sizes = value.get("sizes").ok_or_else(|| missing("sizes", value))?;
    let second = if sizes.get("bits").is_some() { "bits" } else { "m" };
    let measured = array(value, "parameters")?.iter().filter(|choice| !choice["measured_ms"].is_null());
    let (n, second) = (whole(sizes, "n")?, whole(sizes, second)?);
    let time = |choice: &Value, key| Ok::<_, String>((whole(choice, "s")?, positive(choice, key)?));
    Ok(Row {
        application: text(value, "application")?,
        n,
        second,
        chosen: chosen(value, [n, second], machine)?,
        measured: measured.map(|choice| time(choice, "measured_ms")).collect::<Result<_, _>>()?,
        paper: array(value, "paper_ms")?
            .iter()
            .map(|choice| time(choice, "milliseconds"))
            .collect::<Result<_, _>>()?,
        transforms_ms: value["transforms_ms"].as_f64(),
    })
}

fn array<'v>(value: &'v Value, key: &'static str) -> Result<&'v Vec<Value>, String> {
    value.get(key).and_then(Value::as_array).ok_or_else(|| missing(key, value))
}

/// The table of this name: `model sources`, `products`, `gcds`, `divisions` or `sorts`.
pub(super) fn table(name: &str, reports: &[ModelReport]) -> Option<Vec<Vec<String>>> {
    let rows = |application: &str| -> Vec<&Row> {
        let all = reports.iter().flat_map(|report| &report.rows);
        all.filter(|row| row.application == application && !row.measured.is_empty()).collect()
    };
    Some(match name {
        "model sources" => sources(reports),
        "products" => measured(&rows("multiplication"), "m", Some("transforms")),
        "gcds" => measured(&rows("gcd"), "m", None),
        "divisions" => measured(&rows("division"), "m", Some("Newton")),
        "sorts" => measured(&rows("radix sort"), "bits", None),
        _ => return None,
    })
}

fn sources(reports: &[ModelReport]) -> Vec<Vec<String>> {
    let head = ["report", "date", "commit", "device", "driver", "nvrtc"].map(str::to_owned).to_vec();
    [head].into_iter().chain(reports.iter().map(|report| report.source.to_vec())).collect()
}

/// Milliseconds for each s, what the model chooses, its time as a multiple of the best, the time by transforms under
/// the name that it has, and the paper's milliseconds, if there are any.
fn measured(rows: &[&Row], second: &str, by_transforms: Option<&str>) -> Vec<Vec<String>> {
    let parameters = |times: fn(&Row) -> &Times| -> BTreeSet<u64> {
        rows.iter().flat_map(|row| times(row)).map(|&(s, _)| s).collect()
    };
    let (ours, papers) = (parameters(|row| &row.measured), parameters(|row| &row.paper));
    let mut head = vec!["n".to_owned(), second.to_owned()];
    head.extend(ours.iter().map(|s| format!("s = {s}")));
    head.extend(["chosen s", "of the best time"].map(str::to_owned));
    head.extend(by_transforms.map(str::to_owned));
    head.extend(papers.iter().map(|s| format!("paper, s = {s}")));
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
    [head].into_iter().chain(rows.iter().map(line)).collect()
}

/// Three digits, or nothing.
fn milliseconds(value: Option<f64>) -> String {
    value.map(three_digits).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use limbforge::algos::model::machine::Figures;
    use limbforge_field::DynField;
    use limbforge_kernels_gen::Limits;
    use limbforge_kernels_gen::poly::{PolyOperation, PolyShape};
    use serde_json::json;

    use super::*;

    fn report() -> Value {
        let parameter = |s: u64, ms: Option<f64>| json!({"s": s, "measured_ms": ms});
        json!({
            "date": "2026-01-31", "commit": null, "device": "made-up GPU", "driver": "13.0", "nvrtc": "13.0",
            "applications": [
                {"application": "gcd", "sizes": {"n": 20, "m": 10}, "best_refined": 2, "transforms_ms": null,
                 "parameters": [parameter(1, Some(12.344)), parameter(2, Some(0.0511)), parameter(4, Some(0.05)), parameter(8, None)],
                 "paper_ms": [{"s": 1, "milliseconds": 58.0}, {"s": 512, "milliseconds": 24.0}]},
                {"application": "radix sort", "sizes": {"n": 64, "bits": 32}, "best_refined": 1, "transforms_ms": null,
                 "parameters": [parameter(1, Some(1.0))], "paper_ms": []},
            ],
        })
    }

    #[test]
    fn times_beside_the_paper_s() {
        let reports = [ModelReport::new("a.json", &report()).unwrap()];
        let gcds = table("gcds", &reports).unwrap();
        let head = "n|m|s = 1|s = 2|s = 4|chosen s|of the best time|paper, s = 1|paper, s = 512";
        assert_eq!(gcds[0].join("|"), head);
        assert_eq!(gcds[1].join("|"), "20|10|12.3|0.0511|0.0500|2|1.02|58.0|24.0");
        assert_eq!(table("sorts", &reports).unwrap()[1].join("|"), "64|32|1.00|1|1.00");
        assert_eq!(table("products", &reports).unwrap().len(), 1);
        let source = &table("model sources", &reports).unwrap()[1];
        assert_eq!(source.join("|"), "a.json|2026-01-31|not given|made-up GPU|13.0|13.0");
        assert_eq!(table("cubes", &reports), None);
    }

    /// Every row that was measured on an H200: the chosen s takes at most 15 % more than the best one.
    #[test]
    fn choices_are_near_the_best_measured() {
        let text = include_str!("../../../../benches/results/h200/model.json");
        let report = ModelReport::new("model.json", &serde_json::from_str(text).unwrap()).unwrap();
        assert_eq!(report.rows.len(), 25);
        for row in &report.rows {
            let best = row.measured.iter().map(|time| time.1).fold(f64::MAX, f64::min);
            let chosen =
                row.measured.iter().find(|time| time.0 == row.chosen).map_or(f64::MAX, |time| time.1);
            let ratio = chosen / best;
            assert!(
                ratio <= 1.15,
                "{} of {} and {}: s = {} takes {ratio:.2} of the best",
                row.application,
                row.n,
                row.second,
                row.chosen
            );
        }
    }

    /// The same of the choice between Newton's inverse and steps, which a GPU was not asked for.
    #[test]
    fn divisions_take_the_faster_program() {
        let text = include_str!("../../../../benches/results/h200/model.json");
        let report = ModelReport::new("model.json", &serde_json::from_str(text).unwrap()).unwrap();
        let field = DynField::new(2_013_265_921).unwrap();
        let newton = |row: &Row| {
            let [n, m] = [row.n, row.second].map(|terms| usize::try_from(terms).unwrap());
            let shape = PolyShape::of(PolyOperation::DivRem, n, m).unwrap().unwrap();
            let program = shape.program(&field, Figures::H200, &Limits::SM_90).unwrap();
            program.kernels.iter().any(|kernel| kernel.to_string().contains("div newton"))
        };
        let divisions: Vec<&Row> = report.rows.iter().filter(|row| row.application == "division").collect();
        assert_eq!(divisions.len(), 6);
        for row in divisions {
            let steps = row.measured.iter().find(|time| time.0 == row.chosen).unwrap().1;
            let (found, by_newton) = (newton(row), row.transforms_ms.unwrap());
            let ratio = if found { by_newton } else { steps } / by_newton.min(steps);
            assert!(ratio <= 1.15, "{} by {} terms, Newton: {found}, takes {ratio:.2}", row.n, row.second);
        }
        assert_eq!(
            report.rows.iter().filter(|row| row.application == "division").map(newton).collect::<Vec<_>>(),
            [false, false, true, true, true, true]
        );
    }

    #[test]
    fn what_is_missing_is_named() {
        let mut without = report();
        without["applications"][0]["sizes"] = json!({"n": 20});
        let error = ModelReport::new("a.json", &without).unwrap_err();
        assert!(error.starts_with("expected `m` of a report"), "{error}");
        let mut negative = report();
        negative["applications"][0]["parameters"][0]["measured_ms"] = json!(-1);
        assert!(ModelReport::new("a.json", &negative).unwrap_err().starts_with("expected `measured_ms`"));
        assert!(
            ModelReport::new("a.json", &json!({"applications": []})).is_err(),
            "predictions without a device"
        );
    }
}
