//! The `limbforge-lab` program: benchmarks, predictions and reports.

mod bench;
mod error;
mod model;
mod operations;
mod paper;
mod peers;
mod powers;
mod report;
mod setting;
mod thresholds;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use limbforge_cli::{threads, usage};

use crate::bench::BenchArguments;
use crate::error::LabError;
use crate::model::ModelArguments;
use crate::powers::PowersArguments;
use crate::report::ReportArguments;
use crate::thresholds::ThresholdsArguments;

/// The laboratory of limbforge: measure kernels and the CPU backend, predict costs, draw reports.
#[derive(Debug, Parser)]
#[command(
    name = "limbforge-lab",
    bin_name = "limbforge-lab",
    version,
    about,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "\
Exit status: 0; 1 for bad input, a missing GPU or a wrong result, with one line `error: why`; 2 for wrong usage."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(about = "Measure kernels on a GPU, beside a plain vector addition, or the CPU backend")]
    Bench(BenchArguments),
    #[command(about = "Predict the cost of a program with the many-core machine model")]
    Model(ModelArguments),
    #[command(about = "Compare powers in residue number systems on a GPU with those of the CPU")]
    Powers(PowersArguments),
    #[command(about = "Draw what `limbforge-lab bench --json` has measured")]
    Report(ReportArguments),
    #[command(about = "Measure from which lengths the next algorithm of a ladder is faster on this CPU")]
    Thresholds(ThresholdsArguments),
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage::report(error, &Arguments::command()),
    };
    threads::start();
    let outcome = match &arguments.command {
        Command::Bench(arguments) => bench::run(arguments),
        Command::Model(arguments) => model::run(arguments),
        Command::Powers(arguments) => powers::run(arguments),
        Command::Report(arguments) => report::run(arguments),
        Command::Thresholds(arguments) => thresholds::run(arguments),
    };
    match outcome {
        Ok(()) | Err(LabError::ReaderLeft) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            error.exit_code()
        }
    }
}
