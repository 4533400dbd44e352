//! `limbforge warm` as a user meets it.

#![cfg(feature = "gpu")]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use limbforge_needs::needs;
use serde_json::Value;

/// The program with a cache of its own.
fn limbforge(cache: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_limbforge"));
    command.args(arguments).env("LIMBFORGE_CACHE", cache);
    command
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn succeeds(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert_eq!((status.code(), text(&stderr)), (Some(0), ""), "{command:?}");
    text(&stdout).to_owned()
}

fn fails(command: &mut Command, status: i32, why: &str) {
    let output = command.output().unwrap();
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(status), 0), "{command:?}: {error}");
    assert!(error.starts_with("error: ") && error.contains(why), "`{why}` is not in `{error}`");
}

fn warm(cache: &Path, arguments: &[&str]) -> Value {
    let arguments = [&["warm", "--arch", "sm_90", "--json"], arguments].concat();
    serde_json::from_str(&succeeds(&mut limbforge(cache, &arguments))).unwrap()
}

/// Of each kernel, whether it was compiled.
fn compiled(report: &Value) -> Vec<bool> {
    report["kernels"].as_array().unwrap().iter().map(|kernel| kernel["compiled"].as_bool().unwrap()).collect()
}

fn entries(cache: &Path) -> usize {
    let is_entry = |entry: &fs::DirEntry| entry.path().extension().is_some_and(|kind| kind == "kernel");
    fs::read_dir(cache).unwrap().filter(|entry| is_entry(entry.as_ref().unwrap())).count()
}

#[needs(nvrtc)]
#[test]
fn a_second_run_compiles_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // Products of 131072 bits go through several kernels.
    let arguments = ["a + b", "a*b", "--bits", "96,131072"];
    let first = warm(folder.path(), &arguments);
    let kernels = compiled(&first).len();
    assert!(kernels > 4 && compiled(&first).iter().all(|&compiled| compiled), "{first:#}");
    assert_eq!((entries(folder.path()), first["cache"].as_str()), (kernels, folder.path().to_str()));
    let second = warm(folder.path(), &arguments);
    assert_eq!(compiled(&second), vec![false; kernels]);
    let numbers = |of: &str| -> Vec<u64> {
        let of_it = |kernel: &&Value| kernel["type"] == "u131072" && kernel["expression"] == of;
        second["kernels"]
            .as_array()
            .unwrap()
            .iter()
            .filter(of_it)
            .map(|k| k["kernel"].as_u64().unwrap())
            .collect()
    };
    assert_eq!((numbers("a + b"), numbers("a*b")), (vec![1], (1..=kernels as u64 - 3).collect()));
    // Lines in place of JSON.
    let lines =
        succeeds(&mut limbforge(folder.path(), &["warm", "a + b", "--bits", "96,97", "--arch", "sm_90a"]));
    let lines: Vec<&str> = lines.lines().collect();
    let [kernels @ .., last] = &*lines else { panic!("no lines") };
    assert!(kernels.contains(&"   cached  sm_90a  u96  a + b") && kernels.len() == 2, "{kernels:?}");
    assert!(last.contains(": 1 compiled by nvrtc ") && last.ends_with(" s, 1 cached"), "{last}");
}

#[needs(nvrtc)]
#[test]
fn names_of_operands_do_not_matter_but_all_else_does() {
    let folder = tempfile::tempdir().unwrap();
    let compiles = |arguments: &[&str]| compiled(&warm(folder.path(), arguments));
    assert_eq!(compiles(&["a - b", "--bits", "64"]), [true]);
    assert_eq!(compiles(&["x - y", "y - x", "b - a", "--bits", "64"]), [false, false, false]);
    assert_eq!(compiles(&["a - b", "--bits", "63", "--signed"]), [true]);
    assert_eq!(compiles(&["a - b", "--bits", "64", "--limb", "u32"]), [true]);
    assert_eq!(compiles(&["a - b", "--bits", "64", "--broadcast", "b"]), [true]);
    assert_eq!(compiles(&["a - a + b", "--bits", "64"]), [true]);
}

