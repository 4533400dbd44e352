use limbforge::algos::model::machine::Figures;
use limbforge_field::DynField;
use limbforge_kernels_gen::Limits;
use limbforge_kernels_gen::poly::{PolyOperation, PolyShape};
use serde_json::json;

use super::*;

fn report() -> Value {
    let parameter = |s: u64, ms: Option<f64>| json!({"s": s, "measured_ms": ms});
    json!({
        "date": "2026-01-31", "commit": null, "device": "made-up GPU", "driver": "13.0", "nvrtc": "13.0",
        "applications": [
            {"application": "gcd", "sizes": {"n": 20, "m": 10}, "best_refined": 2, "transforms_ms": null,
             "parameters": [parameter(1, Some(12.344)), parameter(2, Some(0.0511)), parameter(4, Some(0.05)), parameter(8, None)],
             "paper_ms": [{"s": 1, "milliseconds": 58.0}, {"s": 512, "milliseconds": 24.0}]},
            {"application": "radix sort", "sizes": {"n": 64, "bits": 32}, "best_refined": 1, "transforms_ms": null,
             "parameters": [parameter(1, Some(1.0))], "paper_ms": []},
        ],
    })
}

#[test]
fn times_beside_the_paper_s() {
    let reports = [ModelReport::new("a.json", &report()).unwrap()];
    let gcds = named("gcds", &reports).unwrap();
    let head = "n|m|s = 1|s = 2|s = 4|chosen s|of the best time|paper, s = 1|paper, s = 512";
    assert_eq!(gcds[0].join("|"), head);
    assert_eq!(gcds[1].join("|"), "20|10|12.3|0.0511|0.0500|2|1.02|58.0|24.0");
    assert_eq!(named("sorts", &reports).unwrap()[1].join("|"), "64|32|1.00|1|1.00");
    assert_eq!(named("products", &reports).unwrap().len(), 1);
    let source = &named("model sources", &reports).unwrap()[1];
    assert_eq!(source.join("|"), "a.json|2026-01-31|not given|made-up GPU|13.0|13.0");
    assert_eq!(named("cubes", &reports), None);
}

/// Every row that was measured on an H200: the chosen s takes at most 15 % more than the best one.
#[test]
fn choices_are_near_the_best_measured() {
    let text = include_str!("../../../../../benches/results/h200/model.json");
    let report = ModelReport::new("model.json", &serde_json::from_str(text).unwrap()).unwrap();
    assert_eq!(report.rows.len(), 25);
    for row in &report.rows {
        let best = row.measured.iter().map(|time| time.1).fold(f64::MAX, f64::min);
        let chosen = row.measured.iter().find(|time| time.0 == row.chosen).map_or(f64::MAX, |time| time.1);
        let ratio = chosen / best;
        assert!(
            ratio <= 1.15,
            "{} of {} and {}: s = {} takes {ratio:.2} of the best",
            row.application,
            row.n,
            row.second,
            row.chosen
        );
    }
}

/// The same for the choice between Newton's inverse and steps, which a GPU did not measure.
#[test]
fn divisions_take_the_faster_program() {
    let text = include_str!("../../../../../benches/results/h200/model.json");
    let report = ModelReport::new("model.json", &serde_json::from_str(text).unwrap()).unwrap();
    let field = DynField::new(2_013_265_921).unwrap();
    let newton = |row: &Row| {
        let [n, m] = [row.n, row.second].map(|terms| usize::try_from(terms).unwrap());
        let shape = PolyShape::of(PolyOperation::DivRem, n, m).unwrap().unwrap();
        let program = shape.program(&field, Figures::H200, &Limits::SM_90).unwrap();
        program.kernels.iter().any(|kernel| kernel.to_string().contains("div newton"))
    };
    let divisions: Vec<&Row> = report.rows.iter().filter(|row| row.application == "division").collect();
    assert_eq!(divisions.len(), 6);
    for row in divisions {
        let steps = row.measured.iter().find(|time| time.0 == row.chosen).unwrap().1;
        let (found, by_newton) = (newton(row), row.transforms_ms.unwrap());
        let ratio = if found { by_newton } else { steps } / by_newton.min(steps);
        assert!(ratio <= 1.15, "{} by {} terms, Newton: {found}, takes {ratio:.2}", row.n, row.second);
    }
    assert_eq!(
        report.rows.iter().filter(|row| row.application == "division").map(newton).collect::<Vec<_>>(),
        [false, false, true, true, true, true]
    );
}

#[test]
fn what_is_missing_is_named() {
    let mut without = report();
    without["applications"][0]["sizes"] = json!({"n": 20});
    let error = ModelReport::new("a.json", &without).unwrap_err();
    assert!(error.starts_with("expected `m` of a report"), "{error}");
    let mut negative = report();
    negative["applications"][0]["parameters"][0]["measured_ms"] = json!(-1);
    assert!(ModelReport::new("a.json", &negative).unwrap_err().starts_with("expected `measured_ms`"));
    assert!(
        ModelReport::new("a.json", &json!({"applications": []})).is_err(),
        "predictions without a device"
    );
}
