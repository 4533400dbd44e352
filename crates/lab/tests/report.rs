//! `limbforge-lab report` on the reports that are kept beside the code.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn report(arguments: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_limbforge-lab")).arg("report").args(arguments).output().unwrap()
}

fn kept() -> Vec<PathBuf> {
    reports_of("h200")
}

/// The reports that are kept of a machine, in the order of their names.
fn reports_of(machine: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/results").join(machine);
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_report = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "json");
    let mut paths: Vec<_> = paths.filter(is_report).collect();
    paths.sort();
    paths
}

#[test]
fn a_page_stands_alone() {
    let paths = kept();
    let output = report(&paths.iter().map(PathBuf::as_path).collect::<Vec<_>>());
    let page = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("<h1>limbforge on NVIDIA H200</h1>"));
    assert_eq!(page.matches("<svg ").count(), page.matches("<h2>").count());
    for title in ["Low product, a * b", "Wide product", "Square", "Forward transforms over prime fields"] {
        assert!(page.contains(title), "{title}");
    }
    // Units are spelled out, and what others reach is dashed.
    for unit in ["ms per batch", "10^6 instances/s", "GB/s", "Gu32ops/s = 300 * NumInsts * m * log2(m)"] {
        assert!(page.contains(unit), "{unit}");
    }
    for line in ["memory floor", "Oancea-Watt", "CGBN"] {
        assert!(page.contains(&format!(">\n{line}\n</text>")), "{line}");
    }
    assert!(page.matches("stroke-dasharray").count() >= 6);
    // Nothing is fetched and nothing runs; the one address is the name of SVG.
    let addresses = page.matches("http").count();
    assert_eq!(addresses, page.matches("xmlns=\"http://www.w3.org/2000/svg\"").count());
    for forbidden in ["<script", "<link", "<img", "src=", "@import", "url("] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
}

#[test]
fn the_kept_page_is_that_of_the_kept_reports() {
    let paths = kept();
    let output = report(&paths.iter().map(PathBuf::as_path).collect::<Vec<_>>());
    let page = paths[0].with_file_name("report.html");
    let kept = fs::read_to_string(&page).unwrap();
    assert!(
        kept.as_bytes() == output.stdout,
        "make it anew: limbforge-lab report benches/results/h200/*.json --out {}",
        page.display()
    );
}

/// A command's output from the kept reports equals the kept file.
fn assert_kept(options: &[&Path], kept_at: &Path, again: &str) {
    let paths = [kept(), reports_of("cpu")].concat();
    let reports = paths.iter().map(PathBuf::as_path);
    let output = report(&options.iter().copied().chain(reports).collect::<Vec<_>>());
    assert_eq!((output.status.code(), &*String::from_utf8_lossy(&output.stderr)), (Some(0), ""));
    assert!(fs::read(kept_at).unwrap() == output.stdout, "make it anew: limbforge-lab report {again}");
}

#[test]
fn plans_go_by_the_kept_reports() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels-gen/data/plans/sm_90.json");
    let again = "benches/results/h200/*.json --plans --out kernels-gen/data/plans/sm_90.json";
    assert_kept(&[Path::new("--plans")], &path, again);
}

#[test]
fn the_page_on_performance_has_the_tables_of_the_kept_reports() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/performance.md");
    let again = "benches/results/{h200,cpu}/*.json --markdown docs/performance.md --out docs/performance.md";
    assert_kept(&[Path::new("--markdown"), &path], &path, again);
    assert!(fs::read_to_string(&path).unwrap().matches("<!-- table: ").count() >= 8);
}

#[test]
fn the_page_on_the_model_has_the_tables_of_the_kept_reports() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/model.md");
    let again = "benches/results/h200/*.json --markdown docs/model.md --out docs/model.md";
    assert_kept(&[Path::new("--markdown"), &path], &path, again);
    assert_eq!(fs::read_to_string(&path).unwrap().matches("<!-- table: ").count(), 5);
}

