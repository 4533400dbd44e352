//! `limbforge-lab model` as a user meets it.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_limbforge-lab"));
    command.arg("model").args(arguments.split_whitespace()).output().unwrap()
}

fn output(arguments: &str) -> String {
    let output = run(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error), (Some(0), String::new()), "{arguments}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn all_applications_have_a_best_parameter() {
    let text = output("");
    for title in
        ["multiplication of 10000 and 9000 terms", "gcd of", "radix sort of 134217728 keys of 32 bits"]
    {
        assert!(text.contains(title), "{text}");
    }
    assert_eq!(text.lines().filter(|line| line.starts_with("->")).count(), 4, "{text}");
}

#[test]
fn a_table_has_the_formulas() {
    let machine = "--transfer 10 --local-words 4096 --multiprocessors 100 --operation-cycles 1 --clock 1000";
    let text = output(&format!("gcd -n 2000 -m 1000 --s 1,100 --threads 100 {machine} --json"));
    let value: Value = serde_json::from_str(&text).unwrap();
    let gcd = &value["applications"][0];
    assert_eq!((&gcd["application"], &gcd["best"]), (&"gcd".into(), &100.into()));
    let of = |i: usize, key: &str| gcd["parameters"][i][key].as_f64().unwrap();
    assert_eq!((of(0, "path"), of(0, "slowest_block"), of(0, "blocks")), (2998.0, 53.0, 21_010.0));
    assert_eq!((of(1, "path"), of(1, "slowest_block"), of(1, "blocks")), (30.0, 380.0, 210.0));
    assert_eq!((of(1, "overhead"), of(1, "threads"), of(1, "local_words")), (16_800.0, 300.0, 600.0));
    // (210 / 100 + 30) 380 cycles of 1 ns.
    assert!((of(1, "predicted_ms") - 32.1 * 380.0 * 1e-6).abs() < 1e-9);
}

/// Rows of the paper's tables with its times, and the refined choices among their parameters.
#[test]
fn the_paper_s_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.json");
    assert_eq!(output(&format!("--paper-tables --json --out {}", path.display())), "");
    let value: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let rows = value["applications"].as_array().unwrap();
    assert_eq!(rows.len(), 9 + 9 + 6 + 1);
    let parameters = |i: usize| -> Vec<u64> {
        rows[i]["parameters"].as_array().unwrap().iter().map(|choice| choice["s"].as_u64().unwrap()).collect()
    };
    assert_eq!((parameters(0), parameters(17)), (vec![2, 4, 8, 16], (0..9).map(|i| 1 << i).collect()));
    assert_eq!(rows[8]["paper_ms"][1], serde_json::json!({"s": 4, "milliseconds": 10.853}));
    assert_eq!((&rows[17]["best"], &rows[17]["best_refined"]), (&256.into(), &64.into()));
    let text = output("--paper-tables");
    assert_eq!(text.matches("paper's ms").count(), 18, "{text}");
    assert_eq!(run("gcd --paper-tables").status.code(), Some(2));
}

#[test]
fn a_picture_has_a_line_for_each_application() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.svg");
    output(&format!("--svg {}", path.display()));
    let svg = fs::read_to_string(&path).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains("gcd of 10000 and 9000 terms"), "{svg}");
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/model.svg");
    assert!(fs::read_to_string(committed).unwrap() == svg, "draw docs/model.svg anew");
    let again = folder.path().join("again.svg");
    output(&format!("sort -n 1000000 --s 8 --svg {}", again.display()));
    assert!(fs::read_to_string(again).unwrap().contains("radix sort of 1000000 keys"));
}

#[test]
fn wrong_usage_names_value_and_limit() {
    let fails = |arguments: &str, status: i32, expected: &str| {
        let output = run(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.starts_with(&format!("error: {expected}")), "`{expected}` does not begin `{error}`");
        assert_eq!((output.status.code(), error.lines().count()), (Some(status), 1), "{error}");
    };
    fails("gcd --s 512", 2, "gcd with s = 512 takes blocks of 1536 threads; expected at most 1024");
    fails(
        "mul --s 4 --local-words 100",
        2,
        "multiplication with s = 4 takes 2055 words of local memory; expected at most 100",
    );
    fails("divrem -n 5 -m 6", 2, "n is 5; expected m terms or more");
    fails("gcd --transfer 1", 2, "U is 1; expected a number above 1");
    fails("sort --bits 65", 2, "bits is 65; expected 1 to 64");
    fails("gcd --s 0", 2, "s is 0; expected one or more");
    fails("mul --local-words 1", 2, "multiplication: none of the parameters fits the machine");
    fails("gcd --prime 15", 2, "--prime: modulus 15 is composite: expected a prime");
    fails("cube", 2, "invalid value 'cube'");
}
