//! The file of measurements.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use limbforge_gpu::{Arch, DeviceInfo, DeviceKey, TunedTime, Tuning, TuningError, Version};
use limbforge_kernels_gen::{LimbKind, Measurement, Product};

fn info(name: &str) -> DeviceInfo {
    DeviceInfo {
        ordinal: 0,
        name: name.to_owned(),
        arch: Arch::new(9, 0),
        multiprocessors: 132,
        memory: 1 << 37,
        l2_bytes: 0,
        shared_per_block: 227 << 10,
        shared_per_multiprocessor: 228 << 10,
        registers_per_multiprocessor: 65_536,
        threads_per_multiprocessor: 2048,
        clock_khz: 1_980_000,
        driver: Version { major: 13, minor: 0 },
    }
}

fn time(expression: &str, bits: u32, product: Product, ms: f64) -> TunedTime {
    let expression = expression.to_owned();
    let limb = LimbKind::of::<u64>();
    let measurement = Measurement { expression, bits, limb, product, mapping: None, ms };
    TunedTime { measurement, instances: 1000, repeats: 20, date: "2026-01-31".to_owned() }
}

#[test]
fn measurements_are_kept_by_device() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("not there yet/tuning.json");
    assert_eq!(Tuning::read(&path).unwrap(), Tuning::default());
    let (ours, others) = (DeviceKey::of(&info("A \"GPU\"")), DeviceKey::of(&info("another")));
    let times = [
        time("a * b", 512, Product::Classical, 0.5),
        time("a * b", 4096, Product::Ntt, 3.25),
        time("a * b", 512, Product::Ntt, 2.5),
    ];
    for time in &times {
        Tuning::record(&path, &ours, time.clone()).unwrap();
    }
    Tuning::record(&path, &others, times[0].clone()).unwrap();
    // The same case in other words takes the place.
    let again = time("y * x", 512, Product::Classical, 0.25);
    Tuning::record(&path, &ours, again.clone()).unwrap();
    let tuning = Tuning::read(&path).unwrap();
    assert_eq!(tuning.of(&ours), [times[2].clone(), times[1].clone(), again]);
    assert_eq!(tuning.of(&others), [times[0].clone()]);
    assert_eq!(tuning.of(&DeviceKey { limbforge: "0.0.9".to_owned(), ..ours.clone() }), []);
    assert_eq!(tuning.devices().count(), 2);
    // A person can read it: a line for each measurement; and only the file that is locked is left beside it.
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().filter(|line| line.contains("\"ms\":")).count(), 4, "{text}");
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 2);
    assert!(Tuning::forget(&path).unwrap() && !Tuning::forget(&path).unwrap());
}

/// Measurements that a thread or a process of the two below makes, of widths of its own.
const MEASUREMENTS: u32 = 40;

fn measure(path: &Path, first: u32) {
    let key = DeviceKey::of(&info("ours"));
    for bits in first..first + MEASUREMENTS {
        Tuning::record(path, &key, time("a * b", bits, Product::Ntt, 1.0)).unwrap();
    }
}

fn kept(path: &Path) -> usize {
    Tuning::read(path).unwrap().of(&DeviceKey::of(&info("ours"))).len()
}

#[test]
fn two_threads_at_once_lose_no_measurement() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/tuning.json");
    std::thread::scope(|scope| {
        for first in [1, 1001] {
            let path = &path;
            scope.spawn(move || measure(path, first));
        }
    });
    assert_eq!(kept(&path), 2 * MEASUREMENTS as usize);
}

/// The width that another process of [`two_processes_at_once_lose_no_measurement`] begins with.
const FIRST: &str = "LIMBFORGE_TEST_FIRST";
const FOLDER: &str = "LIMBFORGE_TEST_FOLDER";

#[test]
fn two_processes_at_once_lose_no_measurement() {
    if let (Some(folder), Ok(first)) = (std::env::var_os(FOLDER), std::env::var(FIRST)) {
        return measure(&Path::new(&folder).join("tuning.json"), first.parse().unwrap());
    }
    let folder = tempfile::tempdir().unwrap();
    let again = |first: &str| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "two_processes_at_once_lose_no_measurement"]);
        command.env(FOLDER, folder.path()).env(FIRST, first).stdout(Stdio::null()).spawn().unwrap()
    };
    for mut process in [again("1"), again("1001")] {
        assert!(process.wait().unwrap().success());
    }
    assert_eq!(kept(&folder.path().join("tuning.json")), 2 * MEASUREMENTS as usize);
}

fn planner(path: &Path, name: &str) -> (bool, Option<TuningError>) {
    let (planner, error) = info(name).planner_of(&Ok(path.to_owned()));
    (planner.is_tuned(), error)
}

