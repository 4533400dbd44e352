//! `limbforge plan`: how an expression would be computed on a GPU, and why.

mod json;
mod place;
mod text;

use clap::Args;
use limbforge::limb::{IntType, Layout};
use limbforge_gpu::Arch;
use limbforge_kernels_gen::{
    Candidate, InputSpec, Limits, Planner, Product, Program, ProgramSpec, SpecError, Target,
};

use self::place::Place;
use crate::args::{GpuArgument, LimbArgument, parse_bits};
use crate::error::CliError;
use crate::expression;
use crate::output::Output;
use limbforge_cli::gpu::kernels::limb_kind;

/// Show how an expression would be computed on a GPU: every algorithm for its products, the one that is
/// chosen, and why.
///
/// Threads are those of a block, kernel by kernel, and the mapping says what they hold (--explain has it in
/// words). Needs no GPU but for --backend. Times are for 2^32 bits of each operand: measured on an H200, or
/// between measured widths on a line; of other architectures they are predicted from these. What `limbforge
/// tune` has measured on the GPU of --backend goes before them. Exit status: 0, or 1 if there is no kernel at
/// all, or 2 for wrong usage.
#[derive(Args, Debug)]
#[command(after_help = "Example: limbforge plan '(a*a + b)*(b*b + b) + a*b' --bits 4096 --explain")]
pub(crate) struct PlanArguments {
    /// The expression; see `limbforge functions`
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    expression: String,

    /// Width of all integers in bits, 1 to 16777216
    #[arg(long, value_name = "N", value_parser = parse_bits)]
    bits: u64,

    /// Integers are two's complement
    #[arg(long)]
    signed: bool,

    /// The limb that integers are made of
    #[arg(long, value_enum, default_value_t)]
    limb: LimbArgument,

    /// The GPU architecture
    #[arg(long, value_name = "ARCH", default_value = "sm_90", conflicts_with = "backend")]
    arch: Arch,

    /// A GPU of this machine in place of an architecture: with what `limbforge tune` has measured on it
    #[arg(long, value_name = "gpu|gpu:I")]
    backend: Option<GpuArgument>,

    /// Also where the times come from, and the kernels of each candidate
    #[arg(long)]
    explain: bool,

    /// One JSON object: expression, bits, arch, gpu, candidates (product, chosen, `estimated_ms`, `tuned_ms`,
    /// basis, `model_ms`, model (work, span, words, blocks, threads, busy, warps, waits, ms), mapping,
    /// mappings (mapping, planned, `model_ms`, `tuned_ms`), kernels, threads, specs, refused)
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &PlanArguments) -> Result<(), CliError> {
    let PlanArguments { expression, bits, .. } = arguments;
    let (spec, place) = (spec(arguments)?, Place::of(arguments.arch, arguments.backend)?);
    let candidates = candidates(&spec, &place.limits, &place.planner)?;
    let text = if arguments.json {
        json::text(expression, &spec, &place, &candidates)
    } else {
        let title = format!("{expression} of {bits} bits on {}", place.name());
        let explanation = arguments.explain.then(|| text::explanation(&spec, &place, &candidates));
        text::table(&title, &place.limits, &candidates) + &explanation.unwrap_or_default()
    };
    let mut output = Output::create(None)?;
    output.write(text.as_bytes())?;
    output.finish()
}

/// The chosen candidate, then the others from the fastest on, those without a time, and those without
/// kernels.
fn candidates(spec: &ProgramSpec, limits: &Limits, planner: &Planner) -> Result<Vec<Candidate>, SpecError> {
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

fn spec(arguments: &PlanArguments) -> Result<ProgramSpec, CliError> {
    let ty =
        if arguments.signed { IntType::signed(arguments.bits) } else { IntType::unsigned(arguments.bits) };
    let ty = ty.map_err(|error| CliError::Usage { command: "plan", why: error.to_string() })?;
    let dag = expression::parse(&arguments.expression, None, ty)?.to_dag();
    let layout = Layout::InstanceMajor;
    let inputs = dag.inputs().map(|name| InputSpec::integers(name, layout, false)).collect();
    let (limb, target) = (limb_kind(arguments.limb), Target::Cuda);
    Ok(ProgramSpec { dag, ty, limb, inputs, output: layout, product: Product::Auto, target })
}