/// The bench, the report and the docs have one source of other libraries' figures: these tables are made from it.
#[test]
fn the_page_on_other_libraries_has_the_tables_of_the_data_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/peers.md");
    let again = "benches/results/{h200,cpu}/*.json --markdown docs/peers.md --out docs/peers.md";
    assert_kept(&[Path::new("--markdown"), &path], &path, again);
    assert_eq!(fs::read_to_string(&path).unwrap().matches("<!-- table: peers").count(), 4);
}

/// A kept report quotes others as the data file has them now, not as they were known when it was measured.
#[test]
fn kept_reports_quote_the_data_file() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/peers/h200.json");
    let data: Value = serde_json::from_str(&fs::read_to_string(data).unwrap()).unwrap();
    let quoted = |peer: &str, row: &Value, batch_bits: f64| {
        let figures = data["figures"].as_array().unwrap().iter().filter(|figure| figure["peer"] == peer);
        let mut figures =
            figures.filter(|figure| figure["operations"].as_array().unwrap().contains(&row["operation"]));
        let figure = figures.find(|figure| figure["unit"] != "10^9 butterflies/s")?;
        let value = figure["values"].get(row["bits"].to_string())?.as_f64().unwrap();
        let instances = row["instances"].as_f64().unwrap_or(batch_bits / row["bits"].as_f64().unwrap());
        Some(if figure["unit"] == "ms" { value } else { instances / value * 1e3 })
    };
    let mut compared = 0;
    for path in kept() {
        let report: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let Some(batch_bits) = report["batch_bits"].as_f64() else { continue };
        for row in report["rows"].as_array().unwrap().iter().filter(|row| row["operation"] != "ntt") {
            for (peer, key) in [("CGBN", "cgbn_ms"), ("Oancea-Watt", "paper_ms")] {
                let (expected, found) = (quoted(peer, row, batch_bits), row[key].as_f64());
                let is_same = match (expected, found) {
                    (Some(expected), Some(found)) => (expected / found - 1.0).abs() < 1e-9,
                    (expected, found) => expected == found,
                };
                assert!(is_same, "{}: {row}: expected {expected:?}", path.display());
                compared += usize::from(found.is_some());
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn the_picture_of_the_first_page_is_that_of_the_kept_reports() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/product-time.svg");
    let again = "benches/results/{h200,cpu}/*.json --product-chart --out docs/product-time.svg";
    assert_kept(&[Path::new("--product-chart")], &path, again);
    let svg = fs::read_to_string(&path).unwrap();
    for name in ["num-bigint", "GMP", "FLINT", "CGBN", "limbforge, one H200"] {
        assert!(svg.contains(&format!(">\n{name}")), "{name}");
    }
    assert!(svg.contains("prefers-color-scheme: dark"));
}

#[test]
fn tables_of_the_paper() {
    let paths = kept();
    let mut arguments = vec![Path::new("--paper-tables")];
    arguments.extend(paths.iter().map(PathBuf::as_path));
    let output = report(&arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
    let lines: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with("2^")).collect();
    assert_eq!(lines.len(), 16, "{text}");
    // CGBN does not run at 2^18 bits; the paper's program adds 2^32 bits in 0.50 ms there.
    let cells: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!(cells[..4], ["2^18", "16384", "----", "3221"], "{text}");
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    for (text, why) in [
        ("{", "EOF while parsing"),
        ("{}", "expected `device` of a report of `limbforge-lab bench --json`, found nothing"),
    ] {
        fs::write(&path, text).unwrap();
        let output = report(&[&path]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.starts_with(&format!("error: {}: {why}", path.display())), "{error}");
        assert_eq!((output.status.code(), error.lines().count(), output.stdout.len()), (Some(1), 1, 0));
    }
    let output = report(&[&folder.path().join("none.json")]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("cannot read"));
    assert_eq!(output.status.code(), Some(1));
}
