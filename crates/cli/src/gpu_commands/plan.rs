//! `limbforge plan`: how an expression would be computed on a GPU, and why.

mod explain;

use clap::Args;
use limbforge::limb::{IntType, Layout};
use limbforge_gpu::{Arch, devices};
use limbforge_kernels_gen::{
    Candidate, InputSpec, Launch, LaunchMeasures, Limits, ManyCore, Planner, Product, ProductMapping,
    Program, ProgramSpec, RankedMapping, SpecError, Target,
};
use serde_json::{Value, json};

use self::explain::explanation;
use crate::args::GpuArgument;
use crate::args::{LimbArgument, parse_bits};
use crate::error::CliError;
use crate::expression;
use crate::output::Output;
use crate::table::aligned;
use limbforge_cli::gpu::kernels::{limb_kind, multiprocessor, planner, threads};

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

    /// One JSON object: expression, bits, arch, gpu, candidates (product, chosen, `estimated_ms`, `tuned_ms`, basis,
    /// `model_ms`, model (work, span, words, blocks, threads, busy, warps, waits, ms), mapping, mappings (mapping, planned, `model_ms`,
    /// `tuned_ms`), kernels, threads, specs, refused)
    #[arg(long)]
    json: bool,
}

/// What is planned for.
struct Place {
    arch: Arch,
    /// The GPU's name, if it is one of this machine.
    gpu: Option<String>,
    limits: Limits,
    planner: Planner,
}

impl Place {
    fn of(arguments: &PlanArguments) -> Result<Self, CliError> {
        let Some(GpuArgument(ordinal)) = arguments.backend else {
            let arch = arguments.arch;
            let (limits, planner) =
                (multiprocessor("plan", "--arch", arch)?.limits, Planner::new(arch.number()));
            return Ok(Self { arch, gpu: None, limits, planner });
        };
        let mut devices = devices()?;
        if ordinal >= devices.len() {
            return Err(limbforge_gpu::GpuError::Ordinal { asked: ordinal, found: devices.len() }.into());
        }
        let info = devices.swap_remove(ordinal);
        let planner = planner(&info);
        Ok(Self { arch: info.arch, limits: info.limits(), gpu: Some(info.name), planner })
    }

    fn name(&self) -> String {
        self.gpu.as_ref().map_or_else(|| self.arch.to_string(), |gpu| format!("{gpu}, {}", self.arch))
    }
}

pub(crate) fn run(arguments: &PlanArguments) -> Result<(), CliError> {
    let spec = spec(arguments)?;
    let place = Place::of(arguments)?;
    let blame_width = |error| spec.blame_width(error, &place.limits, &place.planner);
    let mut candidates = Program::candidates(&spec, &place.limits, &place.planner).map_err(blame_width)?;
    if let Some(refused) = no_kernel(&candidates) {
        return Err(blame_width(refused).into());
    }
    // The chosen one, then the others from the fastest on, those without a time, and those without kernels.
    let time = |candidate: &Candidate| candidate.milliseconds().unwrap_or(f64::MAX);
    candidates.sort_by(|a, b| {
        let place = |candidate: &Candidate| (!candidate.is_chosen, candidate.program.is_err());
        place(a).cmp(&place(b)).then(time(a).total_cmp(&time(b)))
    });
    let mut output = Output::create(None)?;
    let text = if arguments.json {
        json_text(arguments, &spec, &place, &candidates)
    } else {
        text(arguments, &place, &candidates)
    };
    output.write(text.as_bytes())?;
    if arguments.explain && !arguments.json {
        output.write(explanation(&spec, &place.planner, &place.limits, &candidates).as_bytes())?;
    }
    output.finish()
}

/// Why the chosen one has no kernels, if none has.
fn no_kernel(candidates: &[Candidate]) -> Option<SpecError> {
    let refused = |candidate: &Candidate| candidate.program.as_ref().err().cloned();
    if candidates.iter().any(|candidate| candidate.program.is_ok()) {
        return None;
    }
    candidates.iter().find(|candidate| candidate.is_chosen).and_then(refused)
}

/// What computes the products, if there are any.
fn product(candidate: &Candidate, has_products: bool) -> Option<String> {
    has_products.then(|| candidate.product.to_string())
}

/// What was measured on the user's own device, or goes back to it.
fn tuned_ms(candidate: &Candidate) -> Option<f64> {
    candidate.milliseconds().filter(|_| candidate.estimate != candidate.shipped)
}

/// What the many-core model says of a candidate with kernels.
fn many_core(
    candidate: &Candidate,
    spec: &ProgramSpec,
    planner: &Planner,
    limits: &Limits,
) -> Option<ManyCore> {
    candidate.program.as_ref().ok().and_then(|program| planner.many_core(spec, program, limits).ok())
}

