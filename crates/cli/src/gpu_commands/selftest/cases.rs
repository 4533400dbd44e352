//! What the selftest runs.

mod batched;
mod division;
mod kernels;
mod programs;
mod tensor;
mod transforms;
mod widest;

use std::fmt;

pub(super) use self::batched::BatchedTransform;
pub(super) use self::programs::ProgramCase;
use super::random::RandomCase;
use limbforge::algos::expr::Expr;
use limbforge::limb::{IntType, Layout};
use limbforge_kernels_gen::{KernelSpec, Product, ProgramSpec, SpecError};

use crate::args::LimbArgument;
use crate::error::CliError;
use limbforge_cli::gpu::kernels::{Places, Threads, limb_kind, specification};

/// Expressions that have the same operations, and so the same templates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Family {
    pub(super) name: &'static str,
    expression: &'static str,
    /// Whether results depend on the sign.
    signs: bool,
}

const fn family(name: &'static str, expression: &'static str, signs: bool) -> Family {
    Family { name, expression, signs }
}

const LIMBS: [LimbArgument; 3] = [LimbArgument::U32, LimbArgument::U64, LimbArgument::U128];

/// Products by transforms of integers up to this width run on every GPU that there are kernels for.
const WIDEST_EVERYWHERE: u32 = 1 << 16;

/// The same of products on tensor cores.
const WIDEST_TENSOR_EVERYWHERE: u32 = 1 << 16;

/// How an expression is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// By one kernel with these threads.
    Kernel(Threads),
    /// By several kernels, with products by transforms.
    Transforms,
    /// By several kernels, with products on tensor cores.
    Tensor,
}

/// What a case asks the generator for.
#[derive(Clone, Debug)]
pub(super) enum Spec {
    Kernel(KernelSpec),
    Program(ProgramSpec),
}

/// What is run and compared.
#[derive(Clone, Copy, Debug)]
pub(super) enum Case {
    Evaluation(Evaluation),
    Batched(BatchedTransform),
    Program(ProgramCase),
    Random(RandomCase),
}

impl Case {
    /// What rows of the report have in common: family, limb or word, algorithm.
    pub(super) fn key(&self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Evaluation(case) => (case.family.name, case.limb_name(), case.algorithm()),
            Self::Batched(case) => ("transform", case.word_name(), case.class_name()),
            Self::Program(case) => (case.name(), case.word_name(), case.algorithm()),
            Self::Random(case) => ("random", case.limb.name(), "any"),
        }
    }

    /// Bits of the integers, points of the transforms, terms of the longer polynomial, or keys.
    pub(super) fn size(&self) -> u32 {
        match self {
            Self::Evaluation(case) => case.ty.bits(),
            Self::Batched(case) => case.points,
            Self::Program(case) => case.size(),
            Self::Random(case) => case.ty.bits(),
        }
    }
}

/// As the filter sees it.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Evaluation(case) => case.fmt(f),
            Self::Batched(case) => case.fmt(f),
            Self::Program(case) => case.fmt(f),
            Self::Random(case) => case.fmt(f),
        }
    }
}

/// One kernel, or the program of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evaluation {
    pub(super) family: Family,
    pub(super) ty: IntType,
    pub(super) limb: LimbArgument,
    pub(super) method: Method,
    pub(super) places: Places,
}

impl Evaluation {
    /// What is asked for: one kernel, or as many as the transforms take.
    pub(super) fn spec(&self) -> Result<Spec, CliError> {
        let dag = Expr::parse(self.family.expression)?.to_dag();
        let limb = limb_kind(self.limb);
        let (threads, product) = match self.method {
            Method::Kernel(threads) => (threads, None),
            Method::Transforms => (Threads::Planned, Some(Product::Ntt)),
            Method::Tensor => (Threads::Planned, Some(Product::Tensor)),
        };
        let kernel = specification(dag, self.ty, limb, threads, self.places)?;
        let Some(product) = product else { return Ok(Spec::Kernel(kernel)) };
        let KernelSpec { dag, ty, limb, inputs, output, target, .. } = kernel;
        Ok(Spec::Program(ProgramSpec { dag, ty, limb, inputs, output, product, target }))
    }

    /// Whether this is why a mapping that nobody has planned does not run, a GPU with less shared memory does not run
    /// what needs most, or one without products of matrices does not run what needs them.
    pub(super) fn may_refuse(&self, error: &CliError) -> bool {
        if self.method == Method::Tensor && matches!(error, CliError::Spec(SpecError::Matrices)) {
            return true;
        }
        let too_large = matches!(
            error,
            CliError::Spec(
                SpecError::Registers { .. }
                    | SpecError::Threads { .. }
                    | SpecError::SharedMemory { .. }
                    | SpecError::Warp { .. }
            )
        );
        let widest = match self.method {
            Method::Transforms => self.ty.bits() > WIDEST_EVERYWHERE,
            // Without products of matrices wide divisions go through single warps.
            Method::Tensor => {
                self.ty.bits() > WIDEST_TENSOR_EVERYWHERE
                    || stays_in_warp(self.family.expression).unwrap_or(false)
            }
            Method::Kernel(_) => false,
        };
        too_large && (widest || matches!(self.method, Method::Kernel(Threads::Limbs(..))))
    }

