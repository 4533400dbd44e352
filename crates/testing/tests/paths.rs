//! The suites of batches, slices and long products on every path of this machine.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use std::process::Command;

use limbforge_testing::{conformance_evaluation, conformance_slice};

conformance_evaluation!(halves: u32);
conformance_evaluation!(words: u64);
conformance_evaluation!(doubles: u128);
conformance_slice!(slices_of_words: u64);

/// The variables that force paths; a machine that lacks one runs what it has.
const PATHS: [&[(&str, &str)]; 10] = [
    &[("LIMBFORGE_VECTORS", "ifma")],
    &[("LIMBFORGE_VECTORS", "portable")],
    &[("LIMBFORGE_VECTORS", "doubles")],
    &[("LIMBFORGE_VECTORS", "none")],
    &[("LIMBFORGE_VECTORS", "none"), ("LIMBFORGE_TRANSFORMS", "avx2")],
    &[("LIMBFORGE_VECTORS", "none"), ("LIMBFORGE_TRANSFORMS", "none")],
    &[("LIMBFORGE_VECTORS", "none"), ("LIMBFORGE_ROWS", "portable")],
    &[("LIMBFORGE_VECTORS", "none"), ("LIMBFORGE_ROWS", "low_first")],
    &[("LIMBFORGE_VECTORS", "none"), ("LIMBFORGE_ROWS", "high_first")],
    &[("LIMBFORGE_VECTORS", "none"), ("LIMBFORGE_ROWS", "portable"), ("LIMBFORGE_TRANSFORMS", "none")],
];

/// This program again on each path, with a quarter of the random cases.
#[test]
fn every_path_passes_the_suites() {
    let program = std::env::current_exe().unwrap();
    for path in PATHS {
        let mut run = Command::new(&program);
        run.args(["--skip", "every_path"]).envs(path.iter().copied()).env("PROPTEST_CASES", "64");
        let output = run.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && text.contains("test words::side_by_side ... ok"),
            "{path:?}: {text}"
        );
    }
}
