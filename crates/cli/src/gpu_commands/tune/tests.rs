//! The tuner with a made-up stopwatch, on a made-up GPU.

use std::fs;

use clap::Parser;
use indicatif::ProgressBar;
use limbforge_gpu::{Arch, DeviceInfo, GpuError, Version};
use limbforge_kernels_gen::{Basis, Limits, Product, Program};

use super::{cases::operands, *};

#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    arguments: TuneArguments,
}

fn arguments(line: &[&str]) -> TuneArguments {
    Line::try_parse_from([&["tune"], line].concat()).unwrap().arguments
}

fn cases_of(line: &[&str]) -> Vec<Case> {
    cases(&arguments(line), &Limits::SM_90, &Planner::new(90)).unwrap()
}

fn time(ms: f64) -> Result<Time, CliError> {
    Ok(Time { ms, instances: 64, repeats: 5 })
}

fn measure(
    cases: &mut [Case],
    stopwatch: &mut dyn FnMut(&Case, &Job) -> Result<Time, CliError>,
    record: &mut dyn FnMut(&Case, &Job, Time) -> Result<(), CliError>,
) -> Result<(), CliError> {
    measure::measure(cases, stopwatch, record, &ProgressBar::hidden())
}

fn info() -> DeviceInfo {
    DeviceInfo {
        ordinal: 0,
        name: "made-up GPU".to_owned(),
        arch: Arch::new(9, 0),
        multiprocessors: 8,
        memory: 1 << 34,
        l2_bytes: 0,
        shared_per_block: 227 << 10,
        shared_per_multiprocessor: 228 << 10,
        registers_per_multiprocessor: 65_536,
        threads_per_multiprocessor: 2048,
        clock_khz: 1_000_000,
        driver: Version { major: 13, minor: 0 },
    }
}