/// A damaged entry is no kernel.
#[needs(nvrtc)]
#[test]
fn what_is_damaged_is_compiled_again() {
    let folder = tempfile::tempdir().unwrap();
    warm(folder.path(), &["~a", "--bits", "64"]);
    let entry = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    fs::write(&entry, "limbforge-kernel 2 cubin").unwrap();
    assert_eq!(compiled(&warm(folder.path(), &["~a", "--bits", "64"])), [true]);
    assert_eq!(compiled(&warm(folder.path(), &["~a", "--bits", "64"])), [false]);
}

#[needs(nvrtc)]
#[test]
fn all_operations() {
    let folder = tempfile::tempdir().unwrap();
    let report = warm(folder.path(), &["--all", "--bits", "32"]);
    let has =
        |text: &str| report["kernels"].as_array().unwrap().iter().any(|kernel| kernel["expression"] == text);
    assert!(has("gcd(a, b)") && has("is_prime(n)") && has("a ** 5") && has("a / b"), "{report:#}");
    assert!(entries(folder.path()) >= 46 && report["refused"].as_array().unwrap().is_empty());
}

#[needs(nvrtc)]
#[test]
fn wrong_usage_and_what_has_no_kernel() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], i32, &str); 9] = [
        (&["gdc(a, b)", "--bits", "64", "--arch", "sm_90"], 1, "did you mean `gcd`?"),
        (&["a", "--arch", "sm_90"], 2, "--bits <N,...>"),
        (&["--bits", "64"], 2, "<EXPR>..."),
        (&["a", "--all", "--bits", "64"], 2, "cannot be used with"),
        (&["a", "--bits", "64", "--backend", "cpu"], 2, "expected gpu, gpu:I, as in gpu:1, or gpus"),
        (&["a", "--bits", "64", "--arch", "sm_20"], 2, "expected one of sm_75"),
        (&["a", "--bits", "64,0", "--arch", "sm_90"], 2, "expected a number from 1 to 16777216"),
        (&["a", "--bits", "64", "--arch", "sm_90", "--broadcast", "b"], 2, "no expression uses `b`"),
        (&["powmod(a, b, c)", "--bits", "131072", "--arch", "sm_90"], 1, "no kernel: "),
    ];
    for (arguments, status, why) in cases {
        fails(&mut limbforge(folder.path(), &[&["warm"], arguments].concat()), status, why);
    }
    assert_eq!(entries(folder.path()), 0);
    // A file in place of the folder.
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let arguments = ["warm", "a", "--bits", "64", "--arch", "sm_90"];
    fails(&mut limbforge(&file, &arguments), 1, "set LIMBFORGE_CACHE to a folder that can be written");
}

#[needs(nvrtc, no_driver)]
#[test]
fn without_a_gpu_an_architecture_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    fails(&mut limbforge(folder.path(), &["warm", "a", "--bits", "64"]), 1, "driver");
}

/// An evaluation loads what was compiled for the device, and compiles nothing. The made-up device computes sums
/// of words.
#[cfg(target_os = "linux")]
#[needs(nvrtc, cc)]
#[test]
fn evaluations_find_the_kernels() {
    let folder = tempfile::tempdir().unwrap();
    let (path, cache) = (folder.path(), folder.path().join("cache"));
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("../gpu/tests/gpu/driver.c");
    let mut compile = Command::new("cc");
    compile.args(["-O1", "-shared", "-fPIC", "-DENTRY=\"limbforge_kernel\"", "-o"]);
    assert!(compile.arg(path.join("libcuda.so")).arg(driver).status().unwrap().success());
    let run = |arguments: &[&str]| {
        succeeds(limbforge(&cache, arguments).current_dir(path).env("LD_LIBRARY_PATH", path))
    };
    for (name, numbers) in [("a", "1\n2\n3\n"), ("b", "4\n5\n6\n")] {
        fs::write(path.join(name), numbers).unwrap();
    }
    let eval = |bits: &str| {
        let files = ["--in", "x=a", "--in", "y=b"];
        run(&[&["eval", "x + y", "--bits", bits, "--limb", "u32", "--backend", "gpu"], &files[..]].concat())
    };
    run(&["warm", "a + b", "--bits", "32", "--limb", "u32", "--backend", "gpu"]);
    assert_eq!(entries(&cache), 1);
    assert_eq!((eval("32"), entries(&cache)), ("5\n7\n9\n".to_owned(), 1));
    // Another kernel is none of these.
    assert_eq!((eval("31"), entries(&cache)), ("5\n7\n9\n".to_owned(), 2));
}
