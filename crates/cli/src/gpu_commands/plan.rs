//! `limbforge plan`: how an expression would be computed on a GPU, and why.

mod report;

use std::path::Path;

use clap::Args;
use limbforge::limb::IntType;
use limbforge_gpu::{Arch, GpuError, devices};
use limbforge_kernels_gen::{Candidate, Limits, Planner, Product, Program, ProgramSpec, SpecError};

use crate::args::{GpuArgument, LimbArgument};
use crate::run::{self, BitsArgument};
use crate::{error::CliError, expression, output};
use limbforge_cli::gpu::kernels::{multiprocessor, planner, program_spec};

/// Show how an expression would be computed on a GPU: every algorithm for its products, the one that is
/// chosen, and why.
///
/// Threads are those of a block, kernel by kernel, and the mapping says what they hold (--explain has it in
/// words). Needs no GPU but for --backend. Times are for 2^32 bits of each operand: measured on an H200, or
/// between measured widths on a line; of other architectures they are predicted from these. What `limbforge
/// tune` has measured on the GPU of --backend goes before them. Exit status: 0, or 1 if there is no kernel at
/// all, or 2 for wrong usage.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples: limbforge plan '(a*a + b)*(b*b + b) + a*b' --bits 4096 --explain
          limbforge plan ecm.lf --bits 512 --bits s=144344")]
pub(crate) struct PlanArguments {
    /// The expression; see `limbforge functions`. Or a program, a file whose name ends in .lf
    #[arg(value_name = "EXPR|FILE.lf", allow_hyphen_values = true)]
    expression: String,

    /// Width of all integers in bits, 1 to 16777216; of a program's inputs without a type, also NAME=N
    #[arg(long, value_name = "N")]
    bits: Vec<BitsArgument>,

    /// Integers are two's complement
    #[arg(long)]
    signed: bool,

    /// The limb that integers are made of
    #[arg(long, value_enum, default_value_t)]
    limb: LimbArgument,

    /// The GPU architecture [default: `sm_90`; of a program, no GPU]
    #[arg(long, value_name = "ARCH", conflicts_with = "backend")]
    arch: Option<Arch>,

    /// A GPU of this machine in place of an architecture: with what `limbforge tune` has measured on it
    #[arg(long, value_name = "gpu|gpu:I")]
    backend: Option<GpuArgument>,

    /// Also where the times come from, and the kernels of each candidate
    #[arg(long)]
    explain: bool,

    /// One JSON object: expression, bits, arch, gpu, candidates (product, chosen, `estimated_ms`, `tuned_ms`,
    /// basis, `model_ms`, model (work, span, words, blocks, threads, busy, warps, waits, ms), mapping,
    /// mappings (mapping, planned, `model_ms`, `tuned_ms`), kernels, threads, specs, refused); of a program: program,
    /// backend, inputs, moduli, results, stages (line, rounds, `products_mod_n`, `integer_products`, `state_bytes`),
    /// kernel (words, lanes, threads, instances, `shared_bytes`, slots, operations, `local_bytes`, `state_bytes`, refused)
    #[arg(long)]
    json: bool,
}

/// An expression's candidates on a device.
struct Plan {
    spec: ProgramSpec,
    arch: Arch,
    /// The name of a GPU of this machine.
    gpu: Option<String>,
    limits: Limits,
    planner: Planner,
    candidates: Vec<Candidate>,
}

pub(crate) fn run(arguments: &PlanArguments) -> Result<(), CliError> {
    if arguments.expression.ends_with(".lf") {
        let PlanArguments { expression, bits, signed, json, arch, backend, .. } = arguments;
        let target = (arch.is_some() || backend.is_some()).then(|| Target::new(arguments)).transpose()?;
        let device = target.as_ref().map(|target| (target.name(), &target.limits));
        let (text, refused) = run::plan(Path::new(expression), bits, *signed, *json, device)?;
        output::write(None, &text)?;
        return refused.map_or(Ok(()), |error| Err(error.into()));
    }
    let plan = Plan::new(arguments)?;
    let PlanArguments { expression, .. } = arguments;
    let text = if arguments.json {
        plan.json(expression)
    } else {
        let arch = plan.arch;
        let device = name(arch, plan.gpu.as_deref());
        let explanation = if arguments.explain { plan.explanation() } else { String::new() };
        format!("{expression} of {} bits on {device}\n\n{}{explanation}", plan.spec.ty.bits(), plan.table())
    };
    output::write(None, &text)
}

/// The device that is planned for.
struct Target {
    arch: Arch,
    /// The name of a GPU of this machine.
    gpu: Option<String>,
    limits: Limits,
    planner: Planner,
}

impl Target {
    fn new(arguments: &PlanArguments) -> Result<Self, CliError> {
        let Some(GpuArgument(asked)) = arguments.backend else {
            let arch = arguments.arch.unwrap_or(Arch::new(9, 0));
            let limits = multiprocessor("plan", "--arch", arch)?.limits;
            return Ok(Self { arch, gpu: None, limits, planner: Planner::new(arch.number()) });
        };
        let mut devices = devices()?;
        if asked >= devices.len() {
            return Err(GpuError::Ordinal { asked, found: devices.len() }.into());
        }
        let info = devices.swap_remove(asked);
        let (planner, limits) = (planner(&info), info.limits());
        Ok(Self { arch: info.arch, gpu: Some(info.name), limits, planner })
    }

    fn name(&self) -> String {
        name(self.arch, self.gpu.as_deref())
    }
}

/// An architecture, behind the name of a GPU if it is that of one.
fn name(arch: Arch, gpu: Option<&str>) -> String {
    gpu.map_or_else(|| arch.to_string(), |gpu| format!("{gpu}, {arch}"))
}

impl Plan {
    /// Plans for the GPU of this machine if one is named, else for any GPU of the architecture.
    fn new(arguments: &PlanArguments) -> Result<Self, CliError> {
        let usage = CliError::usage("plan");
        let [Some(bits)] = arguments.bits.iter().map(BitsArgument::of_all).collect::<Vec<_>>()[..] else {
            return Err(usage("expected --bits N, the width of all integers".to_owned()));
        };
        let ty = IntType::new(bits, arguments.signed).map_err(|error| usage(error.to_string()))?;
        let dag = expression::parse(&arguments.expression, None, ty)?.to_dag();
        let spec = program_spec(dag, Product::Auto, ty, arguments.limb);
        let Target { arch, gpu, limits, planner } = Target::new(arguments)?;
        let candidates = sorted_candidates(&spec, &limits, &planner)?;
        Ok(Self { spec, arch, gpu, limits, planner, candidates })
    }
}

/// The chosen candidate, then the others from the fastest on, those without a time or kernels last.
fn sorted_candidates(
    spec: &ProgramSpec,
    limits: &Limits,
    planner: &Planner,
) -> Result<Vec<Candidate>, SpecError> {
    let blame_width = |error| spec.blame_width(error, limits, planner);
    let mut candidates = Program::candidates(spec, limits, planner).map_err(blame_width)?;
    if candidates.iter().all(|candidate| candidate.program.is_err())
        && let Some(chosen) = candidates.iter().find(|candidate| candidate.is_chosen)
        && let Err(refused) = &chosen.program
    {
        return Err(blame_width(refused.clone()));
    }
    let time = |candidate: &Candidate| candidate.milliseconds().unwrap_or(f64::MAX);
    candidates.sort_by(|a, b| {
        let place = |candidate: &Candidate| (!candidate.is_chosen, candidate.program.is_err());
        place(a).cmp(&place(b)).then(time(a).total_cmp(&time(b)))
    });
    Ok(candidates)
}
