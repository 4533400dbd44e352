//! Predictions as JSON.

use limbforge::algos::model::{Application, Machine, Refinement};
use serde_json::{Value, json};

use super::prediction::Prediction;
use crate::setting::Setting;

pub(super) fn to_json(predictions: &[Prediction], machine: &Machine, setting: Option<&Setting>) -> String {
    let refinement = machine.refinement();
    let mut value = setting.map_or_else(|| json!({}), |setting| json!(setting));
    value["machine"] = json!({
        "transfer": machine.transfer(),
        "local_words": machine.local_words(),
        "multiprocessors": machine.multiprocessors(),
        "block_threads": machine.block_threads(),
        "operation_seconds": machine.seconds(1.0),
        "lanes": refinement.lanes,
        "refinement": refinement_json(&refinement),
    });
    value["applications"] = predictions.iter().map(|one| prediction_json(one, machine)).collect();
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
    let choices = 0..prediction.choices.len();
    let choices: Vec<Value> = choices.map(|i| choice_json(prediction, i, machine)).collect();
    let measured = prediction.measured.as_ref();
    let fitted = measured.and_then(|measured| measured.fitted.as_ref().ok());
    let refinement = measured.and_then(|measured| measured.refinement.as_ref().ok());
    let paper = prediction.paper.iter().map(|&(s, ms)| json!({ "s": s, "milliseconds": ms }));
    json!({
        "application": prediction.application.name(),
        "sizes": sizes,
        "best": prediction.best,
        "best_refined": prediction.best_refined,
        "ratio_to_best": prediction.ratio_to_best(),
        "parameters": choices,
        "paper_ms": paper.collect::<Vec<_>>(),
        "transforms_ms": measured.and_then(|measured| measured.transforms),
        "fitted": fitted.map(|(machine, best)| json!({
            "transfer": machine.transfer(), "operation_seconds": machine.seconds(1.0), "best": best,
        })),
        "fitted_refinement":
            refinement.map(|(times, best)| json!({ "times": refinement_json(times), "best": best })),
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
