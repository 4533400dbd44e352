//! The `limbforge` program.

mod args;
#[cfg(feature = "gpu")]
mod bench;
#[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "charts of measurements are drawn with GPUs"))]
mod chart;
#[cfg(feature = "gpu")]
mod codegen;
mod completions;
mod compress;
#[cfg(feature = "gpu")]
mod date;
#[cfg(feature = "gpu")]
mod doctor;
mod error;
mod eval;
mod expression;
mod fallback;
mod functions;
mod input;
#[cfg(feature = "gpu")]
mod kernels;
mod man;
#[cfg(feature = "gpu")]
mod model;
#[cfg(feature = "gpu")]
mod operands;
mod output;
#[cfg(feature = "gpu")]
mod plan;
mod poly;
mod primes;
#[cfg(feature = "gpu")]
mod report;
#[cfg(feature = "gpu")]
mod selftest;
#[cfg(feature = "gpu")]
mod table;
mod threads;
#[cfg(feature = "gpu")]
mod tune;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return args::report(&expression::blame(error, std::env::args_os().skip(1))),
    };
    threads::start();
    let outcome = match arguments.command {
        Command::Eval(arguments) => eval::run(&arguments),
        Command::Functions(arguments) => functions::run(&arguments),
        Command::Poly(arguments) => poly::run(&arguments),
        Command::Primes(arguments) => primes::run(&arguments),
        #[cfg(feature = "gpu")]
        Command::Plan(arguments) => plan::run(&arguments),
        #[cfg(feature = "gpu")]
        Command::Codegen(arguments) => codegen::run(&arguments),
        #[cfg(feature = "gpu")]
        Command::Doctor(arguments) => doctor::run(&arguments),
        #[cfg(feature = "gpu")]
        Command::Tune(arguments) => tune::run(&arguments),
        #[cfg(feature = "gpu")]
        Command::Selftest(arguments) => selftest::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
        #[cfg(feature = "gpu")]
        Command::Bench(arguments) => bench::run(&arguments),
        #[cfg(feature = "gpu")]
        Command::Model(arguments) => model::run(&arguments),
        #[cfg(feature = "gpu")]
        Command::Report(arguments) => report::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            error.exit_code()
        }
    }
}