#[test]
fn what_could_be_the_fastest_is_measured() {
    let products = |line: &[&str]| -> Vec<Vec<Product>> {
        let planned =
            |case: &Case| case.jobs.iter().filter(|job| job.mapping.is_none()).cloned().collect::<Vec<_>>();
        cases_of(line).iter().map(|case| planned(case).iter().map(|job| job.spec.product).collect()).collect()
    };
    // Transforms take six times the classical product at 2^9, and the classical product ten times the tensor
    // cores' at 2^14.
    assert_eq!(products(&["--ops", "mul", "--bits", "9..9"]), [[Product::Classical, Product::Tensor]]);
    assert_eq!(products(&["--ops", "mul", "--bits", "14..14"]), [[Product::Tensor, Product::Ntt]]);
    assert_eq!(products(&["--ops", "mul", "--bits", "14..14", "--all"])[0].len(), 3);
    // What has no kernel is not a candidate; what was never measured may be the fastest.
    assert_eq!(products(&["--ops", "mul", "--bits", "20..20", "--all"]), [[Product::Ntt]]);
    let wide = cases_of(&["--ops", "mul-wide", "--bits", "12..12"]);
    assert!(wide[0].jobs.iter().any(|job| job.spec.product == Product::Tensor));
    // Nothing to choose without products.
    assert!(
        cases_of(&["--expression", "a + b", "--bits", "9..9"]).iter().all(|case| case.expression != "a + b")
    );
    let line = ["--ops", "mul,poly", "--bits", "9..10,5000", "--limb", "u32,u128"];
    assert_eq!(cases_of(&line).len(), 2 * 3 * 2);
    assert!(matches!(operands(&arguments(&["--expression", "a*b + d"])), Ok(4)));
    for (text, why) in [("a*x", "expected no operands but a, b, c, d, e, f"), ("a*", "column 3")] {
        let error = operands(&arguments(&["--expression", text])).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

/// On a GPU where transforms are always the fastest: measured, kept, and chosen from then on.
#[test]
fn what_is_measured_is_kept_and_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tuning.json");
    let key = DeviceKey::of(&info());
    let mut cases =
        cases_of(&["--ops", "mul,sqr", "--bits", "12..13", "--all", "--mappings", "1", "--limb", "u32"]);
    assert!(cases.iter().all(|case| case.chosen == (Product::Tensor, None) && case.jobs.len() == 3));
    let mut asked = 0;
    let mut stopwatch = |_: &Case, job: &Job| {
        asked += 1;
        time(match job.spec.product {
            Product::Ntt => 0.5,
            Product::Tensor => 1.0,
            _ => 2.0,
        })
    };
    let mut record = |case: &Case, job: &Job, time| Ok(Tuning::record(&path, &key, tuned(case, job, time))?);
    measure(&mut cases, &mut stopwatch, &mut record).unwrap();
    assert_eq!(asked, 12);
    let report = Report { key: &key, path: Some(&path), cases: &cases };
    let text = report.to_string();
    assert!(text.contains("the choice takes at most 2.000 times the fastest measured one"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    let case = &json["cases"][0];
    assert_eq!(
        (&case["chosen"], &case["fastest"], &case["ratio"]),
        (&"tensor".into(), &"ntt".into(), &2.0.into())
    );
    assert_eq!(case["candidates"].as_array().map(Vec::len), Some(3));

    assert_eq!(Tuning::read(&path).unwrap().of(&key).len(), 12);
    let (planner, error) = info().planner_of(&Ok(path.clone()));
    assert!(error.is_none());
    for case in &cases {
        let candidates = Program::candidates(&case.jobs[0].spec, &Limits::SM_90, &planner).unwrap();
        let chosen = candidates.iter().find(|candidate| candidate.is_chosen).unwrap();
        let estimate = chosen.estimate.unwrap();
        assert_eq!(
            (chosen.product, estimate.milliseconds, estimate.basis),
            (Product::Ntt, 0.5, Basis::Measured)
        );
    }
    // Another GPU takes the shipped times.
    let other = DeviceInfo { name: "another".to_owned(), ..info() };
    assert!(!other.planner_of(&Ok(path.clone())).0.is_tuned());
    // What is shown is what was kept.
    let shown = show(&path, false).unwrap();
    assert!(shown.contains("made-up GPU, driver for CUDA 13.0, limbforge "), "{shown}");
    assert_eq!(shown.lines().filter(|line| line.contains("ntt")).count(), 4, "{shown}");
    let shown: serde_json::Value = serde_json::from_str(&show(&path, true).unwrap()).unwrap();
    assert_eq!(shown["devices"][0]["measurements"].as_array().map(Vec::len), Some(12));
    assert!(forget(&path, false).unwrap().starts_with("removed "));
    assert!(show(&path, false).unwrap().contains("nothing was measured yet"));
}

/// Mappings of what is near the fastest, different ones first; the fastest is kept and chosen, which
/// `--check` then finds.
#[test]
fn mappings_are_measured_and_chosen() {
    let line = ["--ops", "mul", "--bits", "12..12,16..16", "--limb", "u32"];
    let count = |more: &[&str], product: Product| -> Vec<usize> {
        let of = |case: &Case| case.jobs.iter().filter(|job| job.spec.product == product).count();
        cases_of(&[&line[..], more].concat()).iter().map(of).collect()
    };
    // Transforms are near at 2^16 only; by default three mappings of what is near.
    assert_eq!((count(&[], Product::Tensor), count(&[], Product::Ntt)), (vec![3, 3], vec![0, 3]));
    assert_eq!(count(&["--all", "--mappings", "2"], Product::Classical), [2, 2]);
    assert!(count(&["--mappings", "1000"], Product::Tensor)[1] > 10);
    let mut first = cases_of(&line);
    let mappings: Vec<_> = first[0].jobs.iter().filter_map(|job| job.mapping).collect();
    assert!(!mappings[0].is_alike(mappings[1]), "{mappings:?}");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tuning.json");
    let key = DeviceKey::of(&info());
    let mut stopwatch =
        |_: &Case, job: &Job| time(if job.mapping == Some(mappings[1]) { 1.0 } else { 1.125 });
    let mut record = |case: &Case, job: &Job, time| Ok(Tuning::record(&path, &key, tuned(case, job, time))?);
    measure(&mut first[..1], &mut stopwatch, &mut record).unwrap();
    let report = Report { key: &key, path: None, cases: &first[..1] };
    let text = report.to_string();
    assert!(text.contains(&format!("tensor {}", mappings[1])) && text.contains("1.125"), "{text}");
    assert!(text.contains("within 5 % of it in 0 of 1 cases, within 15 % in 1."), "{text}");
    // Within 15 % is near enough for a width that was not tuned.
    assert!(report.check().is_ok());
    let shown = show(&path, false).unwrap();
    assert!(shown.contains(&mappings[1].to_string()) && shown.contains("planned"), "{shown}");

    let (planner, _) = info().planner_of(&Ok(path));
    let mut again = cases(&arguments(&line), &Limits::SM_90, &planner).unwrap();
    assert_eq!(again[0].chosen, (Product::Tensor, Some(mappings[1])));
    measure(&mut again[..1], &mut stopwatch, &mut |_, _, _| Ok(())).unwrap();
    let report = |cases: &[Case]| Report { key: &key, path: None, cases }.check();
    assert!(report(&again[..1]).is_ok());
    // Once tuned, 5 % are allowed.
    again[0].chosen.1 = None;
    let error = report(&again[..1]).unwrap_err().to_string();
    assert!(error.starts_with("in 1 of 1 cases the planned algorithm is too slow"), "{error}");
}

#[test]
fn what_does_not_fit_is_left_out_and_wrong_results_stop() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tuning.json");
    let key = DeviceKey::of(&info());
    let mut cases = cases_of(&["--ops", "mul", "--bits", "12..13", "--all", "--mappings", "1"]);
    let mut record = |case: &Case, job: &Job, time| Ok(Tuning::record(&path, &key, tuned(case, job, time))?);
    let mut small = |_: &Case, job: &Job| match job.spec.product {
        Product::Ntt => Err(GpuError::OutOfMemory { asked: 10, free: 5 }.into()),
        _ => time(1.0),
    };
    measure(&mut cases, &mut small, &mut record).unwrap();
    let report = Report { key: &key, path: Some(&path), cases: &cases };
    let text = report.to_string();
    assert!(text.contains("failed") && text.contains("ntt: the GPU has not enough memory"), "{text}");
    assert_eq!(Tuning::read(&path).unwrap().of(&key).len(), 4);
    // What was measured before a wrong result stays.
    Tuning::forget(&path).unwrap();
    let mut asked = 0;
    let mut wrong = |case: &Case, _: &Job| {
        asked += 1;
        match case.ty.bits() {
            8192 => Err(CliError::BenchDiffers { spec: "a * b".to_owned(), instance: 7 }),
            _ => time(1.0),
        }
    };
    let error = measure(&mut cases, &mut wrong, &mut record).unwrap_err();
    assert!(matches!(error, CliError::BenchDiffers { instance: 7, .. }));
    assert_eq!((asked, Tuning::read(&path).unwrap().of(&key).len()), (4, 3));
    // A damaged file is left as it is.
    fs::write(&path, "{").unwrap();
    let error = measure(&mut cases, &mut |_, _| time(1.0), &mut record).unwrap_err();
    assert!(error.to_string().contains("limbforge tune --forget"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "{");
}