fn launch_json(launch: &LaunchMeasures) -> Value {
    json!({
        "work": launch.work, "span": launch.span, "words": launch.words, "blocks": launch.blocks,
        "threads": launch.threads, "busy": launch.busy, "warps": launch.warps, "waits": launch.waits, "ms": launch.milliseconds,
    })
}

fn mapping_json(ranked: &RankedMapping) -> Value {
    json!({
        "mapping": ranked.mapping, "planned": ranked.is_planned, "model_ms": ranked.model.milliseconds(),
        "tuned_ms": ranked.tuned_ms,
    })
}

/// The mapping that a candidate with kernels has.
fn mapping(candidate: &Candidate) -> Option<ProductMapping> {
    candidate.program.as_ref().ok().and_then(Program::mapping)
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

fn text(arguments: &PlanArguments, place: &Place, candidates: &[Candidate]) -> String {
    let has_products = candidates.len() > 1;
    let is_tuned = candidates.iter().any(|candidate| tuned_ms(candidate).is_some());
    let mut head = vec!["", "product", "estimated ms", "kernels", "threads", "mapping"];
    if is_tuned {
        head.insert(3, "tuned ms");
    }
    let mut lines = vec![head.into_iter().map(str::to_owned).collect::<Vec<String>>()];
    let ms = |ms: Option<f64>| ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.2}"));
    lines.extend(candidates.iter().map(|candidate| {
        let mark = if candidate.is_chosen { "->" } else { "" }.to_owned();
        let [kernels, threads, mapping] = match &candidate.program {
            Ok(program) => {
                [program.launches.len().to_string(), block_threads(program, &place.limits), threads(program)]
            }
            Err(error) => ["-".to_owned(), "-".to_owned(), format!("no kernel: {error}")],
        };
        let product = product(candidate, has_products).unwrap_or_else(|| "none".to_owned());
        let estimate = ms(candidate.shipped.map(|shipped| shipped.milliseconds));
        let mut line = vec![mark, product, estimate, kernels, threads, mapping];
        if is_tuned {
            line.insert(3, ms(tuned_ms(candidate)));
        }
        line
    }));
    let PlanArguments { expression, bits, .. } = arguments;
    let words = [0, 1, lines[0].len() - 1];
    let table = aligned(&lines, &words).join("\n");
    format!("{expression} of {bits} bits on {}\n\n{table}\n", place.name())
}

/// Threads of a block of each kernel.
fn block_threads(program: &Program, limits: &Limits) -> String {
    let threads = |launch: &Launch| {
        launch
            .kernel
            .render(limits)
            .map_or_else(|_| "-".to_owned(), |kernel| kernel.geometry.threads.to_string())
    };
    program.launches.iter().map(threads).collect::<Vec<_>>().join(" ")
}

fn json_text(
    arguments: &PlanArguments,
    spec: &ProgramSpec,
    place: &Place,
    candidates: &[Candidate],
) -> String {
    let values: Vec<Value> = candidates
        .iter()
        .map(|candidate| {
            let program = candidate.program.as_ref();
            let specs = program.map_or(vec![], |program| {
                program.launches.iter().map(|launch| launch.kernel.to_string()).collect()
            });
            let model = many_core(candidate, spec, &place.planner, &place.limits);
            let ranked = place.planner.mappings(spec, candidate.product, &place.limits).unwrap_or_default();
            let mappings: Vec<Value> = ranked.iter().map(mapping_json).collect();
            let launches =
                model.as_ref().map(|model| model.launches.iter().map(launch_json).collect::<Vec<_>>());
            json!({
                "product": product(candidate, candidates.len() > 1),
                "chosen": candidate.is_chosen,
                "estimated_ms": candidate.shipped.map(|shipped| shipped.milliseconds),
                "tuned_ms": tuned_ms(candidate),
                "basis": candidate.estimate.map(|estimate| estimate.basis.to_string()),
                "model_ms": model.as_ref().map(ManyCore::milliseconds),
                "model": launches,
                "mapping": mapping(candidate),
                "mappings": mappings,
                "kernels": specs.len(),
                "threads": program.ok().map(threads),
                "specs": specs,
                "refused": program.err().map(ToString::to_string),
            })
        })
        .collect();
    let PlanArguments { expression, bits, .. } = arguments;
    let value = json!({
        "expression": expression, "bits": bits, "arch": place.arch.to_string(), "gpu": place.gpu, "candidates": values,
    });
    format!("{value:#}\n")
}
