//! The program `ecm`: see `docs/ecm.md`.

use std::process::ExitCode;

use clap::Parser;
use limbforge_hunts::Signals;

fn main() -> ExitCode {
    let arguments = ecm::Arguments::parse();
    match ecm::run(&arguments, &Signals::watch()) {
        Ok(Some(numbers)) => {
            for number in numbers {
                println!("{}", number.text());
            }
            ExitCode::SUCCESS
        }
        Ok(None) => {
            let goes_on =
                arguments.state.map_or("nothing is kept without --state", |_| "the same command goes on");
            eprintln!("interrupted: {goes_on}");
            ExitCode::from(130)
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
