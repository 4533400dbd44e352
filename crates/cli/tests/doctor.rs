//! `limbforge doctor` as a user meets it, with or without a GPU.

#![cfg(feature = "gpu")]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// Standard output of a run that must succeed silently, without nvrtc and with this cache folder.
fn doctor(arguments: &[&str], cache: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_limbforge"));
    command.arg("doctor").args(arguments);
    let output =
        command.env("LIMBFORGE_NVRTC", "/nowhere/nvrtc").env("LIMBFORGE_CACHE", cache).output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_is_missing_is_said_and_the_cpu_works() {
    let folder = TempDir::new().unwrap();
    let text = doctor(&[], folder.path());
    for part in [
        "driver: ",
        "nvrtc: none; looked in\n  /nowhere/nvrtc",
        "compile cache: ",
        "to do: LIMBFORGE_NVRTC is",
    ] {
        assert!(text.contains(part), "`{part}` is not in `{text}`");
    }
    let last = text.lines().last().unwrap();
    assert_eq!(last, "the CPU backend works; GPUs need what is to do above");
    assert_eq!(text.matches("LIMBFORGE_NVRTC is /nowhere/nvrtc").count(), 1, "{text}");
}

#[test]
fn json_has_the_documented_keys() {
    let folder = TempDir::new().unwrap();
    let report: Value = serde_json::from_str(&doctor(&["--json"], folder.path())).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&report), "advice cache devices driver nvrtc ready tuning");
    assert_eq!(keys(&report["driver"]), "cuda error");
    assert_eq!(keys(&report["devices"]), "error list");
    assert_eq!(keys(&report["nvrtc"]), "architectures error found looked path version");
    assert_eq!(keys(&report["tuning"]), "file measurements problem");
    assert_eq!(report["ready"], Value::Bool(false));
    assert_eq!(report["nvrtc"]["looked"][0].as_str(), Some("/nowhere/nvrtc"));
    assert!(report["nvrtc"]["error"].as_str().unwrap().contains("no libnvrtc"), "{report}");
    assert_eq!(report["cache"]["folder"].as_str(), folder.path().to_str());
    assert!(report["cache"]["problem"].is_null() && !report["advice"].as_array().unwrap().is_empty());
}

#[test]
fn measurements_are_counted_and_a_damaged_file_is_advice() {
    let folder = TempDir::new().unwrap();
    assert!(doctor(&[], folder.path()).contains("measurements: none; `limbforge tune`"));
    let file = folder.path().join("tuning.json");
    let time = r#"{"expression":"a","bits":8,"limb":"u32","product":"ntt","ms":1,"instances":1,"repeats":1,"date":""}"#;
    let device = format!(r#"{{"gpu":"","driver":"","limbforge":"","measurements":[{time}]}}"#);
    std::fs::write(&file, format!(r#"{{"format":1,"devices":[{device}]}}"#)).unwrap();
    assert!(doctor(&[], folder.path()).contains("measurements: 1\n"));
    std::fs::write(&file, "x").unwrap();
    let text = doctor(&[], folder.path());
    assert!(
        text.contains("measurements: cannot be used\n") && text.contains("limbforge tune --forget"),
        "{text}"
    );
}

#[test]
fn a_cache_that_cannot_be_used_is_advice() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let text = doctor(&[], &folder.path().join("file/cache"));
    assert!(text.contains("which cannot be used") && text.contains("set LIMBFORGE_CACHE"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_cache_that_others_can_write_is_advice() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o777)).unwrap();
    let text = doctor(&[], folder.path());
    assert!(text.contains("which cannot be used") && text.contains("`chmod go-w /"), "{text}");
}
