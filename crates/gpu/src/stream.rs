//! Batches in the machine's memory through one GPU or several, with copies and compute overlapped.
//!
//! A batch is cut into chunks, and lanes (threads of the CPU, several for each GPU) take one after the other.
//! A lane has two slots with memory of its own: it fills the pinned buffers of one, starts its copies and
//! kernels, and empties the other, whose chunk the GPU has computed in the meantime. With a dozen lanes both
//! directions of the link, the GPU and the memory of the machine are busy at once. Where a batch lies in
//! pinned memory the GPU copies from it and to it, without a buffer between.

mod balance;
mod buffers;
mod cursor;
mod host;
mod job;
mod lane;
mod plan;
mod slot;
mod station;

use std::sync::atomic::AtomicBool;
use std::thread;

pub use self::host::{HostBatch, HostResult, Operands, ReadOperands, Results, WriteResults};
pub use self::plan::{Chunk, StreamPlan};
pub use self::station::Station;

use self::cursor::Cursor;
use self::job::Job;
use self::lane::Lane;
use self::station::Failure;
use crate::device::Device;
use crate::error::GpuError;
use crate::invariant::broken_invariant;
use crate::program::LoadedProgram;

/// What has become of a batch.
#[derive(Debug)]
pub struct Streamed {
    /// The instances that lack a result, in order, each with a bit for every result that it lacks; their
    /// bytes are not defined. Empty if the results went to [`Results::Write`].
    pub marked: Vec<(u64, u32)>,
    /// GPUs that have failed, by their places in the list of stations: others have computed their chunks.
    pub lost: Vec<(usize, GpuError)>,
}

/// Runs a program on N instances in chunks, on all these GPUs at once; a faster one computes more of them.
///
/// A GPU that fails gives its chunks back to the others and takes no more.
///
/// # Errors
/// [`GpuError::Size`] if a batch is not exactly N instances, those of `operands` and `results`, which end the
/// run, and the last GPU's if all have failed.
pub fn stream<E: From<GpuError> + Send>(
    stations: &[Station<'_>],
    operands: Operands<'_, E>,
    results: Results<'_, E>,
    instances: u64,
) -> Result<Streamed, E> {
    let (job, rows) = Job::new(stations, operands, results, instances)?;
    if instances == 0 {
        return Ok(Streamed { marked: vec![], lost: vec![] });
    }
    let cursor = Cursor::new(instances, rows, stations.len());
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let threads = (cores / stations.len().max(1) as u64).max(1);
    let run = |gpu: usize| {
        let ended = run_station((gpu, &stations[gpu]), &job, &cursor, threads);
        cursor.leave(gpu);
        ended
    };
    let failures: Vec<Option<Failure<E>>> = thread::scope(|scope| {
        let run = &run;
        let others: Vec<_> = (1..stations.len()).map(|gpu| scope.spawn(move || run(gpu))).collect();
        let first = run(0);
        let joined = others
            .into_iter()
            .map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        [first].into_iter().chain(joined).map(Result::err).collect()
    });
    let mut lost = vec![];
    for (place, failure) in failures.into_iter().enumerate() {
        match failure {
            Some(Failure::Caller(error)) => return Err(error),
            Some(Failure::Device(error)) => lost.push((place, error)),
            None => {}
        }
    }
    match (cursor.into_marked(), lost.pop()) {
        (Some(marked), last) => {
            lost.extend(last);
            Ok(Streamed { marked, lost })
        }
        (None, Some((_, error))) => Err(error.into()),
        (None, None) => broken_invariant("all chunks are computed unless a GPU has failed"),
    }
}

/// All lanes of one GPU.
fn run_station<'r, E: From<GpuError> + Send>(
    (gpu, station): (usize, &Station<'_>),
    job: &Job<'_, E>,
    cursor: &Cursor<'r>,
    threads: u64,
) -> Result<(), Failure<E>> {
    let place = job.place((gpu, station), threads)?;
    cursor.join(gpu, place.plan.lanes * place.plan.slots);
    let failed = AtomicBool::new(false);
    thread::scope(|scope| {
        let run = || Lane::new(&place, job, cursor, &failed)?.run();
        let others: Vec<_> = (1..place.plan.lanes).map(|_| scope.spawn(run)).collect();
        let first = run();
        let joined = others
            .into_iter()
            .map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.fold(first, Result::and)
    })
}

impl Device {
    /// Runs a program on N instances, from and to slices of exactly N instances, of which an operand that is
    /// one integer for all is one. On the device chunks take at most `allowance` bytes together. Returns the
    /// instances that have no result.
    ///
    /// # Errors
    /// [`GpuError::Allowance`] if it is too small for two instances, [`GpuError::Inputs`], [`GpuError::Size`],
    /// [`GpuError::OutOfMemory`] or [`GpuError::PinnedMemory`] if there is less memory than it allows,
    /// [`GpuError::OtherDevice`] and [`GpuError::Driver`].
    pub fn stream_slices(
        &self,
        program: &LoadedProgram,
        inputs: &[&[u8]],
        output: &mut [u8],
        instances: u64,
        allowance: u64,
    ) -> Result<Vec<u64>, GpuError> {
        let batches: Vec<HostBatch<'_>> = inputs.iter().map(|bytes| HostBatch::new(bytes)).collect();
        let station = Station { device: self, program, allowance };
        let results = Results::Memory(vec![HostResult::new(output)]);
        let marked = stream::<GpuError>(&[station], Operands::Memory(&batches), results, instances)?.marked;
        Ok(marked.into_iter().map(|(instance, _)| instance).collect())
    }
}
