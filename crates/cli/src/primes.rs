//! `limbforge primes`: which primes there are, what is known of one, and which suit a product.

mod arguments;
mod check;
mod number;
mod plan;
mod plot;
mod search;
mod table;

pub(crate) use self::arguments::PrimesArguments;
use self::arguments::PrimesCommand;
pub(crate) use self::number::Number;
use crate::error::CliError;

pub(crate) fn run(arguments: &PrimesArguments) -> Result<(), CliError> {
    match &arguments.command {
        PrimesCommand::Search(arguments) => search::run(arguments),
        PrimesCommand::Check(arguments) => check::run(arguments),
        PrimesCommand::Plan(arguments) => plan::run(arguments),
        PrimesCommand::Plot(arguments) => plot::run(arguments),
    }
}
