//! `limbforge primes`: search for primes, tests of numbers, and the primes that suit a product.

mod check;
mod large;
mod large_text;
mod plan;
mod plot;
mod search;

use clap::{Args, Subcommand};

use crate::error::CliError;

/// Test numbers for primality, and explore primes k*2^n + 1 for exact products by number-theoretic
/// transforms.
#[derive(Args, Debug)]
#[command(arg_required_else_help = false)]
pub(crate) struct PrimesArguments {
    #[command(subcommand)]
    command: PrimesCommand,
}

#[derive(Debug, Subcommand)]
enum PrimesCommand {
    Search(search::SearchArguments),
    Check(check::CheckArguments),
    Plan(plan::PlanArguments),
    Plot(plot::PlotArguments),
}

pub(crate) fn run(arguments: &PrimesArguments) -> Result<(), CliError> {
    match &arguments.command {
        PrimesCommand::Search(arguments) => search::run(arguments),
        PrimesCommand::Check(arguments) => check::run(arguments),
        PrimesCommand::Plan(arguments) => plan::run(arguments),
        PrimesCommand::Plot(arguments) => plot::run(arguments),
    }
}
