//! The commands of docs/ecm.md print what the page says.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::Path;
use std::process::Command;

use ecm::bounds_of;

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ecm.md")).unwrap()
}

#[test]
fn the_page_says_what_is_printed() {
    let page = page();
    let block = page.split("```console\n").nth(1).unwrap().split("```").next().unwrap();
    let examples: Vec<&str> = block.split("$ ecm ").skip(1).collect();
    assert!(examples.len() >= 2, "{block}");
    for example in examples {
        let (command, expected) = example.split_once('\n').unwrap();
        let arguments = command.split(' ').chain(["--backend", "cpu"]);
        let output = Command::new(env!("CARGO_BIN_EXE_ecm")).args(arguments).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{command}");
    }
}

#[test]
fn the_page_has_the_levels() {
    let page = page();
    let table = page.split("## What to expect").nth(1).unwrap();
    for digits in [15, 20, 25, 30, 35, 40] {
        let level = bounds_of(digits).unwrap();
        let start = format!("| {digits} |");
        let row = table.lines().find(|line| line.starts_with(&start)).unwrap().replace(' ', "");
        assert_eq!(row, format!("|{digits}|{}|{}|{}|", level.b1, level.b2, level.curves));
    }
}
