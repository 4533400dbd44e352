//! `limbforge primes`: search for primes, tests of numbers, and the primes that suit a product.

mod arguments;
mod check;
mod large;
mod large_text;
mod plan;
mod plot;
mod search;

pub(crate) use self::arguments::PrimesArguments;
use self::arguments::PrimesCommand;
use crate::error::CliError;

pub(crate) fn run(arguments: &PrimesArguments) -> Result<(), CliError> {
    match &arguments.command {
        PrimesCommand::Search(arguments) => search::run(arguments),
        PrimesCommand::Check(arguments) => check::run(arguments),
        PrimesCommand::Plan(arguments) => plan::run(arguments),
        PrimesCommand::Plot(arguments) => plot::run(arguments),
    }
}
