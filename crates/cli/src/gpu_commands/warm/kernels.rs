//! The kernels that evaluations load.

use std::collections::HashSet;

use limbforge_gpu::{Arch, DeviceInfo, GpuError, Nvrtc, NvrtcError, Target, devices};
use limbforge_kernels_gen::{Limits, Planner, Product, Program, ProgramSpec, SpecError};
use serde::Serialize;

use super::arguments::{Wanted, WarmArguments};
use crate::args::BackendArgument;
use crate::error::CliError;
use limbforge_cli::gpu::kernels::{multiprocessor, planner, program_spec};

/// A GPU that kernels are planned for.
struct Site {
    limits: Limits,
    planner: Planner,
    target: Target,
}

/// A kernel of a program.
pub(super) struct ToCompile {
    pub(super) expression: String,
    pub(super) ty: String,
    pub(super) limb: &'static str,
    /// From 1 on, of so many kernels of the program.
    pub(super) number: usize,
    pub(super) of: usize,
    pub(super) spec: String,
    pub(super) source: String,
    pub(super) target: Target,
}

/// An expression without kernels.
#[derive(Debug, Serialize)]
pub(super) struct Refused {
    pub(super) expression: String,
    #[serde(rename = "type")]
    pub(super) ty: String,
    pub(super) arch: String,
    pub(super) why: String,
}

/// All kernels, each once, and the expressions that have none.
#[derive(Default)]
pub(super) struct Kernels {
    pub(super) all: Vec<ToCompile>,
    pub(super) refused: Vec<Refused>,
}

pub(super) fn kernels(
    arguments: &WarmArguments,
    expressions: &[Wanted],
    nvrtc: &Nvrtc,
) -> Result<Kernels, CliError> {
    let (mut found, mut seen) = (Kernels::default(), HashSet::new());
    for site in sites(arguments, nvrtc)? {
        for wanted in expressions {
            match of_expression(arguments, wanted, &site) {
                Ok(kernels) => {
                    found
                        .all
                        .extend(kernels.into_iter().filter(|k| seen.insert((k.source.clone(), k.target))));
                }
                Err(error) if arguments.all => found.refused.push(Refused {
                    expression: wanted.text.clone(),
                    ty: wanted.ty.to_string(),
                    arch: site.target.arch().to_string(),
                    why: error.to_string(),
                }),
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(found)
}

/// The architecture that is asked for, or the GPUs of this machine.
fn sites(arguments: &WarmArguments, nvrtc: &Nvrtc) -> Result<Vec<Site>, CliError> {
    if let Some(asked) = arguments.arch {
        // A device has its number alone, and all instructions of it.
        let arch = Arch::from_number(asked.number());
        let known = multiprocessor("warm", "--arch", arch)?.limits;
        let limits = Limits { warpgroups: arch == Arch::new(9, 0), ..known };
        return Ok(vec![Site {
            limits,
            planner: Planner::new(arch.number()),
            target: target(arch, &limits, nvrtc)?,
        }]);
    }
    let mut infos: Vec<DeviceInfo> = devices()?;
    if let Some(BackendArgument::Gpu(asked)) = arguments.backend {
        let found = infos.len();
        infos.retain(|info| info.ordinal == asked);
        if infos.is_empty() {
            return Err(GpuError::Ordinal { asked, found }.into());
        }
    }
    let site = |info: &DeviceInfo| {
        let limits = info.limits();
        Ok(Site { limits, planner: planner(info), target: target(info.arch, &limits, nvrtc)? })
    };
    infos.iter().map(site).collect()
}

fn target(arch: Arch, limits: &Limits, nvrtc: &Nvrtc) -> Result<Target, CliError> {
    let known = nvrtc.architectures();
    Target::of_kernels(arch, limits, known).ok_or_else(|| {
        NvrtcError::Architecture { asked: arch, known: known.to_vec(), version: nvrtc.version() }.into()
    })
}

/// The kernels that an engine loads for an expression on a GPU.
fn of_expression(
    arguments: &WarmArguments,
    wanted: &Wanted,
    site: &Site,
) -> Result<Vec<ToCompile>, SpecError> {
    let Site { limits, planner, target } = site;
    let mut spec: ProgramSpec = program_spec(wanted.expr.to_dag(), Product::Auto, wanted.ty, arguments.limb);
    for input in &mut spec.inputs {
        input.broadcast = arguments.broadcast.contains(&input.name);
    }
    let (program, kernels) = Program::with_kernels(&spec, limits, planner)?;
    let of = kernels.len();
    let named = program.kernels.iter().zip(kernels).enumerate();
    let to_compile = |(i, (kernel, rendered)): (
        usize,
        (&limbforge_kernels_gen::ProgramKernel, limbforge_kernels_gen::Kernel),
    )| ToCompile {
        expression: wanted.text.clone(),
        ty: wanted.ty.to_string(),
        limb: arguments.limb.name(),
        number: i + 1,
        of,
        spec: kernel.to_string(),
        source: rendered.source,
        target: *target,
    };
    Ok(named.map(to_compile).collect())
}
