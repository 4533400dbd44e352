//! The commands of `limbforge`.

use clap::{CommandFactory, Parser, Subcommand};

use crate::completions::{self, CompletionsArguments};
use crate::error::CliError;
use crate::eval::{self, EvalArguments};
use crate::functions::{self, FunctionsArguments};
#[cfg(feature = "gpu")]
use crate::gpu_commands::GpuCommand;
use crate::man::{self, ManArguments};
use crate::poly::{self, PolyArguments};
use crate::primes::{self, PrimesArguments};

/// Exact arithmetic on millions of midsize integers, on CPUs and NVIDIA GPUs.
///
/// Without a command this help goes to standard error, and the exit status is 2, as for other wrong usage.
/// Colours are left out where the output is no terminal and where the environment variable `NO_COLOR` is set.
#[derive(Debug, Parser)]
#[command(
    name = "limbforge",
    bin_name = "limbforge",
    version,
    about,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "\
Exit status: 0; 1 for bad input, a missing GPU or a wrong result, with one line `error: why`; 2 for wrong usage.

Examples:
  limbforge eval 'a*a + b' --bits 256 --in a=a.txt --in b=b.txt
  limbforge help eval"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// In the order of the help: what users need first.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(about = "Evaluate an expression over files of integers, one integer per line")]
    Eval(EvalArguments),
    Functions(FunctionsArguments),
    #[command(about = "Multiply or divide polynomials over the integers modulo a prime, or take gcds")]
    Poly(PolyArguments),
    #[command(about = "Test numbers for primality; find primes for number-theoretic transforms")]
    Primes(PrimesArguments),
    #[cfg(feature = "gpu")]
    #[command(flatten)]
    Gpu(GpuCommand),
    Completions(CompletionsArguments),
    Man(ManArguments),
}

impl Command {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match self {
            Self::Eval(arguments) => eval::run(arguments),
            Self::Functions(arguments) => functions::run(arguments),
            Self::Poly(arguments) => poly::run(arguments),
            Self::Primes(arguments) => primes::run(arguments),
            #[cfg(feature = "gpu")]
            Self::Gpu(command) => command.run(),
            Self::Completions(arguments) => completions::run(arguments, Arguments::command()),
            Self::Man(arguments) => man::run(arguments, Arguments::command()),
        }
    }
}
