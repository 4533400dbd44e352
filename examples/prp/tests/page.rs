//! The commands of docs/prp.md print what the page says.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_page_says_what_is_printed() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/prp.md");
    let page = fs::read_to_string(page).unwrap();
    let block = page.split("```console\n").nth(1).unwrap().split("```").next().unwrap();
    let examples: Vec<&str> = block.split("$ prp ").skip(1).collect();
    assert!(examples.len() >= 4, "{block}");
    for example in examples {
        let (command, expected) = example.split_once('\n').unwrap();
        let arguments = command.split(' ').chain(["--backend", "cpu"]);
        let output = Command::new(env!("CARGO_BIN_EXE_prp")).args(arguments).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{command}");
    }
}
