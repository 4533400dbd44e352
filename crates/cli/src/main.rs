//! The `limbforge` program.

mod args;
mod bench;
mod chart;
mod codegen;
mod completions;
mod compress;
mod date;
mod doctor;
mod error;
mod eval;
mod expression;
mod fallback;
mod functions;
mod input;
mod kernels;
mod man;
mod model;
mod operands;
mod output;
mod plan;
mod poly;
mod primes;
mod report;
mod selftest;
mod table;
mod threads;
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
        Command::Plan(arguments) => plan::run(&arguments),
        Command::Codegen(arguments) => codegen::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Tune(arguments) => tune::run(&arguments),
        Command::Selftest(arguments) => selftest::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Model(arguments) => model::run(&arguments),
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
