//! `limbforge run`: a program over files, numbers and ranges, in slices, with checkpoints.

mod arguments;
mod ecm;
mod inputs;
mod lines;
mod outputs;
#[cfg(feature = "gpu")]
mod plan;
mod primes;
mod slices;
mod spec;

use std::io::Read;
use std::path::Path;

use limbforge::algos::program::{ProgramFailure, TypedProgram};
use limbforge::prelude::*;

#[cfg(feature = "gpu")]
pub(crate) use self::arguments::BitsArgument;
pub(crate) use self::arguments::RunArguments;
use self::ecm::SaveFile;
use self::outputs::Outputs;
#[cfg(feature = "gpu")]
pub(crate) use self::plan::plan;
use crate::engine::{self, Fallback};
use crate::error::CliError;
use crate::eval::OnError;
use crate::input::{self, Kind};

pub(crate) fn run(arguments: &RunArguments) -> Result<(), CliError> {
    let engine = engine::open(arguments.backend)?;
    let engine = match arguments.device_memory {
        Some(bytes) => engine.with_device_memory(bytes),
        None => engine,
    };
    let (mut session, outputs) = match &arguments.resume {
        Some(folder) => {
            let session = engine.resume::<u64>(folder)?;
            let outputs = Files::create(session.program(), arguments)?;
            (session, outputs)
        }
        None => start(&engine, arguments)?,
    };
    slices::run(&mut session, arguments)?;
    let save_file = outputs.save_file.map(|file| file.with_inputs(&session)).transpose()?;
    let run = session.finish()?;
    report(&run, arguments)?;
    outputs.results.write(&run)?;
    if let Some(file) = save_file {
        file.write(&run)?;
    }
    Fallback::default().say(&engine, |note| eprintln!("{note}"));
    Ok(())
}

/// The files of a run.
struct Files {
    results: Outputs,
    save_file: Option<SaveFile>,
}

impl Files {
    fn create(program: &TypedProgram, arguments: &RunArguments) -> Result<Self, CliError> {
        let save_file = SaveFile::create(program, arguments)?;
        Ok(Self { results: Outputs::create(program, arguments)?, save_file })
    }
}

/// Starts a run from its program and inputs.
fn start(engine: &Engine, arguments: &RunArguments) -> Result<(Session<u64>, Files), CliError> {
    let path = arguments.program.as_deref().unwrap_or(Path::new("-"));
    let program = parse(path)?;
    let (typed, inputs) = inputs::read(&program, arguments)?;
    let files = Files::create(&typed, arguments)?;
    let named: Vec<(&str, &Batch<u64>)> = inputs.iter().map(|(name, batch)| (*name, batch)).collect();
    Ok((engine.start(&program, &named)?, files))
}

/// The program of a file, with its warnings on standard error.
fn parse(path: &Path) -> Result<Program, CliError> {
    let mut text = String::new();
    input::open(path, Kind::Text)?.read_to_string(&mut text).map_err(CliError::file(path, "read"))?;
    let program = Program::parse(&text).map_err(|error| in_program(Some(path), &text, &error))?;
    for warning in program.warnings() {
        let report = warning.report(&text);
        eprintln!("warning: {}:{}:{}: {report}", path.display(), warning.line, warning.column);
    }
    Ok(program)
}

/// An error in the text of a program, with its file if there is one.
fn in_program(path: Option<&Path>, text: &str, error: &ProgramError) -> CliError {
    let place = place(path, (error.line, error.column));
    CliError::InProgram { place, report: error.report(text).into() }
}

/// `FILE:LINE:COLUMN`; a program of a checkpoint is that of its folder.
fn place(path: Option<&Path>, (line, column): (usize, usize)) -> String {
    let path = path.map_or_else(|| "program".to_owned(), |path| path.display().to_string());
    format!("{path}:{line}:{column}")
}

/// Refuses instances that failed, or tells how many are marked.
fn report(run: &ProgramRun<u64>, arguments: &RunArguments) -> Result<(), CliError> {
    let Some(first) = run.failures().first() else { return Ok(()) };
    let text = run.program().text();
    let folder = arguments.resume.as_ref().map(|folder| folder.join("program.lf"));
    let path = arguments.program.as_deref().or(folder.as_deref());
    // As lines, instances are counted from 1.
    let counted = ProgramFailure { instance: first.instance + 1, ..*first };
    let error =
        CliError::InProgram { place: place(path, first.place(text)), report: counted.report(text).into() };
    if arguments.on_error == OnError::Fail {
        return Err(error);
    }
    eprintln!("instances that failed, marked: {}; the first is {error}", run.failures().len());
    Ok(())
}

fn usage(why: String) -> CliError {
    CliError::usage("run")(why)
}
