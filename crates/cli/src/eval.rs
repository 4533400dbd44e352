//! `limbforge eval`: an expression, or several, over files, read, evaluated and written side by side.
//!
//! A thread opens the engine, one reads the files in chunks (text by a further thread for each file), several
//! evaluate pieces of chunks and turn results into text, and this one writes them in order.

mod all;
mod arguments;
mod board;
mod chunk;
mod columns;
mod evaluate;
mod failures;
mod job;
mod load;
mod meter;
mod open;
mod outputs;
mod pace;
mod pool;
mod results;
mod run;
mod shard;
mod sink;
mod sizes;
mod source;
#[cfg(test)]
mod tests;

use limbforge::{limb::io::NumberFormat, prelude::*};
use limbforge_cli::with_limb;

pub(crate) use self::all::{Form, check_file, read_all, type_of_file};
pub(crate) use self::arguments::{EvalArguments, InputArgument, OnError, parse_size};
use self::job::Job;
use self::outputs::{Out, Target};
use self::sizes::Sizes;
use self::source::Reading;
use crate::error::CliError;
use crate::input::refuse_shared;

pub(crate) fn run(arguments: &EvalArguments) -> Result<(), CliError> {
    run_with(arguments, Sizes::default())
}

fn run_with(arguments: &EvalArguments, sizes: Sizes) -> Result<(), CliError> {
    let outs = outputs::outs(arguments)?;
    check_files(arguments, &outs)?;
    let ty = match arguments.bits {
        Some(bits) => IntType::new(bits, arguments.signed).map_err(|error| usage(error.to_string()))?,
        None => type_of_columns(arguments)?,
    };
    let names: Vec<&str> = arguments.inputs.iter().map(|input| input.name.as_str()).collect();
    let targets = outputs::targets(arguments, outs, &names, ty)?;
    check_inputs(arguments, &names, &targets)?;
    let reading = Reading::new(arguments, ty);
    let part = arguments.shard.map(|shard| shard::part(shard, arguments, reading)).transpose()?;
    let job = Job { arguments: arguments.clone(), targets, ty, sizes, part };
    with_limb!(arguments.limb, B => run::run::<B>(job))
}

/// Refuses inputs that do not go together.
fn check_inputs(arguments: &EvalArguments, names: &[&str], targets: &[Target]) -> Result<(), CliError> {
    for (i, name) in names.iter().enumerate() {
        if names[..i].contains(name) {
            return Err(usage(format!("`--in {name}=...` is given twice")));
        }
        if !targets.iter().any(|target| target.uses[i]) {
            return Err(usage(format!("`--in {name}=...`: the expression does not use `{name}`")));
        }
    }
    if arguments.format() == NumberFormat::Bin {
        let text = "expected --format hex or dec";
        let are_tables = targets.iter().all(|target| target.out.table.is_some());
        if arguments.on_error == OnError::Mark && !are_tables {
            return Err(usage(format!("`--on-error mark` needs lines to mark: {text}")));
        }
        if arguments.lenient {
            return Err(usage(format!("`--lenient` skips lines, which binary records are not: {text}")));
        }
    }
    refuse_shared(arguments.inputs.iter().map(|input| (written(input), input.path.as_path()))).map_err(usage)
}

/// An input as it is written.
fn written(input: &InputArgument) -> String {
    format!("--in {}={}", input.name, input.shown().display())
}

/// Refuses files that have no columns where they need some, and those that the program cannot read or write.
fn check_files(arguments: &EvalArguments, outs: &[Out]) -> Result<(), CliError> {
    let format = arguments.format();
    let inputs = arguments.inputs.iter().map(|input| (written(input), &*input.path, input.place.as_ref()));
    let outputs =
        outs.iter().filter_map(|out| Some((out.to_string(), out.path.as_deref()?, out.table.as_ref())));
    for (i, (written, path, place)) in inputs.chain(outputs).enumerate() {
        let is_output = i >= arguments.inputs.len();
        let why = columns::refused(path, place, format == NumberFormat::Bin, is_output);
        if let Some(why) = why {
            return Err(usage(format!("`{written}`: {why}")));
        }
    }
    if arguments.keep.is_some() {
        if outs.iter().all(|out| out.table.is_none()) {
            return Err(usage(format!(
                "`--keep` needs a file of results with columns: expected --out with {}",
                columns::NAMES
            )));
        }
        if arguments.inputs.iter().all(|input| input.place.is_none()) {
            return Err(usage(format!(
                "`--keep` needs an input with columns: expected --in with {}",
                columns::NAMES
            )));
        }
    }
    Ok(())
}

/// The type that the columns of the inputs name.
fn type_of_columns(arguments: &EvalArguments) -> Result<IntType, CliError> {
    let mut found: Option<(String, IntType)> = None;
    #[cfg(feature = "columns")]
    for input in &arguments.inputs {
        let Some(ty) = columns::type_of_input(input)? else { continue };
        match &found {
            Some((first, other)) if *other != ty => {
                let second = written(input);
                let why = format!("`{first}` has integers of type {other}, `{second}` of {ty}");
                return Err(usage(format!("{why}: expected --bits N, with --signed or without")));
            }
            Some(_) => {}
            None => found = Some((written(input), ty)),
        }
    }
    #[cfg(not(feature = "columns"))]
    let _ = (&arguments.inputs, &mut found);
    let missing = "expected --bits N: no input is a column whose type says the width of its integers";
    found.map(|(_, ty)| ty).ok_or_else(|| usage(missing.to_owned()))
}

fn usage(why: String) -> CliError {
    CliError::usage("eval")(why)
}
