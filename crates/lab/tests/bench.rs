//! `limbforge-lab bench` as a user meets it, on the CPU and where there is no GPU.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn bench(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_limbforge-lab"));
    // Where a driver is, no GPU is visible.
    command.arg("bench").args(arguments).env("CUDA_VISIBLE_DEVICES", "").env_remove("LIMBFORGE_COMMIT");
    command
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Standard error of a run that fails on one line and prints nothing else.
fn fails(arguments: &[&str], status: i32) -> String {
    let Output { stdout, stderr, status: found } = bench(arguments).output().unwrap();
    let error = text(&stderr).to_owned();
    assert_eq!(
        (found.code(), error.lines().count(), stdout.len()),
        (Some(status), 1, 0),
        "{arguments:?}: {error}"
    );
    error
}

#[test]
fn without_a_gpu_one_line_says_what_to_do() {
    let runs: [&[&str]; 2] = [
        &["add", "--bits", "9..10,131", "--csv"],
        &["mul-classical", "--limb", "u32,u128", "--json", "--out", "not-written.json"],
    ];
    for arguments in runs {
        let error = fails(arguments, 1);
        assert!(error.starts_with("error: NVIDIA's driver "), "{arguments:?}: {error}");
        assert!(error.contains("use the CPU backend"), "{arguments:?}: {error}");
    }
    assert!(!std::path::Path::new("not-written.json").exists());
}

#[test]
fn wrong_usage() {
    let runs: [(&[&str], &str); 8] = [
        (&[], "WHAT"),
        (&["cubes"], "expected add, mul, poly, fused, mul-classical"),
        (&["add", "--bits", "9..99"], "`9..99`: expected I..J"),
        (&["add", "--csv", "--json"], "cannot be used with"),
        (&["add", "--repeats", "0"], "0 is not in 1..=10000"),
        (&["add", "--backend", "auto"], "expected gpu, gpu:I, as in gpu:1, or cpu"),
        (&["ntt", "--backend", "cpu"], "transforms run on GPUs only: expected --backend gpu"),
        (&["mul-tensor", "--backend", "cpu"], "run on GPUs only"),
    ];
    for (arguments, words) in runs {
        let error = fails(arguments, 2);
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
}

#[test]
fn help_fits_a_terminal() {
    let help = bench(&["-h"]).output().unwrap();
    assert!(text(&help.stdout).lines().all(|line| line.chars().count() <= 110));
}

const SMALL: [&str; 8] = ["--backend", "cpu", "--bits", "64,131", "--batch-bits", "20000", "--repeats", "2"];

/// Any operation of expressions, with the keys of every report.
#[test]
fn the_cpu_is_measured() {
    for what in ["gcd", "lcm", "div", "<<", "modular", "powmod"] {
        let output = bench(&[&[what, "--json", "--limb", "u32,u64"], &SMALL[..]].concat()).output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{what}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let keys: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys.join(" "), "batch_bits commit date device driver nvrtc repeats rows threads");
        assert!(report["threads"].as_u64() >= Some(1) && !report["device"].as_str().unwrap().is_empty());
        let rows = report["rows"].as_array().unwrap();
        assert!(rows.len() >= 4 && rows.len().is_multiple_of(4), "{what}: {} rows", rows.len());
        for row in rows {
            assert!(row["median_ms"].as_f64() > Some(0.0) && row["floor_ms"].is_null(), "{row}");
        }
    }
}

/// A report of the CPU becomes a page as one of a GPU does.
#[test]
fn pages_of_the_cpu() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let arguments = ["add", "--html", page.to_str().unwrap(), "--out", "/dev/null"];
    let output = bench(&[&arguments[..], &SMALL].concat()).output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let page = std::fs::read_to_string(page).unwrap();
    assert!(
        page.contains("<h2>One addition or subtraction</h2>") && !page.contains("memory floor</th>"),
        "{page}"
    );
}

/// Rows are there when they are measured: a reader that has enough ends the run.
#[test]
fn rows_appear_one_by_one() {
    let many = ["add", "--backend", "cpu", "--batch-bits", "1000", "--repeats", "10000", "--csv"];
    let mut child = bench(&many).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("operation,limb,bits,"));
    assert!(lines.next().unwrap().unwrap().starts_with("add1,u64,512,64,cpu,"));
    assert_eq!(child.try_wait().unwrap(), None, "more rows are measured");
    drop(lines);
    assert!(child.wait().unwrap().success());
}
