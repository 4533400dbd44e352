//! Which product a program uses.

use super::build::build_with;
use super::products::is_product;
use super::{Candidate, Product, Program, ProgramSpec};
use crate::error::{SpecError, refuse_cpu_only};
use crate::newton::DivNewton;
use crate::planner::Planner;
use crate::resources::Limits;

/// The products of an expression that has some.
const PRODUCTS: [Product; 3] = [Product::Classical, Product::Tensor, Product::Ntt];

fn has_products(spec: &ProgramSpec) -> bool {
    spec.dag.nodes().iter().any(|node| is_product(&node.op))
}

/// Programs with what they take, the first of the fastest first; those without an estimate last.
fn by_time(
    spec: &ProgramSpec,
    limits: &Limits,
    planner: &Planner,
    newton: DivNewton,
) -> Vec<(Option<f64>, Result<Program, SpecError>, Product)> {
    let mut all: Vec<_> = PRODUCTS
        .into_iter()
        .map(|product| {
            let program = build_with(spec, limits, product, newton);
            let estimate = program.as_ref().ok().and_then(|program| planner.estimate(spec, product, program));
            (estimate.map(|estimate| estimate.milliseconds), program, product)
        })
        .collect();
    all.sort_by(|a, b| a.0.unwrap_or(f64::INFINITY).total_cmp(&b.0.unwrap_or(f64::INFINITY)));
    all
}

/// Whether a device runs it.
fn fits(program: &Program, limits: &Limits) -> bool {
    program.render(limits).is_ok()
}

/// The program for [`Product::Auto`]: the fastest one that fits the device; if none does, the one whose products would be the
/// fastest, so that the caller learns what does not fit.
pub(super) fn choose(
    spec: &ProgramSpec,
    limits: &Limits,
    planner: &Planner,
    newton: DivNewton,
) -> Result<Program, SpecError> {
    if !has_products(spec) {
        return build_with(spec, limits, Product::Classical, newton);
    }
    let mut all = by_time(spec, limits, planner, newton);
    let fitting =
        all.iter().position(|(_, program, _)| program.as_ref().is_ok_and(|program| fits(program, limits)));
    all.swap_remove(fitting.unwrap_or(0)).1
}

/// See [`Program::candidates`].
pub(super) fn candidates(
    spec: &ProgramSpec,
    limits: &Limits,
    planner: &Planner,
) -> Result<Vec<Candidate>, SpecError> {
    let newton = DivNewton::default();
    refuse_cpu_only(&spec.dag)?;
    spec.dag.result_type(spec.ty)?;
    if !has_products(spec) {
        let program = build_with(spec, limits, Product::Classical, newton);
        let program = program.and_then(|program| program.render(limits).map(|_| program));
        let product = Product::Classical;
        return Ok(vec![Candidate { product, is_chosen: true, program, shipped: None, estimate: None }]);
    }
    let all = by_time(spec, limits, planner, newton);
    let mut is_first = true;
    let mut candidates = vec![];
    for (_, program, product) in all {
        // A program that does not fit the device is none.
        let program = program.and_then(|program| program.render(limits).map(|_| program));
        let ok = program.as_ref().ok();
        candidates.push(Candidate {
            product,
            is_chosen: is_first && ok.is_some(),
            shipped: ok.and_then(|program| planner.shipped_estimate(spec, product, program)),
            estimate: ok.and_then(|program| planner.estimate(spec, product, program)),
            program,
        });
        is_first &= candidates.last().is_none_or(|candidate| !candidate.is_chosen);
    }
    if let Some(first) = candidates.first_mut().filter(|_| is_first) {
        first.is_chosen = true;
    }
    Ok(candidates)
}
