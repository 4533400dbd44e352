//! What is measured: expressions, widths and limbs, and of each the candidates that may be the fastest.

use std::fmt;

use limbforge::limb::IntType;
use limbforge::prelude::Expr;
use limbforge_kernels_gen::{
    Candidate, Limits, Planner, Product, ProductMapping, Program, ProgramSpec, RankedMapping,
};

use super::{Op, TuneArguments};
use crate::args::LimbArgument;
use crate::error::CliError;
use limbforge_cli::gpu::batch::{NAMES, POLY, operand_count};
use limbforge_cli::gpu::kernels::program_spec;

/// Candidates that should take more of the fastest are not measured.
const HOPELESS: f64 = 3.0;

/// Of candidates that should take more of the fastest, only the planned mapping is measured.
const FAR: f64 = 1.5;

/// What the choice may take of the fastest at widths that were tuned, and at others.
const TUNED_LIMIT: f64 = 1.05;
const UNTUNED_LIMIT: f64 = 1.15;

/// An expression of a width and a limb.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) expression: String,
    pub(super) ty: IntType,
    pub(super) limb: LimbArgument,
    /// What plans choose.
    pub(super) chosen: (Product, Option<ProductMapping>),
    /// What that may take of the fastest.
    pub(super) limit: f64,
    pub(super) jobs: Vec<Job>,
}

/// A candidate that is measured.
#[derive(Clone, Debug)]
pub(super) struct Job {
    /// With the candidate's product.
    pub(super) spec: ProgramSpec,
    /// None for the planned one.
    pub(super) mapping: Option<ProductMapping>,
    pub(super) program: Program,
    /// What it should take by the shipped times.
    pub(super) expected_ms: Option<f64>,
    /// What it should take by the many-core model, by which it is judged where there is no shipped time.
    pub(super) model_ms: Option<f64>,
}

impl Op {
    const fn expression(self) -> &'static str {
        match self {
            Self::Mul => "a * b",
            Self::Sqr => "a * a",
            Self::MulWide => "mul_wide(a, b)",
            Self::MulHigh => "mulhi(a, b)",
            Self::Poly => POLY,
        }
    }
}

fn expressions(arguments: &TuneArguments) -> impl Iterator<Item = &str> {
    let ops = arguments.ops.iter().map(|op| op.expression());
    ops.chain(arguments.expression.iter().map(|text| &**text))
}

/// How many operands the expressions take.
///
/// # Errors
/// An expression that is none, or has other operands than those that are measured with.
pub(super) fn operands(arguments: &TuneArguments) -> Result<usize, CliError> {
    let mut most = 0;
    for text in expressions(arguments) {
        let Some(count) = operand_count(&Expr::parse(text)?.to_dag()) else {
            let why = format!("`--expression {text}`: expected no operands but {}", NAMES.join(", "));
            return Err(CliError::Usage { command: "tune", why });
        };
        most = most.max(count);
    }
    Ok(most)
}

/// All cases, those of the same limb and width one after the other. An expression without products has nothing to choose.
pub(super) fn cases(
    arguments: &TuneArguments,
    limits: &Limits,
    planner: &Planner,
) -> Result<Vec<Case>, CliError> {
    let mut cases = vec![];
    for &limb in &arguments.limb {
        for &ty in &arguments.bits.0 {
            for expression in expressions(arguments) {
                let spec = program_spec(expression, Product::Auto, ty, limb)?;
                let candidates = Program::candidates(&spec, limits, planner)?;
                let chosen = candidates.iter().find(|candidate| candidate.is_chosen);
                let Some(chosen) = chosen.filter(|_| candidates.len() > 1) else { continue };
                let model: Vec<Option<f64>> =
                    candidates.iter().map(|candidate| modelled(candidate, &spec, limits, planner)).collect();
                let chosen_at = (chosen.product, chosen.mapping);
                let is_tuned = planner.tuned_widths(&spec.dag, chosen.product).contains(&ty.bits());
                let limit = if is_tuned { TUNED_LIMIT } else { UNTUNED_LIMIT };
                let mut jobs = vec![];
                for Hopeful { candidate, model_ms, near } in hopeful(&candidates, &model, arguments.all) {
                    let spec = ProgramSpec { product: candidate.product, ..spec.clone() };
                    let count = if near { arguments.mappings as usize } else { 1 };
                    jobs.extend(jobs_of(&spec, candidate, model_ms, count, limits, planner)?);
                }
                cases.push(Case {
                    expression: expression.to_owned(),
                    ty,
                    limb,
                    chosen: chosen_at,
                    limit,
                    jobs,
                });
            }
        }
    }
    Ok(cases)
}

