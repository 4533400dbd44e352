use clap::Parser;

use super::super::row::{Case, Floor, Measured};
use super::*;
use crate::operations::benchmarks;

#[derive(Parser)]
struct Program {
    #[command(flatten)]
    bench: BenchArguments,
}

fn arguments(options: &[&str]) -> BenchArguments {
    let given = ["bench", "all", "--out", "-"].iter().chain(options);
    Program::try_parse_from(given).unwrap().bench
}

fn setting() -> Setting {
    Setting {
        date: "2026-01-31".to_owned(),
        commit: None,
        device: "made-up GPU".to_owned(),
        driver: Some("13.0".to_owned()),
        nvrtc: Some("13.0".to_owned()),
        threads: None,
    }
}

/// Three rows, the last without a kernel.
fn report(arguments: &BenchArguments) -> Report<'_> {
    let measured = Measured {
        registers: Some(40),
        local_bytes: Some(0),
        occupancy: Some(0.75),
        bytes: Some(3 << 29),
        median_ms: Some(0.5),
        min_ms: Some(0.45),
        launches: Some(vec![]),
        floor: Some(Floor { bytes: 3 << 29, median_ms: 0.4 }),
    };
    let outcomes = [Ok(measured.clone()), Ok(measured), Err("too wide".to_owned())];
    let mut report = Report::begin(arguments, setting()).unwrap();
    for (name, outcome) in ["add1", "mul-classical", "mul-classical"].into_iter().zip(outcomes) {
        let benchmark = benchmarks().iter().find(|one| one.name == name).unwrap();
        let (instances, batch_bits) = (1 << 23, 1 << 32);
        let case = Case { benchmark, limb: "u64", bits: 512, instances, batch_bits, device: "NVIDIA H200" };
        report.add(case.row("4w.1r.4l.1p.32i", outcome)).unwrap();
    }
    report
}

#[test]
fn a_table() {
    let arguments = arguments(&[]);
    assert_eq!((arguments.primes.len(), arguments.primes[7]), (8, 18_446_742_974_197_923_841));
    let text = report(&arguments).kept;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 9, "{text}");
    assert_eq!(lines[0], "made-up GPU; driver 13.0, nvrtc 13.0; 2026-01-31, commit not given");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
    assert!(lines[3].starts_with("Gu32ops/s = 300 * NumInsts * m * log2(m) / seconds / 10^9"), "{text}");
    let start = "u64 512 8388608 4w.1r.4l.1p.32i 40 0.5000 0.4500 3221 0.4000 1.250 16777.216";
    assert_eq!(words(lines[6]), format!("add1 {start} 0.43 0.374"));
    assert_eq!(words(lines[7]), format!("mul-classical {start} 2.28 322123 1.24 0.456"));
    assert!(lines[8].ends_with("1.24    0.456  no kernel: too wide"), "{text}");
    assert_eq!(lines[5].find("GB/s"), lines[6].find("3221"));
}

#[test]
fn values_with_commas_between() {
    let arguments = arguments(&["--csv"]);
    let report = report(&arguments);
    let lines: Vec<&str> = report.kept.lines().collect();
    assert_eq!(report.columns.len(), 16);
    assert!(lines.iter().all(|line| line.matches(',').count() == 15));
    assert_eq!(
        lines[1],
        "add1,u64,512,8388608,4w.1r.4l.1p.32i,40,0.5000,0.4500,3221,0.4000,1.250,16777.216,,,0.43,0.374"
    );
    assert_eq!(lines[3], "mul-classical,u64,512,8388608,4w.1r.4l.1p.32i,,,,,,,,,,1.24,0.456");
}

fn json() -> Value {
    let arguments = arguments(&["--json"]);
    report(&arguments).to_json()
}

/// The keys and values that reports have had since there are any.
#[test]
fn the_document_is_the_one_of_kept_reports() {
    let json = json();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&json), "batch_bits commit date device driver nvrtc repeats rows");
    let rows = &json["rows"];
    assert_eq!(
        keys(&rows[0]),
        "bits bytes cgbn_ms error floor_ms gigabytes_per_second gu32ops_per_second instances instances_per_second \
         launches_median_ms limb local_bytes mapping median_ms min_ms occupancy operation paper_ms ratio_to_floor registers \
         tera_products_per_second vector_add_bytes vector_add_median_ms"
    );
    assert!((rows[0]["ratio_to_floor"].as_f64().unwrap() - 1.25).abs() < 1e-9);
    assert_eq!(rows[0]["error"], Value::Null);
    assert_eq!(rows[0]["tera_products_per_second"], Value::Null);
    assert_eq!(rows[0]["gu32ops_per_second"], Value::Null);
    assert!((rows[0]["instances_per_second"].as_f64().unwrap() - 16_777_216_000.0).abs() < 1.0);
    assert!(rows[1]["tera_products_per_second"].as_f64().unwrap() > 2.2);
    assert_eq!((&rows[2]["median_ms"], rows[2]["error"].as_str()), (&Value::Null, Some("too wide")));
}

#[test]
fn a_page() {
    let page = report::page_of(&json()).unwrap();
    assert!(page.contains("<h1>limbforge on made-up GPU</h1>"), "{page}");
    assert_eq!(page.matches("<svg ").count(), 2, "{page}");
}
