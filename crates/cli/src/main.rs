//! The `limbforge` program.

mod commands;
mod completions;
mod engine;
mod eval;
mod expression;
mod functions;
#[cfg(feature = "gpu")]
mod gpu_commands;
mod man;
mod poly;
mod primes;
mod progress;

use std::env;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use limbforge_cli::{args, chart, error, input, output, table, threads, usage};

use crate::commands::Arguments;

/// Commands that `limbforge-lab` has.
const LABORATORY: [&str; 3] = ["bench", "model", "report"];

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
    usage::exit_code(arguments.command.run())
}
