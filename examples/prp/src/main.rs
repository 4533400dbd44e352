//! The program `prp`: see `docs/prp.md`.

use std::process::ExitCode;

use clap::Parser;
use limbforge_hunts::Signals;

fn main() -> ExitCode {
    let arguments = prp::Arguments::parse();
    match prp::run(&arguments, &Signals::watch()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(130),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
