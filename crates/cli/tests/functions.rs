//! `limbforge functions` as a user meets it.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::process::{Command, Output};

use limbforge::algos::expr::operations;
use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_limbforge")).arg("functions").args(arguments).output().unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_table_has_every_operation_with_an_example_and_marks() {
    let table = stdout(&[]);
    for row in operations() {
        let line = table.lines().position(|line| line.starts_with(&format!("  {} ", row.signature())));
        let lines: Vec<&str> =
            table.lines().skip(line.unwrap_or_else(|| panic!("no {}", row.name))).take(2).collect();
        assert!(
            lines[0].contains(row.summary) && lines[1].trim() == row.examples[0].to_string(),
            "{lines:?}"
        );
        for (why, _) in row.failures {
            assert!(lines[0].contains(&format!("!{}", why.mark())), "{lines:?}");
        }
    }
    assert!(table.lines().all(|line| line.chars().count() <= 140));
}

#[test]
fn a_name_has_its_entry() {
    let entry = stdout(&["powmod"]);
    for part in [
        "powmod(a, exponent, m)\n  a^exponent mod |m|\n",
        "Fails     !NEGATIVE where exponent < 0, else !DIV0 where m = 0\n",
        "powmod(3, 100, 7) -> 4\n",
        "powmod(1, -1, 0) -> !NEGATIVE (i64)\n",
        "Page      docs/powmod.md\n",
    ] {
        assert!(entry.contains(part), "{part}:\n{entry}");
    }
    assert!(stdout(&["<<"]).starts_with("a << n\n"));
    let amounts = "Operands  a, b: integers of one type, uN or iN\n          start, length: integers of the type, or written \
                   numbers of any size and sign\n";
    assert!(stdout(&["insert"]).contains(amounts), "{}", stdout(&["insert"]));
    assert!(stdout(&["**"]).contains("\n          exponent: a number, or a power of numbers\n"));
    assert!(stdout(&["jacobi"]).contains("Operands  a, n: integers of one type, uN or iN\nResult"));
    assert_eq!(stdout(&["-"]).matches("Operands").count(), 2);
    let output = run(&["gdc"]);
    let error =
        "error: unknown operator or function `gdc`: did you mean `gcd`? (see `limbforge functions --help`)\n";
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(2), error));
}

#[test]
fn json_is_an_object_for_each_operation() {
    let all: Value = serde_json::from_str(&stdout(&["--json"])).unwrap();
    assert_eq!(all.as_array().unwrap().len(), operations().count());
    let one: Value = serde_json::from_str(&stdout(&["root", "--json"])).unwrap();
    assert_eq!(one[0]["failures"][0]["mark"], "DEGREE");
    assert_eq!(one[0]["failures"][1]["where"], "a < 0 and k is even");
    assert_eq!(one[0]["examples"][0]["value"], "10");
}

/// Pages that rows refer to are there.
#[test]
fn pages_exist() {
    for row in operations() {
        let page = format!("{}/../../docs/{}.md", env!("CARGO_MANIFEST_DIR"), row.page);
        assert!(std::path::Path::new(&page).is_file(), "{page}");
    }
}
