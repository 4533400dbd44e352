//! Engines on a driver that is compiled from `crates/gpu/tests/gpu/driver.c`: what is done wrong, and what is
//! left behind, on machines without a GPU. Its kernels add words of 32 bits.
#![cfg(all(feature = "gpu", target_os = "linux"))]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

#[path = "made_up/foreign.rs"]
mod foreign;
#[path = "made_up/leaks.rs"]
mod leaks;
#[path = "made_up/pinned.rs"]
mod pinned;
#[path = "made_up/programs.rs"]
mod programs;
#[path = "made_up/refusals.rs"]
mod refusals;

use std::path::Path;
use std::process::Command;

use limbforge::prelude::*;
use limbforge_needs::needs;

fn ty(text: &str) -> IntType {
    text.parse().unwrap()
}

/// Words of 32 bits as integers.
fn words(values: &[u32]) -> Batch<u32> {
    Batch::from_limbs(ty("u32"), Layout::InstanceMajor, values.to_vec()).unwrap()
}

/// The only expression that the made-up driver computes.
fn sum(engine: &Engine) -> Prepared<u32> {
    engine.prepare(&Expr::parse("a + b").unwrap(), ty("u32"), &Placement::default()).unwrap()
}

/// Runs tests again, in another process, on the made-up driver.
fn again(filter: &str, variables: &[(&str, &str)]) {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/gpu/tests/gpu/driver.c");
    let mut compile = Command::new("cc");
    compile.args(["-O1", "-shared", "-fPIC", "-pthread", "-DENTRY=\"limbforge_kernel\"", "-o"]);
    assert!(compile.arg(folder.path().join("libcuda.so")).arg(source).status().unwrap().success());
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([filter, "--ignored"]).env("LD_LIBRARY_PATH", folder.path());
    command.env("LIMBFORGE_CACHE", folder.path().join("cache")).envs(variables.iter().copied());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let ran = text.contains("test result: ok") && !text.contains("ok. 0 passed");
    assert!(output.status.success() && ran, "{variables:?}\n{text}");
}

#[needs(cc, nvrtc)]
#[test]
fn on_a_made_up_driver() {
    again("pinned::", &[]);
    again("pinned::too_little", &[("FAKE_PINNED", "23068672")]);
    again("foreign::", &[]);
    again("foreign::", &[("FAKE_POOLS", "0")]);
    again("leaks::", &[]);
    again("leaks::", &[("FAKE_POOLS", "0")]);
    again("refusals::", &[("FAKE_DEVICES", "2")]);
    for devices in ["1", "8"] {
        again("programs::", &[("FAKE_DEVICES", devices), ("FAKE_PROGRAM", "1"), ("FAKE_SLOW", "100")]);
    }
}
