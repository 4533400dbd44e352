//! Candidates as JSON.

use limbforge_kernels_gen::{Candidate, ManyCore, Program, ProgramSpec};
use serde_json::{Value, json};

use super::place::Place;
use limbforge_cli::gpu::kernels::threads;

pub(super) fn text(expression: &str, spec: &ProgramSpec, place: &Place, candidates: &[Candidate]) -> String {
    let has_products = candidates.len() > 1;
    let values = candidates.iter().map(|candidate| value(candidate, has_products, spec, place));
    let value = json!({
        "expression": expression,
        "bits": spec.ty.bits(),
        "arch": place.arch.to_string(),
        "gpu": place.gpu,
        "candidates": values.collect::<Vec<Value>>(),
    });
    format!("{value:#}\n")
}

fn value(candidate: &Candidate, has_products: bool, spec: &ProgramSpec, place: &Place) -> Value {
    let Place { limits, planner, .. } = place;
    let (program, refused) = (candidate.program.as_ref().ok(), candidate.program.as_ref().err());
    let specs: Vec<String> =
        program.map(|program| program.launched().map(ToString::to_string).collect()).unwrap_or_default();
    let model = program.and_then(|program| planner.many_core(spec, program, limits).ok());
    json!({
        "product": has_products.then_some(candidate.product),
        "chosen": candidate.is_chosen,
        "estimated_ms": candidate.shipped_estimate.map(|estimate| estimate.milliseconds),
        "tuned_ms": candidate.tuned_ms(),
        "basis": candidate.estimate.map(|estimate| estimate.basis.to_string()),
        "model_ms": model.as_ref().map(ManyCore::milliseconds),
        "model": model.map(|model| model.launches),
        "mapping": program.and_then(Program::mapping),
        "mappings": planner.mappings(spec, candidate.product, limits).unwrap_or_default(),
        "kernels": specs.len(),
        "threads": program.map(threads),
        "specs": specs,
        "refused": refused.map(ToString::to_string),
    })
}
