//! The kernels of a command line's expression.

use std::fmt;

use limbforge::prelude::*;
use limbforge_kernels_gen::{Launch, Planner, Product, Program, ProgramKernel, ProgramSpec, Sink};

use super::{
    DEFAULT_ARCH, arguments::CodegenArguments, arguments::LayoutArgument, multiprocessor,
    transforms::Transforms, wrong_usage,
};
use crate::{error::CliError, expression};
use limbforge_cli::gpu::kernels::{Threads, kernel_spec, program_spec};

/// A kernel and its place in the program.
#[derive(Debug)]
pub(super) struct Part {
    /// From 1 on.
    pub(super) number: usize,
    /// Kernels of the program.
    of: usize,
    /// `transforms` (coefficients modulo each prime, for a later kernel), `intermediate` or `result`.
    pub(super) role: &'static str,
    pub(super) kernel: ProgramKernel,
    pub(super) transforms: Option<Transforms>,
}

impl Part {
    /// Whether the whole program is this kernel.
    pub(super) const fn is_alone(&self) -> bool {
        self.of == 1
    }
}

/// The heading.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel {} of {}: {}", self.number, self.of, self.role)
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
    let product = Product::from(arguments.product);
    if product.is_rns() || matches!(product, Product::Ntt | Product::Tensor | Product::Fold) {
        return Err(wrong_usage(format!(
            "`--product {product}` has mappings of its own: expected no --limbs-per-thread and --instances-per-block"
        )));
    }
    let spec = kernel_spec(specification(arguments)?, Threads::Limbs(q, ipb))?;
    Ok(Part { number: 1, of: 1, role: "result", kernel: spec.into(), transforms: None })
}

fn planned(arguments: &CodegenArguments) -> Result<Vec<Part>, CliError> {
    // The kernels are the same for all architectures: the first one decides.
    let first = arguments.archs.first().copied().unwrap_or(DEFAULT_ARCH);
    let limits = multiprocessor(first)?.limits;
    let spec = specification(arguments)?;
    let program = match arguments.mapping {
        Some(mapping) => Program::with_mapping(&spec, &limits, mapping)?,
        None => Program::planned(&spec, &limits, &Planner::new(first.number()))?,
    };
    let transforms = Transforms::of(&program);
    let of = program.launches.len();
    let part = |(i, (launch, transforms)): (usize, (&Launch, Option<Transforms>))| {
        let kernel = program.kernel(launch).clone();
        let role = match &kernel {
            ProgramKernel::MulNtt(_) => "transforms",
            _ if launch.outputs.iter().any(|output| matches!(output, Sink::Result(_))) => "result",
            _ => "intermediate",
        };
        Part { number: i + 1, of, role, kernel, transforms }
    };
    Ok(program.launches.iter().zip(transforms).enumerate().map(part).collect())
}

fn specification(arguments: &CodegenArguments) -> Result<ProgramSpec, CliError> {
    let ty =
        IntType::new(arguments.bits, arguments.signed).map_err(|error| wrong_usage(error.to_string()))?;
    let dag = expression::parse(&arguments.expression, None, ty)?.to_dag();
    let mut spec = program_spec(dag, arguments.product.into(), ty, arguments.limb);
    if arguments.layout == LayoutArgument::Interleaved {
        spec.output = Layout::Interleaved;
    }
    for input in &mut spec.inputs {
        input.layout = spec.output;
    }
    for name in &arguments.broadcast {
        let Some(input) = spec.inputs.iter_mut().find(|input| input.name == *name) else {
            return Err(wrong_usage(format!("`--broadcast {name}`: the expression does not use `{name}`")));
        };
        input.broadcast = true;
    }
    Ok(spec)
}
