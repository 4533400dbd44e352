//! What is measured: expressions, widths and limbs, and of each the candidates that may be the fastest.

use limbforge::limb::IntType;
use limbforge::prelude::Expr;
use limbforge_kernels_gen::{Candidate, Limits, Planner, Product, Program, ProgramSpec};

use super::{Op, TuneArguments};
use crate::args::LimbArgument;
use crate::bench::{NAMES, POLY, operand_count, program_spec};
use crate::error::CliError;

/// Candidates that should take more of the fastest are not measured.
const HOPELESS: f64 = 3.0;

/// An expression of a width and a limb.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) expression: String,
    pub(super) ty: IntType,
    pub(super) limb: LimbArgument,
    /// What is chosen without tuning.
    pub(super) shipped: Product,
    pub(super) jobs: Vec<Job>,
}

/// A candidate that is measured.
#[derive(Clone, Debug)]
pub(super) struct Job {
    /// With the candidate's product.
    pub(super) spec: ProgramSpec,
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
    shipped: &Planner,
) -> Result<Vec<Case>, CliError> {
    let mut cases = vec![];
    for &limb in &arguments.limb {
        for &ty in &arguments.bits.0 {
            for expression in expressions(arguments) {
                let spec = program_spec(expression, Product::Auto, ty, limb)?;
                let candidates = Program::candidates(&spec, limits, shipped)?;
                let chosen = candidates.iter().find(|candidate| candidate.is_chosen);
                let Some(chosen) = chosen.filter(|_| candidates.len() > 1) else { continue };
                let model: Vec<Option<f64>> =
                    candidates.iter().map(|candidate| modelled(candidate, &spec, limits, shipped)).collect();
                let jobs = hopeful(&candidates, &model, arguments.all).map(|(candidate, model_ms)| Job {
                    spec: ProgramSpec { product: candidate.product, ..spec.clone() },
                    expected_ms: candidate.milliseconds(),
                    model_ms,
                });
                let (expression, shipped) = (expression.to_owned(), chosen.product);
                cases.push(Case { expression, ty, limb, shipped, jobs: jobs.collect() });
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

/// Candidates with kernels that may be the fastest, and what they take by the model, which judges those of which nothing was measured.
fn hopeful<'c>(
    candidates: &'c [Candidate],
    model: &'c [Option<f64>],
    all: bool,
) -> impl Iterator<Item = (&'c Candidate, Option<f64>)> {
    let time = |candidate: &Candidate, model: Option<f64>| candidate.milliseconds().or(model);
    let pairs = move || candidates.iter().zip(model.iter().copied());
    let known = pairs().filter_map(|(candidate, model)| time(candidate, model));
    let most = HOPELESS * known.reduce(f64::min).unwrap_or(f64::INFINITY);
    pairs().filter(move |&(candidate, model)| {
        let may_be = time(candidate, model).is_none_or(|ms| ms <= most);
        candidate.program.is_ok() && (all || may_be || candidate.is_chosen)
    })
}
