//! Folders where nvrtc may be, and the names of its files.

use std::fs;
use std::path::{Path, PathBuf};

use super::Environment;

/// Folders of libraries below a toolkit or a conda environment.
const IN_TOOLKIT: [&str; 7] =
    ["", "lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "bin", "bin/x64"];

/// Folders of NVIDIA's wheels below `site-packages`: CUDA 13 first, then CUDA 12.
const IN_SITE_PACKAGES: [&str; 4] =
    ["nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib", "nvidia/cu13/bin/x86_64", "nvidia/cuda_nvrtc/bin"];

/// All folders to look in unless the user names one, nearest to the user first.
pub(super) fn usual(environment: &Environment) -> Vec<PathBuf> {
    let mut folders = vec![];
    for name in ["CUDA_HOME", "CUDA_PATH"] {
        folders.extend(environment.variable(name).into_iter().flat_map(of_toolkit));
    }
    if let Some(conda) = environment.variable("CONDA_PREFIX") {
        folders.extend(of_toolkit(conda));
        folders.extend(of_python(conda));
    }
    folders.extend(environment.variable("VIRTUAL_ENV").into_iter().flat_map(of_python));
    for parent in ["usr/local", "opt"] {
        folders.extend(
            children(&environment.root.join(parent), "cuda").iter().flat_map(|cuda| of_toolkit(cuda)),
        );
    }
    folders.extend(environment.home.iter().flat_map(|home| of_python(&home.join(".local"))));
    for prefix in ["usr/local", "usr", "opt/conda"] {
        folders.extend(of_python(&environment.root.join(prefix)));
    }
    if let Some(beside) = environment.executable.as_deref().and_then(Path::parent) {
        folders.push(beside.to_owned());
        folders.extend(beside.parent().map(|parent| parent.join("lib")));
    }
    folders
}

/// The folders of a toolkit that may hold libraries.
pub(super) fn of_toolkit(toolkit: &Path) -> Vec<PathBuf> {
    let join = |part: &&str| if part.is_empty() { toolkit.to_owned() } else { toolkit.join(part) };
    IN_TOOLKIT.iter().map(join).collect()
}

/// The folders of the Python installations under a prefix that may hold NVIDIA's wheels.
fn of_python(prefix: &Path) -> Vec<PathBuf> {
    let mut packages = vec![];
    for lib in ["lib", "lib64"] {
        for python in children(&prefix.join(lib), "python3") {
            packages.extend(["site-packages", "dist-packages"].map(|name| python.join(name)));
        }
    }
    packages.push(prefix.join("Lib/site-packages"));
    packages.retain(|folder| folder.is_dir());
    packages.iter().flat_map(|folder| IN_SITE_PACKAGES.map(|part| folder.join(part))).collect()
}

/// The folders in `parent` whose names begin with `prefix`, the latest name first.
fn children(parent: &Path, prefix: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(parent) else { return vec![] };
    let begins = |path: &PathBuf| {
        path.is_dir() && path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix))
    };
    let mut folders: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(begins).collect();
    folders.sort_by(|a, b| b.cmp(a));
    folders
}

/// The numbers in the name of a libnvrtc: 13, 0, 88 of `libnvrtc.so.13.0.88`, none of `libnvrtc.so`, 13, 0 of
/// `nvrtc64_130_0.dll`. None for other files, such as the variants called `.alt`.
pub(super) fn library_numbers(name: &str) -> Option<Vec<u32>> {
    elf(name, "libnvrtc").or_else(|| dll(name.strip_prefix("nvrtc64_")?.strip_suffix("_0.dll")?))
}

/// The same for libnvrtc-builtins.
pub(super) fn builtins_numbers(name: &str) -> Option<Vec<u32>> {
    elf(name, "libnvrtc-builtins")
        .or_else(|| dll(name.strip_prefix("nvrtc-builtins64_")?.strip_suffix(".dll")?))
}

fn elf(name: &str, stem: &str) -> Option<Vec<u32>> {
    let numbers = name.strip_prefix(stem)?.strip_prefix(".so")?;
    if numbers.is_empty() {
        return Some(vec![]);
    }
    numbers.strip_prefix('.')?.split('.').map(|number| number.parse().ok()).collect()
}

/// `130` is 13.0.
fn dll(digits: &str) -> Option<Vec<u32>> {
    let number: u32 = digits.parse().ok()?;
    Some(vec![number / 10, number % 10])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(library_numbers("libnvrtc.so"), Some(vec![]));
        assert_eq!(library_numbers("libnvrtc.so.13"), Some(vec![13]));
        assert_eq!(library_numbers("libnvrtc.so.13.0.88"), Some(vec![13, 0, 88]));
        assert_eq!(library_numbers("nvrtc64_120_0.dll"), Some(vec![12, 0]));
        assert_eq!(builtins_numbers("libnvrtc-builtins.so.12.8"), Some(vec![12, 8]));
        assert_eq!(builtins_numbers("nvrtc-builtins64_129.dll"), Some(vec![12, 9]));
        for other in [
            "libnvrtc.alt.so.13",
            "libnvrtc_static.a",
            "libnvrtc-builtins.so.13.0",
            "libnvrtc.so.13x",
            "nvrtc.h",
        ] {
            assert_eq!(library_numbers(other), None, "{other}");
        }
        for other in ["libnvrtc-builtins.alt.so.13.0", "libnvrtc.so.13", "libnvrtc-builtins_static.a"] {
            assert_eq!(builtins_numbers(other), None, "{other}");
        }
    }
}
