//! `limbforge-lab thresholds` as a user meets it.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::process::{Command, Output};

use limbforge::limb::slice::mul::karatsuba;
use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_limbforge-lab"));
    command.arg("thresholds").args(arguments).output().unwrap()
}

#[test]
fn ladders_by_their_names() {
    let output = run(&["--filter", "low square", "--turns", "1"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(output.status.success() && lines.len() == 3, "{text}");
    assert!(
        lines[0].starts_with("words of 64 bits") && lines[0].ends_with("built-in  measured    loss"),
        "{text}"
    );
    assert!(lines[1].starts_with("low square: schoolbook, short") && lines[1].ends_with(" %"), "{text}");
}

#[test]
fn a_row_has_the_times_of_both_algorithms() {
    let output = run(&["--filter", "wide product: schoolbook", "--turns", "1", "--json", "--commit", "abc"]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["commit"], "abc");
    let row = &value["rows"][0];
    assert_eq!(row["built_in_words"], karatsuba::THRESHOLD);
    let times = row["nanoseconds"].as_array().unwrap();
    assert_eq!((times[0]["words"].as_u64(), times.len()), (Some(12), 16));
    assert!(
        times.iter().all(|time| ["shorter", "longer"].iter().all(|rung| time[rung].as_f64() > Some(0.0)))
    );
}

#[test]
fn a_name_that_no_ladder_has() {
    let output = run(&["--filter", "cube"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("no ladder has `cube` in its name: wide product: schoolbook, Karatsuba; "),
        "{error}"
    );
}
