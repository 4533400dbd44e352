//! `limbforge plan`: how an expression would be computed on a GPU, and why so.

use clap::Args;
use limbforge::limb::{IntType, Layout};
use limbforge::prelude::Expr;
use limbforge_gpu::Arch;
use limbforge_kernels_gen::{Candidate, InputSpec, Product, Program, ProgramSpec, SpecError, Target};
use serde_json::{Value, json};

use crate::args::{LimbArgument, parse_bits};
use crate::error::CliError;
use crate::kernels::{limb_kind, multiprocessor, threads};
use crate::output::Output;
use crate::table::aligned;

/// Say how an expression would be computed on a GPU: every algorithm for its products, the one that is chosen, and why.
///
/// Needs no GPU. Times are those of an H200 for 2^32 bits of each operand: measured, or between measured widths on a line;
/// on other GPUs they only say what is faster. Exit status: 0, or 1 if there is no kernel at all, or 2 for wrong usage.
#[derive(Args, Debug)]
#[command(after_help = "Example: limbforge plan '(a*a + b)*(b*b + b) + a*b' --bits 4096")]
pub(crate) struct PlanArguments {
    /// The expression; see `limbforge eval --help`
    #[arg(value_name = "EXPR")]
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
    #[arg(long, value_name = "ARCH", default_value = "sm_90")]
    arch: Arch,

    /// One JSON object: expression, bits, arch, candidates (product, chosen, `estimated_ms`, kernels, threads, refused)
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &PlanArguments) -> Result<(), CliError> {
    let spec = spec(arguments)?;
    let multiprocessor = multiprocessor("plan", arguments.arch)?;
    let mut candidates = Program::candidates(&spec, &multiprocessor.limits)?;
    if let Some(refused) = no_kernel(&candidates) {
        return Err(refused.into());
    }
    // The chosen one, then the others from the fastest on, those without a time, and those without kernels.
    let time = |candidate: &Candidate| candidate.milliseconds.unwrap_or(f64::MAX);
    candidates.sort_by(|a, b| {
        let place = |candidate: &Candidate| (!candidate.is_chosen, candidate.program.is_err());
        place(a).cmp(&place(b)).then(time(a).total_cmp(&time(b)))
    });
    let mut output = Output::create(None)?;
    let text = if arguments.json { json_text(arguments, &candidates) } else { text(arguments, &candidates) };
    output.write(text.as_bytes())?;
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
fn product(candidates: &[Candidate], candidate: &Candidate) -> Option<&'static str> {
    (candidates.len() > 1).then_some(match candidate.product {
        Product::Auto => "auto",
        Product::Classical => "classical",
        Product::Ntt => "ntt",
        Product::Tensor => "tensor",
    })
}

fn spec(arguments: &PlanArguments) -> Result<ProgramSpec, CliError> {
    let dag = Expr::parse(&arguments.expression)?.to_dag();
    let ty =
        if arguments.signed { IntType::signed(arguments.bits) } else { IntType::unsigned(arguments.bits) };
    let ty = ty.map_err(|error| CliError::Usage { command: "plan", why: error.to_string() })?;
    let layout = Layout::InstanceMajor;
    let inputs = dag.inputs().map(|name| InputSpec::integers(name, layout, false)).collect();
    let (limb, target) = (limb_kind(arguments.limb), Target::Cuda);
    Ok(ProgramSpec { dag, ty, limb, inputs, output: layout, product: Product::Auto, target })
}

fn text(arguments: &PlanArguments, candidates: &[Candidate]) -> String {
    let head = ["", "product", "estimated ms", "kernels", "threads"].map(str::to_owned).to_vec();
    let mut lines = vec![head];
    lines.extend(candidates.iter().map(|candidate| {
        let mark = if candidate.is_chosen { "->" } else { "" }.to_owned();
        let estimate = candidate.milliseconds.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.2}"));
        let (kernels, threads) = match &candidate.program {
            Ok(program) => (program.launches.len().to_string(), threads(program)),
            Err(error) => ("-".to_owned(), format!("no kernel: {error}")),
        };
        let product = product(candidates, candidate).unwrap_or("none").to_owned();
        vec![mark, product, estimate, kernels, threads]
    }));
    let PlanArguments { expression, bits, arch, .. } = arguments;
    format!("{expression} of {bits} bits on {arch}\n\n{}\n", aligned(&lines, &[0, 1, 4]).join("\n"))
}

fn json_text(arguments: &PlanArguments, candidates: &[Candidate]) -> String {
    let values: Vec<Value> = candidates
        .iter()
        .map(|candidate| {
            let program = candidate.program.as_ref();
            json!({
                "product": product(candidates, candidate),
                "chosen": candidate.is_chosen,
                "estimated_ms": candidate.milliseconds,
                "kernels": program.map_or(0, |program| program.launches.len()),
                "threads": program.ok().map(threads),
                "refused": program.err().map(ToString::to_string),
            })
        })
        .collect();
    let PlanArguments { expression, bits, arch, .. } = arguments;
    let value = json!({
        "expression": expression, "bits": bits, "arch": arch.to_string(), "candidates": values,
    });
    format!("{value:#}\n")
}
