//! `limbforge selftest` and `tune` where there is no GPU: their words and their status.

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
    let runs: [&[&str]; 5] = [
        &["selftest"],
        // A product by transforms.
        &["selftest", "--filter", "mul u32 u131 ntt", "--small"],
        &["selftest", "--small", "--json", "--backend", "gpu:1", "--filter", "mul u64"],
        &["tune", "--ops", "mul"],
        &["plan", "a*b", "--bits", "64", "--backend", "gpu"],
    ];
    for arguments in runs {
        let (error, status) = fails(arguments);
        assert_eq!((status, error.lines().count()), (Some(1), 1), "{arguments:?}: {error}");
        assert!(error.starts_with("error: NVIDIA's driver "), "{arguments:?}: {error}");
        assert!(error.contains("use the CPU backend"), "{arguments:?}: {error}");
    }
}

#[test]
fn wrong_usage() {
    let runs: [(&[&str], &str); 5] = [
        (&["selftest", "--compile", "sm_17"], "`--compile sm_17`: expected one of sm_75"),
        (&["selftest", "--compile", "sm_90", "--backend", "gpu"], "cannot be used with"),
        (&["selftest", "--random", "-1"], "unexpected argument '-1'"),
        (&["selftest", "--backend", "cpu"], "expected gpu or gpu:I"),
        (&["selftest", "--backend", "gpu:x"], "expected gpu or gpu:I"),
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

/// Without a GPU, where nvrtc is. The same seed has the same expressions.
#[test]
fn random_expressions_compile_without_a_gpu() {
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_limbforge"));
        command.args(["selftest", "--compile", "sm_90", "--seed", "7"]).args(more);
        command.env("CUDA_VISIBLE_DEVICES", "").output().unwrap()
    };
    let output = run(&["--random", "6", "--filter", " u71"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8(output.stderr).unwrap().starts_with("error: no kernel of the selftest has ` u71`")
    );

    let output = run(&["--random", "4"]);
    let error = String::from_utf8(output.stderr).unwrap();
    if std::env::var_os("LIMBFORGE_REQUIRE_NVRTC").is_none() && error.contains("nvrtc") {
        return eprintln!("skipped: {error}");
    }
    assert_eq!((error.as_str(), output.status.code()), ("", Some(0)));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("sm_90; nvrtc ") && text.contains("; seed 7\n"), "{text}");
    assert!(text.ends_with(" refused by a documented limit, 0 failed\n"), "{text}");
    assert!(text.contains("\n4 expressions: "), "{text}");
    let json = run(&["--random", "1", "--json", "--threads", "1"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((&json["arch"], &json["seed"]), (&"sm_90".into(), &7.into()));
    assert_eq!((&json["expressions"], &json["failures"]), (&1.into(), &serde_json::json!([])));
}
