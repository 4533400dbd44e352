//! `limbforge tune`, and plans by what it has kept.

#![cfg(feature = "gpu")]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use limbforge_needs::needs;
use serde_json::Value;

fn limbforge(cache: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_limbforge"));
    command.args(arguments).env("LIMBFORGE_CACHE", cache);
    command
}

fn output(cache: &Path, arguments: &[&str]) -> Output {
    limbforge(cache, arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// A file of measurements of the made-up GPU: transforms are the fastest at 4096 bits.
const KEPT: &str = r#"{
 "format": 1,
 "devices": [
  {"gpu": "made-up GPU", "driver": "13.0", "limbforge": "VERSION", "measurements": [
   {"expression":"a * b","bits":4096,"limb":"u64","product":"ntt","ms":0.125,"instances":64,"repeats":20,"date":"2026-01-31"},
   {"expression":"a * b","bits":4096,"limb":"u64","product":"tensor","ms":4.5,"instances":64,"repeats":20,"date":"2026-01-31"}
  ]}
 ]
}
"#;

/// The same GPU: tensor cores are the fastest with a mapping that is not the planned one.
const MAPPED: &str = r#"{
 "format": 1,
 "devices": [
  {"gpu": "made-up GPU", "driver": "13.0", "limbforge": "VERSION", "measurements": [
   {"expression":"a * b","bits":4096,"limb":"u64","product":"ntt","ms":0.125,"instances":64,"repeats":20,"date":"2026-01-31"},
   {"expression":"a * b","bits":4096,"limb":"u64","product":"tensor","ms":4.5,"instances":64,"repeats":20,"date":"2026-01-31"},
   {"expression":"a * b","bits":4096,"limb":"u64","product":"tensor","mapping":"together=2 team=1 warps=4","ms":0.0625,"instances":64,"repeats":20,"date":"2026-01-31"}
  ]}
 ]
}
"#;

fn keep(cache: &Path) {
    fs::write(cache.join("tuning.json"), KEPT.replace("VERSION", env!("CARGO_PKG_VERSION"))).unwrap();
}

#[test]
fn what_is_kept_is_shown_and_forgotten() {
    let cache = tempfile::tempdir().unwrap();
    let show = output(cache.path(), &["tune", "--show"]);
    assert!(text(&show.stdout).contains("nothing was measured yet: run `limbforge tune`"));
    keep(cache.path());
    let show = output(cache.path(), &["tune", "--show"]);
    let shown = text(&show.stdout);
    assert!(shown.contains("made-up GPU, driver for CUDA 13.0") && shown.contains("0.1250"), "{shown}");
    let show = output(cache.path(), &["tune", "--show", "--json"]);
    let value: Value = serde_json::from_slice(&show.stdout).unwrap();
    assert_eq!(value["devices"][0]["measurements"][0]["ms"], 0.125);
    let forget = output(cache.path(), &["tune", "--forget"]);
    assert_eq!((forget.status.code(), &*forget.stderr), (Some(0), &b""[..]));
    assert!(!cache.path().join("tuning.json").exists());
    assert!(text(&output(cache.path(), &["tune", "--forget"]).stdout).starts_with("there is no "));
}

#[test]
fn a_damaged_file_is_one_line_that_says_what_to_do() {
    let cache = tempfile::tempdir().unwrap();
    let file = cache.path().join("tuning.json");
    fs::write(&file, "{\"format\": 1, \"devices\": [").unwrap();
    for arguments in [&["tune", "--show"][..], &["tune"]] {
        let output = output(cache.path(), arguments);
        let error = text(&output.stderr);
        assert_eq!((output.status.code(), error.lines().count()), (Some(1), 1), "{error}");
        assert!(error.starts_with(&format!("error: {} is damaged (EOF", file.display())), "{error}");
        assert!(error.contains("`limbforge tune --forget`"), "{error}");
    }
    assert_eq!(output(cache.path(), &["tune", "--forget"]).status.code(), Some(0));
    assert_eq!(output(cache.path(), &["tune", "--show"]).status.code(), Some(0));
}

#[test]
fn wrong_usage() {
    let cache = tempfile::tempdir().unwrap();
    for (arguments, why) in [
        (&["tune", "--ops", "div"][..], "div"),
        (&["tune", "--show", "--forget"], "cannot be used with"),
        (&["tune", "--backend", "cpu"], "expected gpu or gpu:I"),
        (&["tune", "--check", "--show"], "cannot be used with"),
        (&["tune", "--mappings", "0"], "0 is not in 1..=1000"),
        (&["codegen", "a*b", "--bits", "64", "--mapping", "Q=8"], "expected a mapping, words=W instances=I"),
        (&["tune", "--expression", "a*x"], "expected no operands but a, b, c, d, e, f"),
        (&["plan", "a*b", "--bits", "64", "--backend", "gpu", "--arch", "sm_80"], "cannot be used with"),
    ] {
        let output = output(cache.path(), arguments);
        let error = text(&output.stderr);
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
        assert!(error.contains(why), "{error}");
    }
}

/// A driver that is made up of a file of C, so that GPUs can be planned for on machines without one.
#[cfg(target_os = "linux")]
fn made_up_driver(folder: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../gpu/tests/gpu/driver.c");
    let mut compile = Command::new("cc");
    compile.args(["-O1", "-shared", "-fPIC", "-o"]).arg(folder.join("libcuda.so")).arg(source);
    assert!(compile.status().unwrap().success());
}

