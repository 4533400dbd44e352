//! Predictions as JSON.

use limbforge::algos::model::{Application, Machine, Refinement};
use serde_json::{Value, json};

use super::prediction::Prediction;
use crate::setting::Setting;

pub(super) fn to_json(predictions: &[Prediction], machine: &Machine, setting: Option<&Setting>) -> String {
    let applications: Vec<Value> =
        predictions.iter().map(|prediction| prediction_json(prediction, machine)).collect();
    let refinement = machine.refinement();
    let mut value = json!({
        "machine": {
            "transfer": machine.transfer(),
            "local_words": machine.local_words(),
            "multiprocessors": machine.multiprocessors(),
            "block_threads": machine.block_threads(),
            "operation_seconds": machine.seconds(1.0),
            "lanes": refinement.lanes,
            "refinement": refinement_json(&refinement),
        },
        "applications": applications,
    });
    if let Some(setting) = setting {
        setting.add_to(&mut value);
    }
    format!("{value:#}\n")
}

fn refinement_json(refinement: &Refinement) -> Value {
    json!({
        "launch_seconds": refinement.launch,
        "wait_seconds": refinement.wait,
        "operation_seconds": refinement.operation,
        "word_seconds": refinement.word,
    })
}

fn prediction_json(prediction: &Prediction, machine: &Machine) -> Value {
    let sizes = match prediction.application {
        Application::Multiplication { n, m } | Application::Division { n, m } | Application::Gcd { n, m } => {
            json!({ "n": n, "m": m })
        }
        Application::RadixSort { n, bits } => json!({ "n": n, "bits": bits }),
    };
    let choices: Vec<Value> =
        (0..prediction.choices.len()).map(|i| choice_json(prediction, i, machine)).collect();
    let measured = prediction.measured.as_ref();
    let fitted = measured.and_then(|measured| measured.fitted.as_ref().ok()).map(|(machine, best)| {
        json!({ "transfer": machine.transfer(), "operation_seconds": machine.seconds(1.0), "best": best })
    });
    let refinement = measured.and_then(|measured| measured.refinement.as_ref().ok());
    let fitted_refinement =
        refinement.map(|(refinement, best)| json!({ "times": refinement_json(refinement), "best": best }));
    let paper: Vec<Value> =
        prediction.paper.iter().map(|&(s, ms)| json!({ "s": s, "milliseconds": ms })).collect();
    json!({
        "application": prediction.application.name(),
        "sizes": sizes,
        "best": prediction.best,
        "best_refined": prediction.best_refined,
        "ratio_to_best": prediction.ratio_to_best(),
        "parameters": choices,
        "paper_ms": paper,
        "transforms_ms": measured.and_then(|measured| measured.transforms),
        "fitted": fitted,
        "fitted_refinement": fitted_refinement,
    })
}

fn choice_json(prediction: &Prediction, i: usize, machine: &Machine) -> Value {
    let choice = &prediction.choices[i];
    let (measures, transfer) = (&choice.measures, machine.transfer());
    json!({
        "s": choice.s,
        "threads": choice.threads,
        "local_words": choice.local_words,
        "work": measures.work,
        "span": measures.span,
        "overhead": measures.overhead(transfer),
        "blocks": measures.blocks,
        "path": measures.path,
        "widest": measures.widest,
        "slowest_block": measures.slowest_block(transfer),
        "predicted_ms": 1e3 * choice.seconds,
        "refined_ms": 1e3 * choice.refined_seconds,
        "measured_ms": prediction.measured.as_ref().and_then(|measured| measured.choices[i]),
    })
}