    /// What multiplies, as a word of the report.
    pub(super) fn algorithm(&self) -> &'static str {
        match self.method {
            Method::Transforms => "ntt",
            Method::Tensor => "tensor",
            Method::Kernel(_) if self.multiplies() => "classical",
            Method::Kernel(_) => "-",
        }
    }

    pub(super) fn multiplies(&self) -> bool {
        multiplies(self.family.expression).unwrap_or(false)
    }

    pub(super) fn limb_name(&self) -> &'static str {
        self.limb.name()
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} ", self.family.name, self.limb_name(), self.ty)?;
        match self.method {
            Method::Kernel(Threads::Planned) => f.write_str("planned")?,
            Method::Kernel(Threads::Limbs(q, ipb)) => write!(f, "q={q} ipb={ipb}")?,
            Method::Transforms => f.write_str("ntt")?,
            Method::Tensor => f.write_str("tensor")?,
        }
        let name = |layout| if layout == Layout::Interleaved { "interleaved" } else { "major" };
        write!(f, " {}-{}", name(self.places.inputs), name(self.places.output))?;
        if self.places.broadcast_last { f.write_str(" broadcast") } else { Ok(()) }
    }
}

/// All cases but random ones, or a few of each family: kernels of one expression, products by transforms and on tensor cores, batched
/// transforms, programs of polynomials and sorts.
pub(super) fn all(small: bool) -> Result<Vec<Case>, CliError> {
    let evaluations =
        kernels::cases(small)?.into_iter().chain(transforms::cases(small)).chain(tensor::cases(small));
    let evaluations = evaluations.chain(widest::cases(small)).chain(division::cases(small));
    Ok(evaluations
        .map(Case::Evaluation)
        .chain(batched::cases(small).into_iter().map(Case::Batched))
        .chain(programs::cases(small).into_iter().map(Case::Program))
        .collect())
}

fn multiplies(expression: &str) -> Result<bool, CliError> {
    let dag = Expr::parse(expression)?.to_dag();
    Ok(dag.nodes().iter().any(|node| node.op.is_product()))
}

fn stays_in_warp(expression: &str) -> Result<bool, CliError> {
    let dag = Expr::parse(expression)?.to_dag();
    Ok(dag.nodes().iter().any(|node| node.op.is_within_warp()))
}

#[cfg(test)]
mod tests {
    use limbforge_kernels_gen::{Limits, Program, render};

    use super::*;

    fn fits(case: &Evaluation, limits: &Limits) -> Result<(), CliError> {
        match case.spec()? {
            Spec::Kernel(spec) => drop(render(&spec, limits)?),
            Spec::Program(spec) => drop(Program::new(&spec, limits)?.render(limits)?),
        }
        Ok(())
    }

    #[test]
    fn every_planned_kernel_renders_and_few_others_are_refused() {
        for small in [true, false] {
            let mut cases: Vec<Evaluation> =
                kernels::cases(small).unwrap().into_iter().chain(transforms::cases(small)).collect();
            cases.extend(widest::cases(small));
            let mut refused = 0;
            for case in &cases {
                if let Err(error) = fits(case, &Limits::SM_90) {
                    let forced = matches!(case.method, Method::Kernel(Threads::Limbs(..)));
                    assert!(forced && case.may_refuse(&error), "{case}: {error}");
                    refused += 1;
                }
            }
            println!("{} kernels, {refused} refused", cases.len());
            assert!(10 * refused <= cases.len(), "{refused} of {} refused", cases.len());
        }
    }

    #[test]
    fn transforms_on_the_smallest_gpu() {
        for case in transforms::cases(false) {
            if let Err(error) = fits(&case, &Limits::SM_75) {
                assert!(case.may_refuse(&error), "{case}: {error}");
            }
        }
    }

    #[test]
    fn products_on_tensor_cores_on_other_gpus() {
        for case in tensor::cases(false) {
            assert!(fits(&case, &Limits::SM_80).is_ok(), "{case}");
            for limits in [Limits::SM_75, Limits::SM_86] {
                if let Err(error) = fits(&case, &limits) {
                    assert!(case.may_refuse(&error), "{case}: {error}");
                }
            }
        }
    }

    #[test]
    fn wide_divisions_on_all_gpus() {
        for case in division::cases(true).into_iter().chain(division::cases(false)) {
            assert!(fits(&case, &Limits::SM_90).is_ok(), "{case}");
            for limits in [Limits::SM_75, Limits::SM_80, Limits::SM_86] {
                if let Err(error) = fits(&case, &limits) {
                    assert!(case.may_refuse(&error), "{case}: {error}");
                }
            }
        }
    }

    #[test]
    fn names_that_a_filter_picks() {
        let names: Vec<String> = all(true).unwrap().iter().map(Case::to_string).collect();
        let count = |text: &str| names.iter().filter(|name| name.contains(text)).count();
        assert_eq!((count(" ntt "), count("mul u32 u131 ntt"), count("poly-")), (20, 1, 48));
        assert_eq!((count(" tensor "), count("mul u32 u131 tensor")), (37, 1));
        assert_eq!(count("transform u64 Lazy64 4179340454199820289 points="), 5);
    }
}
