//! The `limbforge` program.

mod engine;
mod eval;
mod expression;
mod functions;
#[cfg(feature = "gpu")]
mod gpu_commands;
mod poly;
mod primes;
mod progress;
mod run;
mod shell;

use std::{env, process::ExitCode};

use clap::{CommandFactory, Parser, Subcommand};
use limbforge_cli::{args, chart, error, input, output, table, threads, usage};

/// Commands of `limbforge-lab`.
const LABORATORY: [&str; 3] = ["bench", "model", "report"];

/// Exact arithmetic on millions of midsize integers, on CPUs and NVIDIA GPUs.
///
/// Without a command this help goes to standard error, and the exit status is 2, as for other wrong usage.
/// Colours are omitted if the output is not a terminal, or if the environment variable `NO_COLOR` is set.
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
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The commands in the order of the help: the most common first.
#[derive(Debug, Subcommand)]
enum Command {
    #[command(about = "Evaluate an expression over files of integers, one integer per line")]
    Eval(eval::EvalArguments),
    #[command(about = "Run a program: loops, residues, several results; in slices, with checkpoints")]
    Run(run::RunArguments),
    Functions(functions::FunctionsArguments),
    #[command(about = "Multiply or divide polynomials over the integers modulo a prime, or take gcds")]
    Poly(poly::PolyArguments),
    #[command(about = "Test numbers for primality; find primes for number-theoretic transforms")]
    Primes(primes::PrimesArguments),
    #[cfg(feature = "gpu")]
    #[command(flatten)]
    Gpu(gpu_commands::GpuCommand),
    Completions(shell::CompletionsArguments),
    Man(shell::ManArguments),
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let name = env::args().nth(1).unwrap_or_default();
            if LABORATORY.contains(&&*name) {
                eprintln!(
                    "error: `limbforge {name}` is `limbforge-lab {name}` now (see docs/performance.md)"
                );
                return ExitCode::from(2);
            }
            return usage::report(error, &Arguments::command());
        }
    };
    threads::start();
    usage::exit_code(match &arguments.command {
        Command::Eval(arguments) => eval::run(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Functions(arguments) => functions::run(arguments),
        Command::Poly(arguments) => poly::run(arguments),
        Command::Primes(arguments) => primes::run(arguments),
        #[cfg(feature = "gpu")]
        Command::Gpu(command) => command.run(),
        Command::Completions(arguments) => shell::completions(arguments, Arguments::command()),
        Command::Man(arguments) => shell::man(arguments, Arguments::command()),
    })
}
