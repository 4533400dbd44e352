//! `limbforge selftest`, `bench` and `tune` where there is no GPU: their words and their status.

#![cfg(feature = "gpu")]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::process::Command;

/// Standard error and status of a run that must print nothing else.
fn fails(arguments: &[&str]) -> (String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_limbforge"));
    // Where a driver is, no GPU is visible.
    let output = command.args(arguments).env("CUDA_VISIBLE_DEVICES", "").output().unwrap();
    assert_eq!(output.stdout.len(), 0, "{arguments:?}");
    (String::from_utf8(output.stderr).unwrap(), output.status.code())
}

#[test]
fn without_a_gpu_one_line_says_what_to_do() {
    let runs: [&[&str]; 7] = [
        &["selftest"],
        // A product by transforms.
        &["selftest", "--filter", "mul u32 u131 ntt", "--small"],
        &["selftest", "--small", "--json", "--backend", "gpu:1", "--filter", "mul u64"],
        &["bench", "add", "--bits", "9..10,131", "--csv"],
        &["bench", "mul-classical", "--limb", "u32,u128", "--json", "--out", "not-written.json"],
        &["tune", "--ops", "mul"],
        &["plan", "a*b", "--bits", "64", "--backend", "gpu"],
    ];
    for arguments in runs {
        let (error, status) = fails(arguments);
        assert_eq!((status, error.lines().count()), (Some(1), 1), "{arguments:?}: {error}");
        assert!(error.starts_with("error: NVIDIA's driver "), "{arguments:?}: {error}");
        assert!(error.contains("use the CPU backend"), "{arguments:?}: {error}");
    }
    assert!(!std::path::Path::new("not-written.json").exists());
}

#[test]
fn wrong_usage() {
    let runs: [(&[&str], &str); 7] = [
        (&["selftest", "--backend", "cpu"], "expected gpu or gpu:I"),
        (&["selftest", "--backend", "gpu:x"], "expected gpu or gpu:I"),
        (&["bench"], "WHAT"),
        (&["bench", "division"], "possible values: add, mul, poly, fused, mul-classical"),
        (&["bench", "add", "--bits", "9..99"], "`9..99`: expected I..J"),
        (&["bench", "add", "--csv", "--json"], "cannot be used with"),
        (&["bench", "add", "--repeats", "0"], "0 is not in 1..=10000"),
    ];
    for (arguments, words) in runs {
        let (error, status) = fails(arguments);
        assert_eq!((status, error.lines().count()), (Some(2), 1), "{arguments:?}: {error}");
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
}

#[test]
fn a_filter_that_nothing_has() {
    let (error, status) = fails(&["selftest", "--filter", "no such kernel"]);
    let text = "error: no kernel of the selftest has `no such kernel` in its name: expected a part, as in `mul u64 \
                u4096`\n";
    assert_eq!((error.as_str(), status), (text, Some(1)));
}
