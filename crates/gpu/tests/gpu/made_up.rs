//! The tests of this program again, in another process, on a driver that is compiled from `driver.c`.

use std::path::{Path, PathBuf};
use std::process::Command;

use limbforge_gpu::{GpuError, Nvrtc, devices};

use super::{add, gpu, words};

#[test]
fn expected_error() {
    let Ok(expected) = std::env::var("EXPECTED_ERROR") else { return };
    let outcome = devices().map(drop).and_then(|()| {
        let (device, compiler) = gpu().ok_or(GpuError::NoDevice)?;
        device.load(&compiler, &add(), &words()).map(drop)
    });
    let error = outcome.unwrap_err().to_string();
    assert!(error.contains(&expected), "{error}");
}

/// Compiles `gpu/driver.c` into the folder; None without a C compiler.
fn driver(folder: &Path, options: &[&str]) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gpu/driver.c");
    let mut compile = Command::new("cc");
    compile.args(["-O1", "-shared", "-fPIC", "-o"]).arg(folder.join("libcuda.so")).arg(source).args(options);
    compile.status().is_ok_and(|status| status.success()).then(|| folder.to_owned())
}

/// Runs tests of this file that have `filter` in their names in another process, on a made-up driver.
fn again(driver: &Path, filter: &str, variables: &[(&str, &str)]) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([filter, "--skip", "on_a_made_up_driver"]).env("LD_LIBRARY_PATH", driver);
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{variables:?}\n{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_made_up_driver() {
    let folder = tempfile::tempdir().unwrap();
    let Some(old) = driver(folder.path(), &["-DOLD"]) else {
        println!("skipped: no C compiler");
        return;
    };
    again(
        &old,
        "expected_error",
        &[("EXPECTED_ERROR", "has no function cuMemGetInfo_v2: install a newer driver")],
    );
    let driver = driver(folder.path(), &[]).unwrap();
    let none = [("FAKE_DEVICES", "0"), ("EXPECTED_ERROR", "NVIDIA's driver finds no GPU")];
    again(&driver, "expected_error", &none);
    again(&driver, "too_much_memory", &[]);
    if let Err(error) = Nvrtc::find(None) {
        println!("skipped: {error}");
        return;
    }
    let required = ("LIMBFORGE_REQUIRE_GPU", "1");
    again(&driver, "", &[required]);
    again(&driver, "a_kernel_on", &[required, ("FAKE_REFUSE", "cubin")]);
    let none =
        [required, ("FAKE_REFUSE", "all"), ("EXPECTED_ERROR", "update the driver, or install an nvrtc")];
    again(&driver, "expected_error", &none);
}
