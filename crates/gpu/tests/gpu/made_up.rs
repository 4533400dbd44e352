//! The tests of this program again, in another process, on a driver that is compiled from `driver.c`.

use std::path::{Path, PathBuf};
use std::process::Command;

use limbforge_gpu::devices;
use limbforge_needs::needs;

use super::{add, open, words};

#[ignore = "on_a_made_up_driver runs it"]
#[test]
fn expected_error() {
    let Ok(expected) = std::env::var("EXPECTED_ERROR") else { return };
    let outcome = devices().map(drop).and_then(|()| {
        let (device, compiler) = open()?;
        device.load_kernel(&compiler, &add(), words()).map(drop)
    });
    let error = outcome.unwrap_err().to_string();
    assert!(error.contains(&expected), "{error}");
}

/// Compiles `gpu/driver.c` into the folder.
fn driver(folder: &Path, options: &[&str]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gpu/driver.c");
    let mut compile = Command::new("cc");
    compile
        .args(["-O1", "-shared", "-fPIC", "-pthread", "-o"])
        .arg(folder.join("libcuda.so"))
        .arg(source)
        .args(options);
    assert!(compile.status().unwrap().success());
    folder.to_owned()
}

/// Runs tests of this file that have `filter` in their names in another process, on a made-up driver.
fn again(driver: &Path, filter: &str, variables: &[(&str, &str)]) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    // What is ignored for want of a GPU, too.
    command.args([filter, "--include-ignored", "--skip", "on_a_made_up_driver"]);
    let output = command.env("LD_LIBRARY_PATH", driver).envs(variables.iter().copied()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{variables:?}\n{text}");
}

#[cfg(target_os = "linux")]
#[needs(cc)]
#[test]
fn on_a_made_up_driver_without_nvrtc() {
    let folder = tempfile::tempdir().unwrap();
    let old = driver(folder.path(), &["-DOLD"]);
    again(
        &old,
        "expected_error",
        &[("EXPECTED_ERROR", "has no function cuMemGetInfo_v2: install a newer driver")],
    );
    let driver = driver(folder.path(), &[]);
    let none = [("FAKE_DEVICES", "0"), ("EXPECTED_ERROR", "NVIDIA's driver finds no GPU")];
    again(&driver, "expected_error", &none);
    again(&driver, "too_much_memory", &[]);
}

#[cfg(target_os = "linux")]
#[needs(cc, nvrtc)]
#[test]
fn on_a_made_up_driver() {
    let folder = tempfile::tempdir().unwrap();
    let driver = driver(folder.path(), &[]);
    again(&driver, "", &[]);
    again(&driver, "a_kernel_on", &[("FAKE_POOLS", "0")]);
    again(&driver, "a_kernel_on", &[("FAKE_REFUSE", "cubin")]);
    again(&driver, "several_devices_is", &[("FAKE_DEVICES", "2")]);
    again(&driver, "copies_that_nobody_waits_for", &[("FAKE_BUSY", "1")]);
    for devices in ["2", "3"] {
        again(&driver, "several_devices", &[("FAKE_DEVICES", devices)]);
        for fail in ["1:0", "1:1", "1:2"] {
            again(&driver, "several_devices", &[("FAKE_DEVICES", devices), ("FAKE_FAIL", fail)]);
        }
    }
    again(&driver, "several_devices", &[("FAKE_FAIL", "0:2")]);
    for times_as_slow in ["1", "2", "3"] {
        again(&driver, "shares_are", &[("FAKE_DEVICES", "8"), ("FAKE_CLOCK", times_as_slow)]);
    }
    let none = [("FAKE_REFUSE", "all"), ("EXPECTED_ERROR", "update the driver, or install an nvrtc")];
    again(&driver, "expected_error", &none);
}
