use limbforge_gpu::Timings;

use super::*;

fn report() -> Report {
    let timings = Timings { median_ms: 0.4, min_ms: 0.39, all: vec![0.4] };
    let measured = Measured {
        registers: 40,
        local_bytes: 0,
        occupancy: 0.75,
        bytes: 3 << 29,
        median_ms: 0.5,
        min_ms: 0.45,
        launches: vec![],
        floor: Floor { bytes: 3 << 29, timings },
    };
    let row = |operation, outcome| Row {
        operation,
        limb: "u64",
        bits: 512,
        instances: 1 << 23,
        mapping: "4w.1r.4l.1p.32i".to_owned(),
        batch_bits: 1 << 32,
        device: "NVIDIA H200".to_owned(),
        outcome,
    };
    Report {
        setting: Setting {
            date: "2026-01-31".to_owned(),
            commit: None,
            device: "made-up GPU".to_owned(),
            driver: "13.0".to_owned(),
            nvrtc: "13.0".to_owned(),
            batch_bits: 1 << 32,
            repeats: 20,
        },
        sections: vec![Section::of(&[
            row("add1", Ok(measured.clone())),
            row("mul-classical", Ok(measured)),
            row("mul-classical", Err("too wide".to_owned())),
        ])],
    }
}

#[test]
fn a_table() {
    let text = report().to_string();
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
    let text = report().to_csv();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.iter().all(|line| line.matches(',').count() == Row::NAMES.len() - 1));
    assert_eq!(
        lines[1],
        "add1,u64,512,8388608,4w.1r.4l.1p.32i,40,0.5000,0.4500,3221,0.4000,1.250,16777.216,,,0.43,0.374"
    );
    assert_eq!(lines[3], "mul-classical,u64,512,8388608,4w.1r.4l.1p.32i,,,,,,,,,,1.24,0.456");
}

#[test]
fn json_has_what_does_not_apply_as_null() {
    let json = report().to_json();
    let keys = ["batch_bits", "commit", "date", "device", "driver", "nvrtc", "repeats", "rows"];
    let mut found: Vec<_> = json.as_object().unwrap().keys().collect();
    found.sort();
    assert_eq!(found, keys);
    let rows = &json["rows"];
    assert!((rows[0]["ratio_to_floor"].as_f64().unwrap() - 1.25).abs() < 1e-9);
    assert_eq!(rows[0]["error"], Value::Null);
    assert_eq!(rows[0]["tera_products_per_second"], Value::Null);
    assert_eq!(rows[0]["gu32ops_per_second"], Value::Null);
    assert!((rows[0]["instances_per_second"].as_f64().unwrap() - 16_777_216_000.0).abs() < 1.0);
    assert!(rows[1]["tera_products_per_second"].as_f64().unwrap() > 2.2);
    assert_eq!((&rows[2]["median_ms"], &rows[2]["error"]), (&Value::Null, &json!("too wide")));
}

#[test]
fn a_page() {
    let page = crate::report::page_of(&report().to_json()).unwrap();
    assert!(page.contains("<h1>limbforge on made-up GPU</h1>"), "{page}");
    assert_eq!(page.matches("<svg ").count(), 2, "{page}");
}