/// The output and warnings of `limbforge plan x*y`, with a made-up GPU.
#[cfg(target_os = "linux")]
fn plan(folder: &Path, more: &[&str]) -> (String, String) {
    let arguments = [&["plan", "x*y", "--bits", "4096"][..], more].concat();
    let output = limbforge(folder, &arguments).env("LD_LIBRARY_PATH", folder).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    (text(&output.stdout).to_owned(), text(&output.stderr).to_owned())
}

/// The chosen candidate.
#[cfg(target_os = "linux")]
fn chosen(folder: &Path, more: &[&str]) -> Value {
    let value: Value = serde_json::from_str(&plan(folder, &[more, &["--json"]].concat()).0).unwrap();
    value["candidates"][0].clone()
}

#[cfg(target_os = "linux")]
#[needs(cc)]
#[test]
fn plans_take_what_was_measured_on_the_gpu() {
    let folder = tempfile::tempdir().unwrap();
    made_up_driver(folder.path());
    let chosen = |more: &[&str]| chosen(folder.path(), more);
    // Without measurements, as shipped.
    let candidate = chosen(&["--backend", "gpu"]);
    assert_eq!((&candidate["product"], &candidate["tuned_ms"]), (&"tensor".into(), &Value::Null));
    keep(folder.path());
    let candidate = chosen(&["--backend", "gpu:0"]);
    assert_eq!((&candidate["product"], &candidate["tuned_ms"]), (&"ntt".into(), &0.125.into()));
    assert_eq!((&candidate["chosen"], &candidate["basis"]), (&true.into(), &"measured".into()));
    let (explained, _) = plan(folder.path(), &["--backend", "gpu", "--explain"]);
    for part in [
        "on made-up GPU, sm_90\n",
        "tuned ms",
        "measured on this GPU at 4096 bits",
        "36.00 times the chosen one",
    ] {
        assert!(explained.contains(part), "{part}: {explained}");
    }
    // An architecture is no GPU.
    assert_eq!(chosen(&[])["product"], "tensor");
}

/// A mapping that was measured to be faster takes the place of the planned one.
#[cfg(target_os = "linux")]
#[needs(cc)]
#[test]
fn plans_take_measured_mappings_and_say_what_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    made_up_driver(folder.path());
    let mapped = MAPPED.replace("VERSION", env!("CARGO_PKG_VERSION"));
    fs::write(folder.path().join("tuning.json"), mapped).unwrap();
    let candidate = chosen(folder.path(), &["--backend", "gpu"]);
    assert_eq!(
        (&candidate["product"], &candidate["mapping"], &candidate["tuned_ms"]),
        (&"tensor".into(), &"together=2 team=1 warps=4".into(), &0.0625.into())
    );
    assert!(candidate["specs"][0].as_str().unwrap().contains(" plan=4@2w2v4/1of4"), "{candidate}");
    let (explained, _) = plan(folder.path(), &["--backend", "gpu", "--explain"]);
    for part in
        [": 0.8", "together=2 team=1 warps=4: ", ", measured 0.062 ms\n", ", measured 4.500 ms, planned\n"]
    {
        assert!(explained.contains(part), "{part}: {explained}");
    }
    fs::write(folder.path().join("tuning.json"), MAPPED.replace("together=2", "tiles=2")).unwrap();
    let (planned, warning) = plan(folder.path(), &["--backend", "gpu"]);
    assert!(planned.contains("->  tensor  ") && warning.contains("expected a mapping, words=W"), "{warning}");
}

/// A damaged file changes nothing but what is said.
#[cfg(target_os = "linux")]
#[needs(cc)]
#[test]
fn damaged_measurements_and_missing_gpus_are_said() {
    let folder = tempfile::tempdir().unwrap();
    made_up_driver(folder.path());
    fs::write(folder.path().join("tuning.json"), "[").unwrap();
    let (planned, warning) = plan(folder.path(), &["--backend", "gpu"]);
    assert!(planned.contains("->  tensor"), "{planned}");
    assert!(warning.starts_with("warning: ") && warning.contains("is damaged"), "{warning}");
    let no_such = limbforge(folder.path(), &["plan", "a", "--bits", "8", "--backend", "gpu:7"])
        .env("LD_LIBRARY_PATH", folder.path())
        .output()
        .unwrap();
    assert!(text(&no_such.stderr).contains("there is no GPU 7"), "{}", text(&no_such.stderr));
}

/// Kernels are then compiled in every run, which is said where a GPU computes, before anything else.
#[cfg(target_os = "linux")]
#[needs(cc, nvrtc)]
#[test]
fn a_cache_that_others_can_write_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    made_up_driver(folder.path());
    let first_line = |mode: u32| {
        fs::set_permissions(folder.path(), PermissionsExt::from_mode(mode)).unwrap();
        let mut command = limbforge(folder.path(), &["eval", "1", "--bits", "8", "--backend", "gpu"]);
        let output = command.env("LD_LIBRARY_PATH", folder.path()).output().unwrap();
        text(&output.stderr).lines().next().unwrap_or_default().to_owned()
    };
    let line = first_line(0o777);
    assert!(line.starts_with("warning: the kernels in /") && line.contains("`chmod go-w /"), "{line}");
    let line = first_line(0o700);
    assert!(!line.starts_with("warning: "), "{line}");
}
