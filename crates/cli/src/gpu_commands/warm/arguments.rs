//! The command line of `limbforge warm`.

use clap::Args;
use limbforge::algos::expr::{Expr, Operation, operations};
use limbforge::limb::IntType;
use limbforge_gpu::Arch;

use crate::args::{BackendArgument, LimbArgument, parse_bits};
use crate::{error::CliError, expression};

/// Compile the kernels that evaluations of expressions will load, so that their first run does not wait for
/// the compiler.
///
/// Kernels go to the folder of compiled kernels (`limbforge doctor` names it), where every later evaluation
/// on the same kind of GPU finds them: of expressions of the same form, width, limb and sign, whatever the
/// names of their operands. Needs NVIDIA's nvrtc, and with --arch no GPU. Exit status: 0, or 1 if a kernel
/// does not exist, does not compile or cannot be kept, with one line `error: why`, or 2 for wrong usage.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  limbforge warm 'powmod(a, e, m)' 'a*b % m' --bits 2048,4096
  limbforge warm --all --bits 2048 --arch sm_90")]
pub(crate) struct WarmArguments {
    /// The expressions; see `limbforge functions`. One that begins with - goes after --
    #[arg(value_name = "EXPR", required_unless_present = "all")]
    expressions: Vec<String>,

    /// Every operator and function alone, in place of expressions
    ///
    /// Operations without a kernel of that width are listed, and are no error.
    #[arg(long, conflicts_with = "expressions")]
    pub(super) all: bool,

    /// Widths of the integers in bits, 1 to 16777216 each
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = parse_bits, required = true)]
    bits: Vec<u64>,

    /// Integers are two's complement
    #[arg(long)]
    signed: bool,

    /// The limb that integers are made of
    #[arg(long, value_enum, default_value_t)]
    pub(super) limb: LimbArgument,

    /// A variable whose file will have one integer, which is used for all; repeat for more
    #[arg(long, value_name = "NAME")]
    pub(super) broadcast: Vec<String>,

    /// GPUs of this machine, planned with what `limbforge tune` has measured on them [default: gpus]
    #[arg(long, value_name = "gpu|gpu:I|gpus", value_parser = parse_gpus)]
    pub(super) backend: Option<BackendArgument>,

    /// A GPU architecture in place of GPUs of this machine, as in `sm_90`
    #[arg(long, value_name = "ARCH", conflicts_with = "backend")]
    pub(super) arch: Option<Arch>,

    /// One JSON object: nvrtc, cache, seconds, kernels (expression, type, limb, arch, kernel, of, spec,
    /// compiled, ms), refused (expression, type, arch, why)
    #[arg(long)]
    pub(super) json: bool,
}

fn parse_gpus(text: &str) -> Result<BackendArgument, &'static str> {
    let gpus =
        |argument: &BackendArgument| matches!(argument, BackendArgument::Gpu(_) | BackendArgument::Gpus);
    text.parse().ok().filter(gpus).ok_or("expected gpu, gpu:I, as in gpu:1, or gpus")
}

/// An expression over integers of a type.
pub(super) struct Wanted {
    pub(super) text: String,
    pub(super) expr: Expr,
    pub(super) ty: IntType,
}

impl WarmArguments {
    /// The expressions, each of each width.
    pub(super) fn expressions(&self) -> Result<Vec<Wanted>, CliError> {
        let texts = match self.all {
            true => operations().map(Operation::of_variables).collect(),
            false => self.expressions.clone(),
        };
        let mut wanted = vec![];
        for &bits in &self.bits {
            let ty = IntType::new(bits, self.signed).map_err(|error| usage(error.to_string()))?;
            for text in &texts {
                let expr = expression::parse(text, None, ty)?;
                wanted.push(Wanted { text: text.clone(), expr, ty });
            }
        }
        let is_used =
            |name: &String| wanted.iter().any(|one| one.expr.to_dag().inputs().any(|own| own == name));
        match self.broadcast.iter().find(|name| !is_used(name)) {
            Some(name) => Err(usage(format!("`--broadcast {name}`: no expression uses `{name}`"))),
            None => Ok(wanted),
        }
    }
}

fn usage(why: String) -> CliError {
    CliError::Usage { command: "warm", why }
}
