//! Looks for what tests need, by the searches that the library and the emulator do when they run.

#[path = "build/driver.rs"]
mod driver;

/// Files of the emulator.
#[allow(dead_code, reason = "the emulator uses all of it")]
#[path = "../../kernels-gen/emulate/src"]
mod emulate {
    pub(crate) mod probe;
}

/// Files of the library.
#[allow(unreachable_pub, dead_code, reason = "the library uses all of it")]
#[path = "../gpu/src"]
mod gpu {
    pub(crate) mod pathfinder;
    pub(crate) mod version;
}

use std::env;
use std::process::Command;

use emulate::probe;
use gpu::pathfinder::{self, Environment, LOADER_NAMES};
use gpu::version;

/// Variables that a search depends on, beside those of [`Environment`].
const VARIABLES: [&str; 9] = [
    "CXX",
    "HOME",
    "LD_LIBRARY_PATH",
    "LIMBFORGE_REQUIRE_CXX",
    "LIMBFORGE_REQUIRE_ECM",
    "LIMBFORGE_REQUIRE_GPU",
    "LIMBFORGE_REQUIRE_GPUS",
    "LIMBFORGE_REQUIRE_NVRTC",
    "PATH",
];

fn main() {
    for variable in VARIABLES.into_iter().chain(Environment::VARIABLES) {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let driver = driver::open();
    let gpus = driver.as_ref().map_or(0, driver::devices);
    let found = [
        ("nvrtc", "LIMBFORGE_REQUIRE_NVRTC", has_nvrtc()),
        ("cxx", "LIMBFORGE_REQUIRE_CXX", probe::first(&probe::candidates()).is_some()),
        ("cc", "LIMBFORGE_REQUIRE_CXX", runs("cc")),
        ("gpu", "LIMBFORGE_REQUIRE_GPU", gpus >= 1),
        ("gpus", "LIMBFORGE_REQUIRE_GPUS", gpus >= 2),
        ("no_driver", "", driver.is_none()),
        ("bash", "", runs("bash")),
        ("groff", "", runs("groff")),
        ("gmp_ecm", "LIMBFORGE_REQUIRE_ECM", is_gmp_ecm()),
    ];
    for (name, required, found) in found {
        println!("cargo::rustc-check-cfg=cfg(has_{name})");
        // What is required and missing is an error of the test, not a test that is ignored.
        if found || env::var_os(required).is_some() {
            println!("cargo::rustc-cfg=has_{name}");
        }
    }
}

/// Whether a test may expect an nvrtc. One that a variable names wrongly, or that does not work, is an error
/// of the test.
fn has_nvrtc() -> bool {
    let search = pathfinder::search(&Environment::current());
    for found in &search.found {
        println!("cargo::rerun-if-changed={}", found.library.display());
    }
    search.explicit.is_some() || !search.found.is_empty() || LOADER_NAMES.iter().copied().any(driver::loads)
}

/// Whether `ecm` is GMP-ECM: another program may have the name.
fn is_gmp_ecm() -> bool {
    let output = Command::new("ecm").arg("-printconfig").output();
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("GMP"))
}

/// Whether a program is installed that says its version.
fn runs(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}
