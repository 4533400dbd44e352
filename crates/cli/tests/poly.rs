//! `limbforge poly` as a user meets it.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::note;
use tempfile::TempDir;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn run(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_limbforge"));
    command.current_dir(folder).arg("poly").args(arguments.split_whitespace()).output().unwrap()
}

fn output(folder: &Path, arguments: &str) -> String {
    let output = run(folder, arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    let said = if arguments.contains("--backend cpu") { "" } else { note() };
    assert_eq!((output.status.code(), error.as_str()), (Some(0), said), "{arguments}");
    String::from_utf8(output.stdout).unwrap()
}

fn fails(folder: &Path, arguments: &str, status: i32, expected: &str) {
    let output = run(folder, arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with(&format!("error: {expected}")), "`{expected}` does not begin `{error}`");
    let lines = (output.status.code(), error.lines().count(), output.stdout.len());
    assert_eq!(lines, (Some(status), 1, 0), "{error}");
}

#[test]
fn products_line_by_line() {
    let folder = folder(&[("a", "1 1\n0x10 0\n0\n"), ("b", "2 1\n\t96  1\n5 5 5\n"), ("one", "3")]);
    let at = folder.path();
    assert_eq!(output(at, "mul --prime 97 --in a --in b"), "2 3 1\n81 16\n0\n");
    assert_eq!(output(at, "mul --prime 97 --in a --in one"), "3 3\n48\n0\n");
    assert_eq!(output(at, "mul --prime 97 --in one --in one --in one"), "27\n");
    assert_eq!(output(at, "mul --prime 3*2^5+1 --in a --in b --in one --out c"), "");
    assert_eq!(fs::read_to_string(at.join("c")).unwrap(), "6 9 3\n49 48\n0\n");
}

#[test]
fn backends() {
    let folder = folder(&[("a", "1 1\n"), ("b", "2 1\n")]);
    let at = folder.path();
    for backend in ["auto", "cpu"] {
        let arguments = format!("mul --prime 97 --in a --in b --backend {backend}");
        assert_eq!(output(at, &arguments), "2 3 1\n");
    }
    let found = run(at, "mul --prime 97 --in a --in b --backend gpu:77");
    let error = String::from_utf8(found.stderr).unwrap();
    assert!(
        found.status.code() == Some(1) && error.starts_with("error: ") && found.stdout.is_empty(),
        "{error}"
    );
    fails(at, "mul --prime 97 --in a --in b --backend tpu", 2, "invalid value 'tpu'");
}

#[test]
fn quotients_and_divisors() {
    let folder = folder(&[("a", "2 3 1\n1 0 1\n"), ("b", "1 1\n2\n"), ("zeros", "0\n0\n")]);
    let at = folder.path();
    assert_eq!(output(at, "divrem --prime 97 --in a --in b"), "2 1\n0\n49 0 49\n0\n");
    assert_eq!(output(at, "divrem --prime 97 --in b --in a"), "0\n1 1\n0\n2\n");
    assert_eq!(output(at, "gcd --prime 97 --in a --in b"), "1 1\n1\n");
    assert_eq!(output(at, "gcd --prime 97 --in a --in zeros"), "2 3 1\n1 0 1\n");
    assert_eq!(output(at, "gcd --prime 97 --in zeros --in zeros"), "0\n0\n");
}

/// More lines than are in memory at once: (x + i)^2 by x + i.
#[test]
fn many_lines() {
    let p = 998_244_353_u64;
    let lines = 3000;
    let squares: String = (1..=lines).map(|i| format!("{} {} 1\n", i * i % p, 2 * i)).collect();
    let roots: String = (1..=lines).map(|i| format!("{i} 1\n")).collect();
    let quotients: String = (1..=lines).map(|i| format!("{i} 1\n0\n")).collect();
    let folder = folder(&[("squares", &squares), ("roots", &roots)]);
    let found = output(folder.path(), "divrem --prime 998244353 --in squares --in roots");
    assert!(found == quotients);
    assert!(output(folder.path(), "gcd --prime 998244353 --in squares --in roots") == roots);
}

#[test]
fn bad_lines_are_named() {
    let folder = folder(&[
        ("a", "1 2 3\n4 5\n6\n"),
        ("range", "1\n2 97 3\n4\n"),
        ("digits", "1\n2 -3\n4\n"),
        ("gap", "1\n\n4\n"),
        ("zero", "1\n2\n0 0\n"),
        ("short", "1\n2\n"),
        ("nought", "0\n"),
        ("empty", ""),
    ]);
    let at = folder.path();
    let mul = |file: &str, why: &str| fails(at, &format!("mul --prime 97 --in a --in {file}"), 1, why);
    mul("range", "range:2: coefficient 1: `97` is not reduced: expected a residue below the modulus 97");
    mul("digits", "digits:2: coefficient 1: `-3`: expected a residue in decimal digits");
    mul("gap", "gap:2: expected coefficients, found an empty line; the polynomial 0 is written 0");
    mul("short", "short:3: expected another polynomial, found the end of the file: a goes on");
    mul("empty", "empty:1: expected at least one polynomial, found none");
    mul("nowhere", "nowhere: cannot open");
    let zero_divisor = "division by the zero polynomial";
    fails(at, "divrem --prime 97 --in a --in zero", 1, &format!("zero:3: {zero_divisor}"));
    fails(at, "divrem --prime 97 --in a --in nought", 1, &format!("nought:1: {zero_divisor}"));
    fails(at, "mul --prime 97 --in a --in range --out c", 1, "range:2: ");
    assert!(!at.join("c").exists());
}

#[test]
fn wrong_usage() {
    let folder = folder(&[("a", "1\n")]);
    let at = folder.path();
    fails(at, "mul --prime 15 --in a --in a", 2, "--prime: modulus 15 is composite: expected a prime (see");
    fails(at, "mul --prime 2 --in a --in a", 2, "--prime: modulus 2: expected an odd prime, 3 or larger");
    fails(at, "mul --prime x --in a --in a", 2, "invalid value 'x'");
    fails(at, "mul --prime 97 --in a", 2, "1 files; expected 2 or more");
    fails(at, "divrem --prime 97 --in a --in a --in a", 2, "3 files; expected 2, each");
}
