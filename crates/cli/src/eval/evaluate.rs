//! The evaluation of a piece, and its results as they are written.

use std::time::Instant;

use limbforge::prelude::*;

use super::arguments::OnError;
use super::board::{Board, Piece};
use super::chunk;
use super::job::Job;
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
    prepared: &Prepared<B>,
    piece: &Piece<B>,
) -> Result<Results<B>, CliError> {
    let Piece { chunk, range, .. } = piece;
    let mut values = match board.spare(range.len()) {
        Some(values) => values,
        None => memory(engine, prepared, range.len())?,
    };
    let operands = chunk.operands(range);
    let names = job.inputs().iter().map(|input| input.name.as_str());
    let named: Vec<(&str, &Batch<B>)> = names.zip(&operands).collect();
    let failures = prepared.eval_into_checked(&named, &mut values)?;

    let mut marks = Marks::new(range.len());
    let (bad_lines, failed) = mark(job, piece, &failures, &mut marks);
    let (failures, end) = match (job.arguments.on_error, failed) {
        (OnError::Fail, Some((_, error))) => {
            // Results before the first instance without one are results.
            values = values.slice(0..failures.first().map_or(0, |failure| failure.instance));
            (None, Some(error))
        }
        (_, failed) => (failed, None),
    };
    let (instances, format) = (values.instances(), job.arguments.format());
    #[cfg(feature = "columns")]
    if let Some(place) = &job.table {
        let content = Content::Column(marks.column(&values, place.kind, format)?);
        return Ok(Results { instances, content, bad_lines, failures, end, total: chunk.total });
    }
    let ty = prepared.result_type();
    // Records of negative integers have ones above their width.
    let are_records = is_whole::<B>(format, ty) && (!ty.is_signed() || ty.bits().is_multiple_of(8));
    let content = if are_records {
        Content::Limbs(values)
    } else {
        let text = marks.write(&values, format);
        board.give_back(values);
        Content::Text(text)
    };
    Ok(Results { instances, content, bad_lines, failures, end, total: chunk.total })
}

/// Memory for results, on a GPU such that it copies to by itself.
fn memory<B: Base>(engine: &Engine, prepared: &Prepared<B>, instances: usize) -> Result<Batch<B>, CliError> {
    let (ty, layout) = (prepared.result_type(), Layout::InstanceMajor);
    if prepared.device_name() != "CPU"
        && let Ok(pinned) = engine.pinned(ty, layout, instances)
    {
        return Ok(pinned);
    }
    // There may be a limit on such memory.
    Ok(Batch::zeros(ty, layout, instances).map_err(EvalError::from)?)
}

/// A number of lines or instances, and the first of them.
type Counted = Option<(usize, CliError)>;

/// Marks the instances whose records are not integers, and those that have no result.
fn mark<B: Base>(job: &Job, piece: &Piece<B>, failures: &[Failure], marks: &mut Marks) -> (Counted, Counted) {
    let Piece { chunk, range, .. } = piece;
    // Of several bad lines of an instance, that of the first input is its mark.
    for record in chunk.bad(range).flatten() {
        marks.add(record.instance - range.start, record.error.mark());
    }
    let count = chunk.bad(range).map(<[_]>::len).sum();
    let bad_lines = chunk::first(chunk.bad(range))
        .map(|(input, bad)| (count, job.reading().record_error(&job.inputs()[input], bad.number, bad.error)));
    // A bad line counts before what follows from it, and of several failures of an instance the first.
    let mut new = failures.iter().filter(|failure| marks.add(failure.instance, failure.why.mark()));
    let first = new.next().map(|first| instance_error(job, piece, first));
    (bad_lines, first.map(|first| (1 + new.count(), first)))
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