/// The many-core model's time of a candidate with kernels.
fn modelled(candidate: &Candidate, spec: &ProgramSpec, limits: &Limits, planner: &Planner) -> Option<f64> {
    let program = candidate.program.as_ref().ok()?;
    planner.many_core(spec, program, limits).ok().map(|measures| measures.milliseconds())
}

/// A candidate that is measured.
struct Hopeful<'c> {
    candidate: &'c Candidate,
    model_ms: Option<f64>,
    /// Whether another mapping may make it the fastest.
    near: bool,
}

/// Candidates with kernels that may be the fastest, and what they take by the model, which judges those of which nothing was measured.
fn hopeful<'c>(candidates: &'c [Candidate], model: &[Option<f64>], all: bool) -> Vec<Hopeful<'c>> {
    let time = |candidate: &Candidate, model: Option<f64>| candidate.milliseconds().or(model);
    let pairs = || candidates.iter().zip(model.iter().copied());
    let known = pairs().filter_map(|(candidate, model)| time(candidate, model));
    let fastest = known.reduce(f64::min).unwrap_or(f64::INFINITY);
    let within = |candidate: &Candidate, model: Option<f64>, factor: f64| {
        time(candidate, model).is_none_or(|milliseconds| milliseconds <= factor * fastest)
    };
    let may_be = |&(candidate, model): &(&Candidate, Option<f64>)| {
        candidate.program.is_ok() && (all || within(candidate, model, HOPELESS) || candidate.is_chosen)
    };
    let hopeful = pairs().filter(may_be).map(|(candidate, model_ms)| Hopeful {
        candidate,
        model_ms,
        near: all || within(candidate, model_ms, FAR) || candidate.is_chosen,
    });
    hopeful.collect()
}

/// A candidate with the planned mapping, the one that plans take, and the best others by the model: `count` in all, or more where
/// plans take one that is not among them. Those that differ in the size of blocks alone come last: the model hardly tells them apart.
fn jobs_of(
    spec: &ProgramSpec,
    candidate: &Candidate,
    model_ms: Option<f64>,
    count: usize,
    limits: &Limits,
    planner: &Planner,
) -> Result<Vec<Job>, CliError> {
    let expected_ms = candidate.milliseconds();
    let ranked = planner.mappings(spec, candidate.product, limits)?;
    let (planned, others): (Vec<RankedMapping>, Vec<RankedMapping>) =
        ranked.into_iter().partition(|mapping| mapping.is_planned);
    let mut seen: Vec<ProductMapping> = planned.iter().map(|planned| planned.mapping).collect();
    let (different, alike): (Vec<RankedMapping>, Vec<RankedMapping>) =
        others.into_iter().partition(|RankedMapping { mapping, .. }| {
            let is_different = seen.iter().all(|seen| !seen.is_alike(*mapping));
            seen.push(*mapping);
            is_different
        });
    // Kernels without mappings are as they are.
    let program = planned.into_iter().next().map(|mapping| Ok(mapping.program));
    let program = program.unwrap_or_else(|| candidate.program.clone())?;
    let mut jobs = vec![Job { spec: spec.clone(), mapping: None, program, expected_ms, model_ms }];
    for (place, ranked) in (1..).zip(different.into_iter().chain(alike)) {
        let RankedMapping { mapping, program, model, .. } = ranked;
        if place < count || candidate.mapping == Some(mapping) {
            let (mapping, model_ms) = (Some(mapping), Some(model.milliseconds()));
            jobs.push(Job { spec: spec.clone(), mapping, program, expected_ms: None, model_ms });
        }
    }
    Ok(jobs)
}

/// Its product, and its mapping if it is not the planned one.
impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mapping {
            Some(mapping) => write!(f, "{} {mapping}", self.spec.product),
            None => self.spec.product.fmt(f),
        }
    }
}
