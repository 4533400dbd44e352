//! The threads of a run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use limbforge::limb::io::NumberFormat;
use limbforge::prelude::*;

use super::board::{Board, Inputs};
use super::failures::Failures;
use super::job::Job;
use super::meter::Meter;
use super::outputs::Target;
use super::pool::Pool;
use super::results::Results;
use super::sink::Sinks;
use super::source::Length;
use super::{evaluate, load};
use crate::engine::{self, Fallback};
use crate::error::CliError;

/// Instances of the first piece on a GPU: enough that its results are not kept waiting by the call itself.
const FIRST_PIECE_OF_GPU: usize = 256;

/// Bytes of results that are worth a thread that finds room for them.
const WORTH_ROOM: u64 = 16 << 20;

/// Runs a command, and returns when all threads have ended but those that wait for files.
pub(super) fn run<B: Base>(job: Job) -> Result<(), CliError> {
    let (job, pool) = (Arc::new(job), Arc::new(Pool::<B>::new()));
    let board = Arc::new(Board::<B>::new(job.evaluators()));
    let mut report = Report { failures: Failures::default(), fallback: Fallback::default() };
    thread::scope(|scope| {
        let _stop = Stop { board: &board, pool: &pool };
        let thread = |name: &str| thread::Builder::new().name(name.to_owned());
        let no_thread = |error| CliError::Internal(format!("no thread for the evaluation: {error}"));
        let open = || guarded(&board, || open(&job, &board, &pool));
        thread("engine").spawn_scoped(scope, open).map_err(no_thread)?;
        // Before anything is read: who cannot write need not wait for a pipe. A missing GPU is told first.
        let output = match Sinks::create(&job) {
            Ok(output) => output,
            Err(error) => return Err(board.engine().and_then(Result::err).unwrap_or(error)),
        };
        // It is left alone at the end of a run that fails while it waits for a pipe.
        let (its_job, its_board, its_pool) = (job.clone(), board.clone(), pool.clone());
        let load = move || guarded(&its_board, || load::run(&its_job, &its_board, &its_pool));
        thread("reader").spawn(load).map_err(no_thread)?;
        for _ in 0..job.evaluators() {
            let evaluate = || guarded(&board, || evaluate::run(&job, &board));
            thread("evaluation").spawn_scoped(scope, evaluate).map_err(no_thread)?;
        }
        write_all(&job, &board, output, &mut report)
    })?;
    if let Some(Ok(engine)) = board.engine() {
        report.fallback.say(&engine, |note| eprintln!("{note}"));
    }
    report.failures.report();
    Ok(())
}

/// What is told after the results.
struct Report {
    failures: Failures,
    fallback: Fallback,
}

/// Lets nobody wait any more.
struct Stop<'b, B: Base> {
    board: &'b Board<B>,
    pool: &'b Pool<B>,
}

impl<B: Base> Drop for Stop<'_, B> {
    fn drop(&mut self) {
        self.board.stop();
        self.pool.close();
    }
}

/// A panic is our defect, of which the thread has told; it ends the run.
fn guarded<B: Base>(board: &Board<B>, work: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        board.fail(CliError::Internal(
            "a thread of the evaluation has stopped; please report this".to_owned(),
        ));
    }
}

/// Opens the engine, and prepares the expressions when it is known which files have one integer.
fn open<B: Base>(job: &Job, board: &Board<B>, pool: &Pool<B>) {
    let engine = match open_engine(job) {
        Ok(engine) => engine,
        Err(error) => return board.set_engine(Err(error)),
    };
    board.set_engine(Ok(engine.clone()));
    let Some(Ok(Inputs { is_single, .. })) = board.inputs() else { return };
    let mut placement = Placement::new(Layout::InstanceMajor);
    if is_single.contains(&false) {
        let singles = job.inputs().iter().zip(&is_single).filter(|(_, is_single)| **is_single);
        placement = singles.fold(placement, |placement, (input, _)| placement.with_broadcast(&input.name));
    }
    let exprs: Vec<Expr> = job.targets.iter().map(|target| target.expr.clone()).collect();
    match engine.prepare_all::<B>(&exprs, job.ty, &placement) {
        Ok(prepared) if prepared.device_name() == "CPU" => {
            board.set_prepared(engine, prepared, job.sizes.first_piece);
        }
        Ok(prepared) => {
            pool.pin(&engine);
            board.set_prepared(engine, prepared, job.sizes.first_piece.max(FIRST_PIECE_OF_GPU));
        }
        Err(error) => board.fail(error.into()),
    }
}

fn open_engine(job: &Job) -> Result<Engine, CliError> {
    let engine = engine::open(job.arguments.backend)?;
    #[cfg(feature = "gpu")]
    if let Some(error) = engine.tuning_error() {
        eprintln!("warning: {error}");
    }
    Ok(match job.device_memory() {
        Some(bytes) => engine.with_device_memory(bytes),
        None => engine,
    })
}

/// Writes all results in order.
fn write_all<B: Base>(
    job: &Job,
    board: &Board<B>,
    mut output: Sinks,
    report: &mut Report,
) -> Result<(), CliError> {
    let mut meter = Meter::start();
    if let Some(inputs) = board.inputs() {
        let inputs = inputs?;
        output.reserve(job.targets.iter().map(|target| match expected_bytes(job, target, &inputs) {
            bytes if bytes >= WORTH_ROOM && target.out.table.is_none() => bytes,
            _ => 0,
        }));
    }
    while let Some(results) = board.next() {
        let Results { instances, contents, bad_lines, failures, end, total } = results?;
        output.write(contents, board)?;
        if let Some(error) = end {
            return Err(error);
        }
        report.failures.note(bad_lines, failures);
        meter.add(instances, total);
        if let (Some(print), Some(Ok(engine))) = (meter.printer(), board.engine()) {
            report.fallback.say(&engine, print);
        }
    }
    output.finish()?;
    meter.finish();
    Ok(())
}

/// The size of results: that of binary records is known, lines are about as long as those of the inputs.
fn expected_bytes(job: &Job, target: &Target, inputs: &Inputs) -> u64 {
    let factor = target.width() as u64;
    let of_input = |(length, is_single): (&Length, &bool)| match *length {
        Length::Known(records) if !is_single && job.arguments.format() == NumberFormat::Bin => {
            records.saturating_mul((factor * u64::from(job.ty.bits())).div_ceil(8))
        }
        Length::Text(bytes) if !is_single => bytes.saturating_mul(factor),
        _ => 0,
    };
    inputs.lengths.iter().zip(&inputs.is_single).map(of_input).max().unwrap_or(0)
}
