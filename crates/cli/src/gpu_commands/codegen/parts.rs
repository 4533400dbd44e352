//! The kernels of a command line's expression.

use std::fmt;

use limbforge::prelude::*;
use limbforge_kernels_gen::{
    InputSpec, Kernel, KernelSpec, Launch, Limits, Mapping, Planner, Program, ProgramKernel, ProgramSpec,
    Sink, SpecError, Target as Compiler,
};

use super::arch::{DEFAULT_ARCH, multiprocessor, wrong_usage};
use super::arguments::{CodegenArguments, ProductArgument};
use super::transforms::Transforms;
use crate::error::CliError;
use crate::expression;
use limbforge_cli::gpu::kernels::limb_kind;

/// A kernel and its place in the program.
#[derive(Debug)]
pub(super) struct Part {
    /// From 1 on.
    pub(super) number: usize,
    /// Kernels of the program.
    of: usize,
    pub(super) role: Role,
    pub(super) kernel: ProgramKernel,
    /// How its products are computed, if by transforms.
    pub(super) transforms: Option<Transforms>,
}

/// What a kernel is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Multiplies: its digit sums, modulo each prime, are put together by a later kernel.
    Transforms,
    /// Computes integers that a later kernel takes.
    Intermediate,
    /// Computes the result.
    Result,
}

impl Part {
    /// Whether the whole program is this kernel.
    pub(super) const fn is_alone(&self) -> bool {
        self.of == 1
    }

    pub(super) fn render(&self, limits: &Limits) -> Result<Kernel, SpecError> {
        self.kernel.render(limits)
    }
}

/// As in a heading.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel {} of {}: {}", self.number, self.of, self.role)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Transforms => "transforms",
            Self::Intermediate => "intermediate",
            Self::Result => "result",
        })
    }
}

/// The kernels in the order in which they run, or the one that is picked.
pub(super) fn parts(arguments: &CodegenArguments) -> Result<Vec<Part>, CliError> {
    let mut parts = match (arguments.limbs_per_thread, arguments.instances_per_block) {
        (Some(q), Some(ipb)) => vec![mapped(arguments, q, ipb)?],
        _ => planned(arguments)?,
    };
    if let Some(kernel) = arguments.kernel {
        let of = parts.len();
        parts.retain(|part| part.number == kernel as usize);
        if parts.is_empty() {
            return Err(wrong_usage(format!(
                "`--kernel {kernel}`: expected a number from 1 to {of}, the kernels of this program"
            )));
        }
    }
    Ok(parts)
}

/// The only kernel, with the mapping that is asked for.
fn mapped(arguments: &CodegenArguments, q: u32, ipb: u32) -> Result<Part, CliError> {
    let name = match arguments.product {
        ProductArgument::Ntt => Some("ntt"),
        ProductArgument::Tensor => Some("tensor"),
        ProductArgument::Auto | ProductArgument::Classical => None,
    };
    if let Some(name) = name {
        return Err(wrong_usage(format!(
            "`--product {name}` has mappings of its own: expected no --limbs-per-thread and --instances-per-block"
        )));
    }
    let ProgramSpec { dag, ty, limb, inputs, output, target, .. } = specification(arguments)?;
    let mapping = Mapping::from_limbs_per_thread(&dag, ty, limb, q, ipb)?;
    let spec = KernelSpec::new(dag, ty, limb, inputs, output, mapping, target)?;
    let kernel = ProgramKernel::Expression(Box::new(spec));
    Ok(Part { number: 1, of: 1, role: Role::Result, kernel, transforms: None })
}

fn planned(arguments: &CodegenArguments) -> Result<Vec<Part>, CliError> {
    // The first architecture decides: the kernels are the same for all.
    let first = arguments.archs.first().copied().unwrap_or(DEFAULT_ARCH);
    let (limits, planner) = (multiprocessor(first)?.limits, Planner::new(first.number()));
    let spec = specification(arguments)?;
    let program = match arguments.mapping {
        Some(mapping) => Program::with_mapping(&spec, &limits, mapping)?,
        None => Program::planned(&spec, &limits, &planner)?,
    };
    let transforms = Transforms::of(&program);
    let of = program.launches.len();
    let part = |(i, (launch, transforms)): (usize, (&Launch, Option<Transforms>))| {
        let kernel = program.kernel(launch).clone();
        let role = match (&kernel, launch.output) {
            (ProgramKernel::MulNtt(_), _) => Role::Transforms,
            (_, Sink::Buffer(_) | Sink::Uniform(_)) => Role::Intermediate,
            (_, Sink::Result) => Role::Result,
        };
        Part { number: i + 1, of, role, kernel, transforms }
    };
    Ok(program.launches.iter().zip(transforms).enumerate().map(part).collect())
}

fn specification(arguments: &CodegenArguments) -> Result<ProgramSpec, CliError> {
    let ty =
        IntType::new(arguments.bits, arguments.signed).map_err(|error| wrong_usage(error.to_string()))?;
    let dag = expression::parse(&arguments.expression, None, ty)?.to_dag();
    let layout = arguments.layout.into();
    for name in &arguments.broadcast {
        if !dag.inputs().any(|used| used == name) {
            return Err(wrong_usage(format!("`--broadcast {name}`: the expression does not use `{name}`")));
        }
    }
    let input = |name: &str| {
        let broadcast = arguments.broadcast.iter().any(|other| other == name);
        InputSpec::integers(name, layout, broadcast)
    };
    let inputs = dag.inputs().map(input).collect();
    let (limb, product) = (limb_kind(arguments.limb), arguments.product.into());
    Ok(ProgramSpec { dag, ty, limb, inputs, output: layout, product, target: Compiler::Cuda })
}
