//! The paths that the pages on the architecture name exist.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::{Path, PathBuf};

/// Folders at the root of the repository; a word of a page that begins with one is a path.
const FOLDERS: [&str; 8] =
    [".ci/", "benches/", "crates/", "docs/", "examples/", "kernels-gen/", "src/", "tests/"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The paths of a page. `NAME` in one stands for any name.
fn paths(page: &str) -> Vec<String> {
    let is_separator = |c: char| !c.is_ascii_alphanumeric() && !"_./{},-".contains(c);
    let words = page.split(is_separator).map(|word| word.trim_end_matches(['.', ',', '/']));
    let is_path = |word: &&str| FOLDERS.iter().any(|folder| word.starts_with(folder));
    words.filter(is_path).filter(|word| !word.contains("NAME")).flat_map(alternatives).collect()
}

/// `a{b,c}d` as `abd` and `acd`.
fn alternatives(word: &str) -> Vec<String> {
    match word.split_once('{').and_then(|(head, rest)| Some((head, rest.split_once('}')?))) {
        Some((head, (choices, tail))) => {
            choices.split(',').flat_map(|choice| alternatives(&format!("{head}{choice}{tail}"))).collect()
        }
        None => vec![word.to_owned()],
    }
}

fn missing(page: &str) -> Vec<String> {
    paths(page).into_iter().filter(|path| !root().join(path).exists()).collect()
}

#[test]
fn every_path_of_the_architecture_exists() {
    for page in ["docs/architecture.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root().join(page)).unwrap();
        assert!(paths(&text).len() > 30, "{page} names files");
        assert_eq!(missing(&text), Vec::<String>::new(), "{page}");
    }
}

#[test]
fn a_wrong_path_is_found() {
    let page = "`src/lib.rs`, docs/{README,nowhere}.md, crates/NAME and (kernels-gen/src/gone.rs).";
    assert_eq!(missing(page), ["docs/nowhere.md", "kernels-gen/src/gone.rs"]);
}
