//! `limbforge eval`: an expression over files, read, evaluated and written side by side.
//!
//! A thread opens the engine, one reads the files in chunks (text by a further thread for each file), several
//! evaluate pieces of chunks and turn results into text, and this one writes them in order.

mod arguments;
mod board;
mod chunk;
mod evaluate;
mod failures;
mod job;
mod load;
mod meter;
mod pace;
mod pool;
mod results;
mod run;
mod sizes;
mod source;
#[cfg(test)]
mod tests;

use limbforge::{limb::io::NumberFormat, prelude::*};
use limbforge_cli::with_limb;

pub(crate) use self::arguments::EvalArguments;
use self::arguments::{InputArgument, OnError};
use self::job::Job;
use self::sizes::Sizes;
use crate::error::CliError;
use crate::expression;
use crate::input::refuse_shared;

pub(crate) fn run(arguments: &EvalArguments) -> Result<(), CliError> {
    run_with(arguments, Sizes::default())
}

fn run_with(arguments: &EvalArguments, sizes: Sizes) -> Result<(), CliError> {
    let ty = IntType::new(arguments.bits, arguments.signed).map_err(|error| usage(error.to_string()))?;
    let names: Vec<&str> = arguments.inputs.iter().map(|input| input.name.as_str()).collect();
    let expr = expression::parse(&arguments.expression, Some(&names), ty)?;
    check_inputs(arguments, &names, &expr)?;
    let job = Job { arguments: arguments.clone(), expr, ty, sizes };
    with_limb!(arguments.limb, B => run::run::<B>(job))
}

/// Refuses inputs that do not go together.
fn check_inputs(arguments: &EvalArguments, names: &[&str], expr: &Expr) -> Result<(), CliError> {
    let dag = expr.to_dag();
    for (i, name) in names.iter().enumerate() {
        if names[..i].contains(name) {
            return Err(usage(format!("`--in {name}=...` is given twice")));
        }
        if !dag.inputs().any(|used| used == *name) {
            return Err(usage(format!("`--in {name}=...`: the expression does not use `{name}`")));
        }
    }
    if arguments.format == NumberFormat::Bin {
        let text = "expected --format hex or dec";
        if arguments.on_error == OnError::Mark {
            return Err(usage(format!("`--on-error mark` needs lines to mark: {text}")));
        }
        if arguments.lenient {
            return Err(usage(format!("`--lenient` skips lines, which binary records are not: {text}")));
        }
    }
    let written = |input: &InputArgument| format!("--in {}={}", input.name, input.path.display());
    refuse_shared(arguments.inputs.iter().map(|input| (written(input), input.path.as_path()))).map_err(usage)
}

fn usage(why: String) -> CliError {
    CliError::usage("eval")(why)
}