#[test]
fn planners_take_what_was_measured_on_the_device() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tuning.json");
    let key = DeviceKey::of(&info("ours"));
    assert!(matches!(planner(&path, "ours"), (false, None)));
    Tuning::record(&path, &key, time("a * b", 512, Product::Ntt, 1.0)).unwrap();
    assert!(matches!(planner(&path, "ours"), (true, None)));
    assert!(matches!(planner(&path, "another"), (false, None)));
    let none = info("ours").planner_of(&Err(TuningError::NoFolder));
    assert!(!none.0.is_tuned() && none.1.is_none());
}

#[test]
fn a_damaged_file_is_an_error_that_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tuning.json");
    let key = DeviceKey::of(&info("ours"));
    Tuning::record(&path, &key, time("a * b", 512, Product::Ntt, 1.0)).unwrap();
    let good = fs::read_to_string(&path).unwrap();
    for (text, why) in [
        (good[..good.len() / 2].to_owned(), "line "),
        (String::new(), "EOF"),
        ("[]".to_owned(), "line 1"),
        ("{\"format\": 1}".to_owned(), "missing field `devices`"),
        (good.replace("a * b", "a *"), "`a *`: column 4"),
        (good.replace("\"bits\":512", "\"bits\":0"), "bits"),
        (good.replace("\"ms\":1.0", "\"ms\":-1.0"), "positive number of milliseconds, found -1"),
        (good.replace("\"ms\":1.0", "\"ms\":1e999"), "line "),
        (good.replace("u64", "u65"), "expected a limb"),
        (good.replace("\"ntt\"", "\"auto\""), "found auto"),
        (good.replace("\"ntt\"", "\"fast\""), "fast"),
    ] {
        fs::write(&path, &text).unwrap();
        let (is_tuned, error) = planner(&path, "ours");
        let error = error.map(|error| error.to_string()).unwrap_or_default();
        assert!(!is_tuned && error.contains(why), "{text}\n{error}");
        assert!(error.contains("is damaged") && error.contains("limbforge tune --forget"), "{error}");
        // It is not overwritten.
        assert!(Tuning::record(&path, &key, time("a", 8, Product::Ntt, 1.0)).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    fs::write(&path, [0xff, 0xfe]).unwrap();
    assert!(matches!(Tuning::read(&path), Err(TuningError::Damaged { .. })));
    fs::write(&path, "{\"format\": 2, \"cards\": 1}").unwrap();
    let error = Tuning::read(&path).unwrap_err().to_string();
    assert!(error.contains("has the form 2 and this version of limbforge reads 1"), "{error}");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(matches!(Tuning::read(&path), Err(TuningError::File { action: "read", .. })));
}

/// Whatever a byte becomes, and wherever the file ends: measurements or an error, and never a panic.
#[test]
fn any_damage_is_measurements_or_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tuning.json");
    let key = DeviceKey::of(&info("ours"));
    Tuning::record(&path, &key, time("a * b + (a << 3)", 4096, Product::Tensor, 0.5)).unwrap();
    let good = fs::read(&path).unwrap();
    let mut refused = 0;
    for at in 0..good.len() {
        for byte in [None, Some(b'9'), Some(b'"'), Some(b'('), Some(0xff)] {
            let mut bytes = good.clone();
            match byte {
                Some(byte) => bytes[at] = byte,
                None => bytes.truncate(at),
            }
            fs::write(&path, &bytes).unwrap();
            let (is_tuned, error) = planner(&path, "ours");
            assert!(!is_tuned || error.is_none());
            refused += usize::from(error.is_some());
        }
    }
    assert!(refused > 2 * good.len(), "{refused} of {}", 5 * good.len());
}

/// Mappings are cases of their own, the planned one first; it has none, as files had before there were any.
#[test]
fn mappings_are_kept_beside_the_planned_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tuning.json");
    let gpu = info("a GPU");
    let key = DeviceKey::of(&gpu);
    let mapped = |text: &str, ms| {
        let mut time = time("a * b", 4096, Product::Tensor, ms);
        time.measurement.mapping = text.parse().ok();
        time
    };
    let [slow, fast] = [mapped("together=4 team=1 warps=4", 3.0), mapped("together=2 team=1 warps=8", 1.0)];
    let planned = time("a * b", 4096, Product::Tensor, 2.0);
    for time in [&slow, &fast, &planned] {
        Tuning::record(&path, &key, time.clone()).unwrap();
    }
    assert_eq!(Tuning::read(&path).unwrap().of(&key), [planned, fast.clone(), slow]);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches("\"mapping\"").count(), 2, "{text}");
    assert!(text.contains(r#""product":"tensor","mapping":"together=2 team=1 warps=8","ms":1.0,"#), "{text}");
    let (planner, error) = gpu.planner_of(&Ok(path.clone()));
    assert!(error.is_none() && planner.is_tuned());
    // One that was measured by another product is damage.
    fs::write(&path, text.replace(r#""product":"tensor","mapping""#, r#""product":"ntt","mapping""#))
        .unwrap();
    assert!(matches!(Tuning::read(&path), Err(TuningError::Damaged { .. })));
}
