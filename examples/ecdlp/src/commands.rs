//! The commands.

mod arguments;
mod bench;
mod info;
mod plan;
mod points;
mod rehearse;
mod solve;

use std::io::{self, Write};
use std::path::Path;

use ecdlp::error::EcdlpError;
use ecdlp::{file, order};
use limbforge::Engine;

pub(crate) use self::arguments::Arguments;
use self::arguments::{Backend, Command, PointsCommand};

pub(crate) fn run(arguments: &Arguments) -> Result<(), EcdlpError> {
    match &arguments.command {
        Command::Solve(arguments) => solve::run(arguments),
        Command::Info { store } => info::run(store),
        Command::Bench(arguments) => bench::run(arguments),
        Command::Plan(arguments) => plan::run(arguments),
        Command::Rehearse(arguments) => rehearse::run(arguments),
        Command::RandomCurve { bits, seed } => {
            let seed = seed.unwrap_or_else(arguments::any_seed);
            print(&file::to_text(&order::random_curve(*bits, seed)?))
        }
        Command::Points(PointsCommand::Export { store }) => points::export(store),
        Command::Points(PointsCommand::Import { store, rows }) => points::import(store, rows),
    }
}

/// Prints to standard output.
fn print(text: &str) -> Result<(), EcdlpError> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(EcdlpError::file(Path::new("standard output")))
}

/// The engine of a backend.
fn engine(backend: Backend) -> Result<Engine, EcdlpError> {
    Ok(match backend {
        Backend::Auto => Engine::auto(),
        Backend::Cpu => Engine::cpu(),
        Backend::Gpu => Engine::all_gpus()?,
    })
}

/// Says on which device walks are made, and why it is the CPU.
fn say_device(engine: &Engine) {
    match engine.fallback() {
        Some(why) => eprintln!("on the CPU: {why}"),
        None => eprintln!("on {}", engine.device_name()),
    }
}
