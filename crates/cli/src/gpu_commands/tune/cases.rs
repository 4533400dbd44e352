//! The measured expressions, widths and limbs, each with the candidates that may be the fastest.

use std::fmt;

use limbforge::{limb::IntType, prelude::Expr};
use limbforge_kernels_gen::{
    Candidate, Limits, Planner, Product, ProductMapping, Program, ProgramSpec, RankedMapping,
};

use super::arguments::{Op, TuneArguments};
use crate::{args::LimbArgument, error::CliError};
use limbforge_cli::gpu::kernels::program_spec;
use limbforge_cli::gpu::tile::{NAMES, POLY, operand_count};

/// Candidates whose expected time exceeds this multiple of the fastest are not measured.
const HOPELESS: f64 = 3.0;

/// Above this multiple of the fastest, only the planned mapping is measured.
const FAR: f64 = 1.5;

/// The most that the choice may take, as a multiple of the fastest, at tuned widths and at others.
const TUNED_LIMIT: f64 = 1.05;
const UNTUNED_LIMIT: f64 = 1.15;

/// An expression of a width and a limb.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) expression: String,
    pub(super) ty: IntType,
    pub(super) limb: LimbArgument,
    /// The choice of plans.
    pub(super) chosen: (Product, Option<ProductMapping>),
    /// The most that the choice may take, as a multiple of the fastest.
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
    /// By the shipped times.
    pub(super) expected_ms: Option<f64>,
    /// By the many-core model, which decides where there is no shipped time.
    pub(super) model_ms: Option<f64>,
    /// Once measured: the time, or why there is none.
    pub(super) outcome: Option<Result<Time, String>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Time {
    /// The median, scaled to 2^32 bits of each operand.
    pub(super) ms: f64,
    pub(super) instances: u64,
    pub(super) repeats: u32,
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

/// All cases, those of the same limb and width one after the other.
pub(super) fn cases(
    arguments: &TuneArguments,
    limits: &Limits,
    planner: &Planner,
) -> Result<Vec<Case>, CliError> {
    let chooser = Chooser { arguments, limits, planner };
    let mut cases = vec![];
    for &limb in &arguments.limb {
        for &ty in &arguments.bits.0 {
            for expression in expressions(arguments) {
                cases.extend(chooser.case(expression, ty, limb)?);
            }
        }
    }
    Ok(cases)
}

/// The choice of candidates.
struct Chooser<'a> {
    arguments: &'a TuneArguments,
    limits: &'a Limits,
    planner: &'a Planner,
}

impl Chooser<'_> {
    /// None for an expression without products, which leaves no choice.
    fn case(&self, expression: &str, ty: IntType, limb: LimbArgument) -> Result<Option<Case>, CliError> {
        let spec = program_spec(Expr::parse(expression)?.to_dag(), Product::Auto, ty, limb);
        let candidates = Program::candidates(&spec, self.limits, self.planner)?;
        let chosen = candidates.iter().find(|candidate| candidate.is_chosen);
        let Some(chosen) = chosen.filter(|_| candidates.len() > 1) else { return Ok(None) };
        // The model judges candidates that were never measured.
        let times = candidates.iter().map(|candidate| {
            let model_ms = self.model_ms(candidate, &spec);
            (candidate, model_ms, candidate.milliseconds().or(model_ms))
        });
        let times: Vec<_> = times.collect();
        let fastest = times.iter().filter_map(|(.., ms)| *ms).reduce(f64::min).unwrap_or(f64::INFINITY);
        let mut jobs = vec![];
        for (candidate, model_ms, ms) in times.into_iter().filter(|(candidate, ..)| candidate.program.is_ok())
        {
            let is_kept = self.arguments.all || candidate.is_chosen;
            let within = |factor: f64| is_kept || ms.is_none_or(|ms| ms <= factor * fastest);
            if within(HOPELESS) {
                let spec = ProgramSpec { product: candidate.product, ..spec.clone() };
                let count = if within(FAR) { self.arguments.mappings } else { 1 };
                jobs.extend(self.jobs(&spec, candidate, model_ms, count)?);
            }
        }
        let is_tuned = self.planner.tuned_widths(&spec.dag, chosen.product).contains(&ty.bits());
        let limit = if is_tuned { TUNED_LIMIT } else { UNTUNED_LIMIT };
        let (expression, chosen) = (expression.to_owned(), (chosen.product, chosen.mapping));
        Ok(Some(Case { expression, ty, limb, chosen, limit, jobs }))
    }

    /// The many-core model's time of a candidate with kernels.
    fn model_ms(&self, candidate: &Candidate, spec: &ProgramSpec) -> Option<f64> {
        let program = candidate.program.as_ref().ok()?;
        self.planner.many_core(spec, program, self.limits).ok().map(|measures| measures.milliseconds())
    }

    /// A candidate with the planned mapping, the chosen one, and the best others by the model, `count` in all
    /// or one more. Mappings that differ only in the size of blocks come last: the model hardly tells them
    /// apart.
    fn jobs(
        &self,
        spec: &ProgramSpec,
        candidate: &Candidate,
        model_ms: Option<f64>,
        count: u32,
    ) -> Result<Vec<Job>, CliError> {
        let mut ranked = self.planner.mappings(spec, candidate.product, self.limits)?;
        ranked.sort_by_key(|mapping| !mapping.is_planned);
        let all: Vec<ProductMapping> = ranked.iter().map(|ranked| ranked.mapping).collect();
        let mut ranked: Vec<(usize, RankedMapping)> = ranked.into_iter().enumerate().collect();
        ranked.sort_by_key(|(i, ranked)| all[..*i].iter().any(|before| before.is_alike(ranked.mapping)));
        let (spec, outcome, expected_ms) = (|| spec.clone(), None, candidate.milliseconds());
        // Kernels without mappings stay as they are.
        let program = match ranked.first() {
            Some((_, planned)) => planned.program.clone(),
            None => candidate.program.clone()?,
        };
        let mut jobs = vec![Job { spec: spec(), mapping: None, program, expected_ms, model_ms, outcome }];
        for (place, (_, ranked)) in (0..).zip(ranked).skip(1) {
            let RankedMapping { mapping, program, model, .. } = ranked;
            if place < count || candidate.mapping == Some(mapping) {
                let (mapping, model_ms) = (Some(mapping), Some(model.milliseconds()));
                jobs.push(Job { spec: spec(), mapping, program, expected_ms: None, model_ms, outcome: None });
            }
        }
        Ok(jobs)
    }
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
