//! The program `ecm`: see `docs/ecm.md`.

use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use ecm::Arguments;
use limbforge_hunts::{HuntError, Signals};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match &arguments.known {
        Some(path) => of_known(&arguments, path),
        None => of_numbers(&arguments),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
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

/// Prints the factors of numbers. False if a signal came.
fn of_numbers(arguments: &Arguments) -> Result<bool, HuntError> {
    let numbers = ecm::run(arguments, &Signals::watch())?;
    for number in numbers.iter().flatten() {
        println!("{}", number.text());
    }
    Ok(numbers.is_some())
}

/// Prints the curves that known factors need. False if a signal came.
fn of_known(arguments: &Arguments, path: &Path) -> Result<bool, HuntError> {
    let (known, mut all) = (ecm::read(path)?, vec![]);
    println!("{}", ecm::COLUMNS);
    let done = ecm::census(arguments, &known, &Signals::watch(), |group| {
        group.iter().for_each(|one| println!("{}", one.text()));
        all.extend_from_slice(group);
    })?;
    println!("{}", ecm::summary(&all));
    Ok(done)
}
