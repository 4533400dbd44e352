//! The packages that a build is made of: what a feature takes out, and what a program that uses limbforge has
//! to name.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO")).current_dir(ROOT).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What a package needs to run, itself included.
fn needed_by(package: &str, features: &[&str]) -> BTreeSet<String> {
    let tree =
        ["tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none", "--package", package];
    let listed = cargo(&[&tree[..], features].concat());
    listed.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// Bindings of CUDA, the kernels, and what nothing else uses.
const OF_GPUS: [&str; 6] =
    ["bytemuck_derive", "cudarc", "libloading", "limbforge-gpu", "limbforge-kernels-gen", "minijinja"];

#[test]
fn without_the_feature_gpu_nothing_of_gpus_is_built() {
    let needed = needed_by("limbforge", &["--no-default-features"]);
    assert!(needed.contains("limbforge-algos"), "{needed:?}");
    for package in OF_GPUS {
        assert!(!needed.contains(package), "{package} in {needed:?}");
    }
    assert!(needed_by("limbforge", &[]).contains("cudarc"));
}

#[test]
fn no_test_crate_is_in_the_program() {
    let needed = needed_by("limbforge-cli", &[]);
    for package in ["proptest", "limbforge-testing", "limbforge-emulate", "insta"] {
        assert!(!needed.contains(package), "{package} in {needed:?}");
    }
}

/// An example of this repository as a package of its own, which depends on limbforge alone.
#[test]
fn a_program_needs_limbforge_alone() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("limbforge_alone");
    fs::create_dir_all(place.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"alone\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nlimbforge = {{ path = {ROOT:?}, default-features = false }}\n"
    );
    fs::write(place.join("Cargo.toml"), manifest).unwrap();
    fs::copy(Path::new(ROOT).join("Cargo.lock"), place.join("Cargo.lock")).unwrap();
    fs::copy(Path::new(ROOT).join("examples/batch_gcd.rs"), place.join("src/main.rs")).unwrap();
    let (manifest, target) = (place.join("Cargo.toml"), place.join("target"));
    let (manifest, target) = (manifest.to_str().unwrap(), target.to_str().unwrap());
    cargo(&["check", "--offline", "--quiet", "--manifest-path", manifest, "--target-dir", target]);
}

/// The packages that are published, in the order in which they are: each needs those before it.
const PUBLISHED: [&str; 9] = [
    "limbforge-limb",
    "limbforge-arrow",
    "limbforge-field",
    "limbforge-algos",
    "limbforge-kernels-gen",
    "limbforge-gpu",
    "limbforge",
    "limbforge-testing",
    "limbforge-cli",
];

#[test]
fn published_packages_say_what_they_are() {
    let metadata = cargo(&["metadata", "--offline", "--locked", "--no-deps", "--format-version", "1"]);
    let metadata: serde_json::Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let is_published = |package: &&serde_json::Value| package["publish"].is_null();
    let names: BTreeSet<&str> =
        packages.iter().filter(is_published).map(|package| package["name"].as_str().unwrap()).collect();
    assert_eq!(names, PUBLISHED.into());
    for package in packages.iter().filter(is_published) {
        let name = &package["name"];
        for field in ["description", "license", "readme", "documentation", "rust_version"] {
            assert!(package[field].is_string(), "{name}: no {field}");
        }
        assert!(package["metadata"]["docs"]["rs"].is_object(), "{name}: nothing for docs.rs");
        for (field, most) in [("keywords", 5), ("categories", 5)] {
            let entries = package[field].as_array().unwrap();
            assert!((1..=most).contains(&entries.len()), "{name}: {field} {entries:?}");
        }
        // What is needed to build comes by its version; the packages of this repository that tests need, by
        // path alone.
        for dependency in package["dependencies"].as_array().unwrap() {
            let is_ours = dependency["path"].is_string();
            let is_for_tests = dependency["kind"] == "dev";
            assert!(!is_ours || is_for_tests == (dependency["req"] == "*"), "{name}: {dependency}");
        }
    }
}

#[test]
fn published_packages_hold_the_licences_a_readme_and_no_tests() {
    for package in PUBLISHED {
        let listed = cargo(&["package", "--list", "--allow-dirty", "--offline", "--package", package]);
        let files: BTreeSet<&str> = listed.lines().collect();
        for file in ["LICENSE-APACHE", "LICENSE-MIT", "README.md"] {
            assert!(files.contains(file), "{package}: no {file} in {files:?}");
        }
        assert!(!files.iter().any(|file| file.starts_with("tests/")), "{package}: {files:?}");
    }
}
