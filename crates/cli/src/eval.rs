//! `limbforge eval`: an expression over files, chunk by chunk.

mod arguments;
mod failures;
mod input;
mod results;

use std::fs;

use limbforge::{limb::io::NumberFormat, prelude::*};
use limbforge_cli::with_limb;

pub(crate) use self::arguments::EvalArguments;
use self::arguments::{InputArgument, OnError};
use self::failures::Failures;
use self::input::{Input, Reading};
use self::results::Marks;
use crate::engine::{self, Fallback};
use crate::error::CliError;
use crate::input::refuse_shared;
use crate::output::Output;
use crate::{expression, progress};

const BAR: &str = "{bar:40} {percent:>3}%  {bytes} of {total_bytes}  {bytes_per_sec}  {eta} left";
const SPINNER: &str = "{spinner} {bytes} read  {bytes_per_sec}";

pub(crate) fn run(arguments: &EvalArguments) -> Result<(), CliError> {
    with_limb!(arguments.limb, B => run_with_limb::<B>(arguments))
}

fn run_with_limb<B: Base>(arguments: &EvalArguments) -> Result<(), CliError> {
    let ty = IntType::new(arguments.bits, arguments.signed).map_err(|error| usage(error.to_string()))?;
    let names: Vec<&str> = arguments.inputs.iter().map(|input| input.name.as_str()).collect();
    let expr = expression::parse(&arguments.expression, Some(&names), ty)?;
    check_inputs(arguments, &names, &expr)?;
    let engine = open_engine(arguments)?;

    // Before anything is read: who cannot write need not wait for a pipe.
    let mut output = Output::create(arguments.out.as_deref())?;
    let size =
        |input: &InputArgument| Some(fs::metadata(&input.path).ok().filter(fs::Metadata::is_file)?.len());
    let total = arguments.inputs.iter().map(size).sum::<Option<u64>>();
    let progress = progress::start(total, if total.is_some() { BAR } else { SPINNER });
    let reading = Reading::new::<B>(arguments, ty, expr.to_dag().is_wide());
    let inputs = arguments.inputs.iter().map(|argument| Input::<B>::open(argument, reading, &progress));
    let mut inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    let mut failures = Failures::new(arguments.on_error);
    let (mut evaluated, mut fallback) = (0, Fallback::default());
    while let Some(instances) = next_chunk(&mut inputs)? {
        let all_single = inputs.iter().all(|input| input.is_single);
        let mut marks = Marks::new(instances);
        for input in &mut inputs {
            let bad = input.load(instances)?;
            // A bad integer that is used for every line leaves no line to go on with.
            let for_all = input.is_single && !all_single;
            failures.note_lines(input, &bad, for_all, &mut marks)?;
        }
        let result = evaluate(&engine, &expr, ty, &inputs)?;
        if !progress.is_hidden() {
            fallback.say(&engine, |note| progress.println(note));
        }
        failures.note_instances(&inputs, &result.failures, evaluated, &mut marks)?;
        evaluated += result.values.instances() as u64;
        for piece in marks.write(&result.values, arguments.format) {
            output.write(&piece)?;
        }
        if all_single {
            break;
        }
    }
    output.finish()?;
    progress.finish_and_clear();
    fallback.say(&engine, |note| eprintln!("{note}"));
    failures.report();
    Ok(())
}

fn open_engine(arguments: &EvalArguments) -> Result<Engine, CliError> {
    let engine = engine::open(arguments.backend)?;
    #[cfg(feature = "gpu")]
    if let Some(error) = engine.tuning_error() {
        eprintln!("warning: {error}");
    }
    Ok(match arguments.device_memory {
        Some(bytes) => engine.with_device_memory(bytes),
        None => engine,
    })
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

/// The number of instances that all files have ready; `None` when all have ended.
fn next_chunk<B: Base>(inputs: &mut [Input<B>]) -> Result<Option<usize>, CliError> {
    let mut available = vec![];
    for (i, input) in inputs.iter_mut().enumerate() {
        let records = input.available()?;
        if !input.is_single {
            available.push((i, records));
        }
    }
    let last = |has_ended| available.iter().rfind(|(_, records)| (*records == 0) == has_ended);
    match (last(true), last(false)) {
        (Some(&(ended, _)), Some(&(going, _))) => Err(inputs[ended].ended_before(&inputs[going])),
        (Some(_), None) => Ok(None),
        // Without files, or with files of one integer only, there is one instance.
        (None, _) => Ok(Some(available.iter().map(|&(_, records)| records).min().unwrap_or(1))),
    }
}

fn evaluate<B: Base>(
    engine: &Engine,
    expr: &Expr,
    ty: IntType,
    inputs: &[Input<B>],
) -> Result<Checked<B>, CliError> {
    let mut named: Vec<(&str, &Batch<B>)> = inputs.iter().map(|input| (&*input.name, &input.batch)).collect();
    // An expression of constants takes its type from a batch that it does not use.
    let constant = Batch::zeros(ty, Layout::InstanceMajor, 1).map_err(EvalError::from)?;
    if named.is_empty() {
        named.push(("", &constant));
    }
    Ok(engine.eval_checked(expr, &named)?)
}
