//! The evaluation of a piece, and its results as they are written.

use std::time::Instant;

use limbforge::prelude::*;

use super::arguments::OnError;
use super::board::{Board, Piece};
use super::chunk;
use super::job::Job;
use super::outputs::Target;
use super::results::{Content, Marks, Results};
use super::source::is_whole;
use crate::error::CliError;

/// Evaluates pieces until there are none left.
pub(super) fn run<B: Base>(job: &Job, board: &Board<B>) {
    let Some((engine, prepared)) = board.prepared() else { return };
    while let Some(piece) = board.take() {
        let start = Instant::now();
        let results = evaluate(job, board, &engine, &prepared, &piece);
        board.done(&piece, results, start.elapsed());
    }
}

fn evaluate<B: Base>(
    job: &Job,
    board: &Board<B>,
    engine: &Engine,
    prepared: &PreparedAll<B>,
    piece: &Piece<B>,
) -> Result<Results<B>, CliError> {
    let Piece { chunk, range, .. } = piece;
    let is_gpu = prepared.device_name() != "CPU";
    let memory = |ty| match board.spare(ty, range.len()) {
        Some(values) => Ok(values),
        None => memory(engine, is_gpu, ty, range.len()),
    };
    let mut values = prepared.result_types().map(memory).collect::<Result<Vec<_>, _>>()?;
    let operands = chunk.operands(range);
    let names = job.inputs().iter().map(|input| input.name.as_str());
    let named: Vec<(&str, &Batch<B>)> = names.zip(&operands).collect();
    let failures = prepared.eval_into(&named, &mut values.iter_mut().collect::<Vec<_>>())?;

    let mut marks: Vec<Marks> = values.iter().map(|_| Marks::new(range.len())).collect();
    let (bad_lines, failed) = mark(job, piece, &failures, &mut marks);
    let (failures, end) = match (job.arguments.on_error, failed) {
        (OnError::Fail, Some((_, error))) => {
            // Results before the first instance without one are results.
            let firsts = failures.iter().filter_map(|failures| failures.first());
            let first = firsts.map(|failure| failure.instance).min().unwrap_or(0);
            values.iter_mut().for_each(|values| *values = values.slice(0..first));
            (None, Some(error))
        }
        (_, failed) => (failed, None),
    };
    let instances = values.first().map_or(0, Batch::instances);
    let targets = job.targets.iter().zip(values).zip(&marks);
    let contents = targets.map(|((target, values), marks)| content(job, board, target, values, marks));
    let contents = contents.collect::<Result<_, _>>()?;
    Ok(Results { instances, contents, bad_lines, failures, end, total: chunk.total })
}

/// The integers of a result as they are written.
fn content<B: Base>(
    job: &Job,
    board: &Board<B>,
    target: &Target,
    values: Batch<B>,
    marks: &Marks,
) -> Result<Content<B>, CliError> {
    let format = job.arguments.format();
    #[cfg(feature = "columns")]
    if let Some(place) = &target.out.table {
        return Ok(Content::Column(marks.column(&values, place.kind, format)?));
    }
    #[cfg(not(feature = "columns"))]
    let _ = target;
    let ty = values.ty();
    // Records of negative integers have ones above their width.
    if is_whole::<B>(format, ty) && (!ty.is_signed() || ty.bits().is_multiple_of(8)) {
        return Ok(Content::Limbs(values));
    }
    let text = marks.write(&values, format);
    board.give_back(values);
    Ok(Content::Text(text))
}

/// Memory for results, on a GPU such that it copies to by itself.
fn memory<B: Base>(
    engine: &Engine,
    is_gpu: bool,
    ty: IntType,
    instances: usize,
) -> Result<Batch<B>, CliError> {
    let layout = Layout::InstanceMajor;
    if is_gpu && let Ok(pinned) = engine.pinned(ty, layout, instances) {
        return Ok(pinned);
    }
    // There may be a limit on such memory.
    Ok(Batch::zeros(ty, layout, instances).map_err(EvalError::from)?)
}

/// A number of lines or instances, and the first of them.
type Counted = Option<(usize, CliError)>;

/// Marks the instances whose records are not integers, and those that have no result, in the results that
/// lack them.
fn mark<B: Base>(
    job: &Job,
    piece: &Piece<B>,
    failures: &[Vec<Failure>],
    marks: &mut [Marks],
) -> (Counted, Counted) {
    let Piece { chunk, range, .. } = piece;
    for (target, marks) in job.targets.iter().zip(&mut *marks) {
        // Of several bad lines of an instance, that of the first input is its mark.
        let used = chunk.bad(range).zip(&target.uses).filter(|(_, is_used)| **is_used);
        for record in used.flat_map(|(bad, _)| bad) {
            marks.add(record.instance - range.start, record.error.mark());
        }
    }
    let count = chunk.bad(range).map(<[_]>::len).sum();
    let bad_lines = chunk::first(chunk.bad(range))
        .map(|(input, bad)| (count, job.reading().record_error(&job.inputs()[input], bad.number, bad.error)));
    // A bad line counts before what follows from it, and of several failures of an instance the first.
    let mut new: Vec<&Failure> = vec![];
    for (failures, marks) in failures.iter().zip(marks) {
        new.extend(failures.iter().filter(|failure| marks.add(failure.instance, failure.why.mark())));
    }
    if job.targets.len() > 1 {
        new.sort_by_key(|failure| failure.instance);
        new.dedup_by_key(|failure| failure.instance);
    }
    (bad_lines, new.first().map(|first| (new.len(), instance_error(job, piece, first))))
}

/// The error of an instance without result. The line is that of the operand to blame, where it was read from a
/// file.
fn instance_error<B: Base>(job: &Job, piece: &Piece<B>, failure: &Failure) -> CliError {
    let (chunk, instance) = (&piece.chunk, piece.range.start + failure.instance);
    let mut inputs = job.inputs().iter();
    // If lines are skipped, the number of a result is not that of a line; rows of a table have a header before.
    let skips = |input: usize| {
        let may_skip = job.reading().is_lenient || job.inputs()[input].place.is_some();
        may_skip && chunk.columns[input].single.is_none()
    };
    let input = inputs.position(|input| input.name == *failure.operand);
    let input = input.or_else(|| (0..chunk.columns.len()).find(|&input| skips(input)));
    let number = match input {
        Some(input) => chunk.line(input, instance),
        None => chunk.first + instance as u64 + 1,
    };
    let path = input.map(|input| job.inputs()[input].shown());
    CliError::Instance { path, number, reason: failure.reason() }
}
