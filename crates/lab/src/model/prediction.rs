//! The predictions of the model for an application, and its measurements.

use limbforge::algos::model::{Application, Choice, Machine, ModelError, Refinement};
use serde_json::{Value, json};

use super::paper::Times;
use crate::setting::Setting;

/// An application with its parameters.
pub(super) struct Prediction {
    pub(super) application: Application,
    pub(super) choices: Vec<Choice>,
    /// The parameter with the least bound.
    pub(super) best: u64,
    /// The parameter with the least refined time: the one to use.
    pub(super) best_refined: u64,
    pub(super) paper: Times,
    pub(super) measured: Option<Measured>,
}

impl Prediction {
    /// The measured time of the refined choice as a multiple of the best measured one.
    pub(super) fn ratio_to_best(&self) -> Option<f64> {
        let measured = self.measured.as_ref()?;
        let (_, best) = measured.best(&self.choices)?;
        let at = self.choices.iter().position(|choice| choice.s == self.best_refined)?;
        Some(measured.choices[at]? / best)
    }
}

/// The best explanation of measured times, and the parameter that it prefers.
pub(super) type Fit<T> = Result<(T, u64), ModelError>;

/// Milliseconds on a GPU.
pub(super) struct Measured {
    /// None for a choice without a kernel.
    pub(super) choices: Vec<Option<f64>>,
    /// The program by transforms: the product's, and the division's by Newton's inverse.
    pub(super) transforms: Option<f64>,
    /// The machine, by the bound.
    pub(super) fitted: Fit<Machine>,
    pub(super) refinement: Fit<Refinement>,
}

impl Measured {
    /// The fastest parameter, with its milliseconds.
    pub(super) fn best(&self, choices: &[Choice]) -> Option<(u64, f64)> {
        let times = choices.iter().zip(&self.choices).filter_map(|(choice, ms)| Some((choice.s, (*ms)?)));
        times.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

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
