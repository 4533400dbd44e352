//! Where nvrtc is looked for, on made-up folder trees.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::{Path, PathBuf};

use limbforge_gpu::Version;
use limbforge_gpu::pathfinder::{Environment, Search, search};
use tempfile::TempDir;

/// Empty files below a new folder.
fn tree(files: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, b"").unwrap();
    }
    folder
}

/// The libraries found, best first, as paths below the root.
fn best(search: &Search, root: &Path, driver: Option<Version>) -> Vec<String> {
    let below = |path: &PathBuf| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
    search.best_first(driver).iter().map(|found| below(&found.library)).collect()
}

const CU12: Option<Version> = Some(Version { major: 12, minor: 8 });

#[test]
fn nothing_is_nowhere() {
    let root = tree(&[]);
    let search =
        search(&Environment::rooted(root.path()).with_variable("CUDA_HOME", root.path().join("none")));
    assert!(search.found.is_empty());
    assert!(search.looked.contains(&root.path().join("none/lib64")));
}

#[test]
fn every_usual_place_is_found() {
    let wheel13 = "nvidia/cu13/lib/libnvrtc.so.13";
    let wheel12 = "nvidia/cuda_nvrtc/lib/libnvrtc.so.12";
    let places = [
        ("home/lib64/libnvrtc.so.13".to_owned(), "CUDA_HOME"),
        ("path/targets/x86_64-linux/lib/libnvrtc.so.13".to_owned(), "CUDA_PATH"),
        ("conda/lib/libnvrtc.so.13".to_owned(), "CONDA_PREFIX"),
        (format!("conda/lib/python3.13/site-packages/{wheel13}"), "CONDA_PREFIX"),
        (format!("venv/lib/python3.11/site-packages/{wheel13}"), "VIRTUAL_ENV"),
        (format!("venv/lib/python3.11/site-packages/{wheel12}"), "VIRTUAL_ENV"),
        ("usr/local/cuda-13.0/lib64/libnvrtc.so.13".to_owned(), ""),
        ("usr/local/cuda/targets/sbsa-linux/lib/libnvrtc.so.13".to_owned(), ""),
        ("opt/cuda/lib64/libnvrtc.so.13".to_owned(), ""),
        (format!("user/.local/lib/python3.12/site-packages/{wheel13}"), "home"),
        (format!("usr/lib/python3/dist-packages/{wheel13}"), ""),
        (format!("usr/lib64/python3.9/site-packages/{wheel12}"), ""),
        (format!("usr/local/lib/python3.12/dist-packages/{wheel13}"), ""),
        ("program/libnvrtc.so.13".to_owned(), "program"),
    ];
    for (file, how) in places {
        let root = tree(&[&file]);
        let top = file.split('/').next().unwrap();
        let mut environment = Environment::rooted(root.path());
        match how {
            "" => {}
            "home" => environment.home = Some(root.path().join(top)),
            "program" => environment.executable = Some(root.path().join(top).join("limbforge")),
            name => environment = environment.with_variable(name, root.path().join(top)),
        }
        let search = search(&environment);
        assert_eq!(best(&search, root.path(), None), [file.as_str()], "{how}");
        let folder = root.path().join(&file).parent().unwrap().to_owned();
        assert!(search.looked.contains(&folder), "{file}");
    }
}

#[test]
fn an_explicit_library_or_folder_is_the_only_one() {
    let root =
        tree(&["usr/local/cuda/lib64/libnvrtc.so.13", "mine/lib64/libnvrtc.so.12", "odd/libcompiler.so"]);
    let rooted = Environment::rooted(root.path());
    for (value, expected) in [
        ("mine", vec!["mine/lib64/libnvrtc.so.12"]),
        ("mine/lib64", vec!["mine/lib64/libnvrtc.so.12"]),
        ("mine/lib64/libnvrtc.so.12", vec!["mine/lib64/libnvrtc.so.12"]),
        ("odd/libcompiler.so", vec!["odd/libcompiler.so"]),
        ("nowhere", vec![]),
    ] {
        let search = search(&rooted.clone().with_variable("LIMBFORGE_NVRTC", root.path().join(value)));
        assert_eq!(best(&search, root.path(), None), expected, "{value}");
        assert_eq!(search.explicit, Some(root.path().join(value)));
    }
    let unset = search(&rooted.with_variable("LIMBFORGE_NVRTC", ""));
    assert_eq!(unset.found.len(), 1);
}

#[test]
fn the_newest_that_limbforge_and_the_driver_take() {
    let root = tree(&[
        "a/lib64/libnvrtc.so.11.2",
        "b/lib64/libnvrtc.so.12.4.127",
        "c/lib64/libnvrtc.so.14.0.1",
        "usr/local/cuda-13.0/lib64/libnvrtc.so.13.0.88",
        "usr/local/cuda-12.8/lib64/libnvrtc.so.12.8.93",
    ]);
    let environment = Environment::rooted(root.path())
        .with_variable("CUDA_HOME", root.path().join("a"))
        .with_variable("CUDA_PATH", root.path().join("b"))
        .with_variable("CONDA_PREFIX", root.path().join("c"));
    let search = search(&environment);
    let (b, c) = ("b/lib64/libnvrtc.so.12.4.127", "c/lib64/libnvrtc.so.14.0.1");
    let (new, old) =
        ("usr/local/cuda-13.0/lib64/libnvrtc.so.13.0.88", "usr/local/cuda-12.8/lib64/libnvrtc.so.12.8.93");
    let a = "a/lib64/libnvrtc.so.11.2";
    assert_eq!(best(&search, root.path(), None), [new, old, b, c, a]);
    assert_eq!(best(&search, root.path(), CU12), [old, b, new, a, c]);
}

#[test]
fn builtins_are_those_of_the_same_version() {
    let lib = "usr/local/cuda/lib64";
    let root = tree(&[
        &format!("{lib}/libnvrtc.so.13"),
        &format!("{lib}/libnvrtc.alt.so.13"),
        &format!("{lib}/libnvrtc_static.a"),
        &format!("{lib}/libnvrtc-builtins.so.13.0"),
        &format!("{lib}/libnvrtc-builtins.alt.so.13.0"),
        &format!("{lib}/libnvrtc-builtins.so.12.9"),
    ]);
    let search = search(&Environment::rooted(root.path()));
    assert_eq!(search.found.len(), 1);
    assert_eq!(search.found[0].builtins, [root.path().join(lib).join("libnvrtc-builtins.so.13.0")]);
    assert_eq!(search.found[0].version, Some(Version { major: 13, minor: 0 }));
}

#[cfg(unix)]
#[test]
fn links_to_one_library_are_one() {
    use std::os::unix::fs::symlink;
    let root = tree(&["usr/local/cuda-12.8/lib64/libnvrtc.so.12.8.93"]);
    let local = root.path().join("usr/local");
    let lib = local.join("cuda-12.8/lib64");
    symlink("libnvrtc.so.12.8.93", lib.join("libnvrtc.so.12")).unwrap();
    symlink("libnvrtc.so.12", lib.join("libnvrtc.so")).unwrap();
    symlink("nowhere", lib.join("libnvrtc.so.13")).unwrap();
    symlink("cuda-12.8", local.join("cuda")).unwrap();
    let search = search(&Environment::rooted(root.path()));
    assert_eq!(search.found.len(), 1, "{search:?}");
    assert_eq!(search.found[0].version, Some(Version { major: 12, minor: 8 }));
}
