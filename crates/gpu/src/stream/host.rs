//! Batches in the machine's memory, and where a GPU finds and leaves them.

use super::plan::{Chunk, Demand, StreamPlan};
use super::station::{Failure, Station};
use crate::buffer::DeviceBuffer;
use crate::driver::failed;
use crate::error::GpuError;
use crate::host_memory::{advise_large_pages, is_pinned};

/// An operand in the machine's memory.
#[derive(Clone, Copy, Debug)]
pub struct HostBatch<'a> {
    bytes: &'a [u8],
    /// Rows of equal length, each with a part of every instance.
    rows: usize,
}

/// Writes the operands of a chunk, each into its buffer.
pub type ReadOperands<'a, E> = dyn Fn(&Chunk, &mut [&mut [u8]]) -> Result<(), E> + Sync + 'a;

/// Takes the results of a chunk, and the words that mark its instances.
pub type WriteResults<'a, E> = dyn Fn(&Chunk, &[&[u8]], &[u32]) -> Result<(), E> + Sync + 'a;

/// The operands of N instances.
#[expect(missing_debug_implementations, reason = "a function has no text")]
pub enum Operands<'a, E> {
    /// In memory, in the order of the program's operands.
    Memory(&'a [HostBatch<'a>]),
    /// Written by a function into a buffer for each operand. It is called once for each chunk, by several
    /// threads; a chunk that a GPU has lost is asked for again.
    Read(&'a ReadOperands<'a, E>),
}

/// Where the results of N instances go.
#[expect(missing_debug_implementations, reason = "a function has no text")]
pub enum Results<'a, E> {
    /// To memory, in the order of the program's results.
    Memory(Vec<HostResult<'a>>),
    /// To a function, which gets the bytes of each chunk's results once, with a word for each instance: a bit
    /// for every result that it lacks (no words if the program marks no instances). Several threads call it,
    /// in any order.
    Write(&'a WriteResults<'a, E>),
}

/// Memory for a result.
#[derive(Debug)]
pub struct HostResult<'a> {
    bytes: &'a mut [u8],
    /// Rows of equal length, each with a part of every instance.
    rows: usize,
}

impl<'a> HostResult<'a> {
    /// For instances one after the other.
    #[must_use]
    pub const fn new(bytes: &'a mut [u8]) -> Self {
        Self { bytes, rows: 1 }
    }

    /// For an interleaved batch of M limbs: a row for each.
    #[must_use]
    pub const fn interleaved(bytes: &'a mut [u8], limbs: usize) -> Self {
        Self { bytes, rows: limbs }
    }
}

impl<'a> HostBatch<'a> {
    /// The bytes of instances one after the other, or of the one instance that all use.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, rows: 1 }
    }

    /// The bytes of an interleaved batch of M limbs: a row for each.
    #[must_use]
    pub const fn interleaved(bytes: &'a [u8], limbs: usize) -> Self {
        Self { bytes, rows: limbs }
    }

    /// The part of a chunk in each row, of a batch of N instances.
    pub(super) fn rows(self, chunk: Chunk, instances: u64) -> impl Iterator<Item = &'a [u8]> {
        let row = self.bytes.len() / self.rows;
        let range = chunk.bytes(row as u64 / instances);
        self.bytes.chunks_exact(row.max(1)).map(move |row| &row[range.clone()])
    }

    /// The part of a chunk if the device can copy it by itself.
    const fn is_one_row(self) -> bool {
        self.rows == 1
    }
}

/// Operands and results of N instances.
pub(super) struct Job<'a, E> {
    pub(super) operands: Operands<'a, E>,
    pub(super) write: Option<&'a WriteResults<'a, E>>,
    pub(super) instances: u64,
    /// Whether the device copies each operand from memory by itself.
    direct_inputs: Vec<bool>,
    /// For each result the number of its rows, and whether the device copies it to memory by itself.
    pub(super) outputs: Vec<(usize, bool)>,
}

/// Bytes of a batch that the driver copies as fast from any memory.
const SMALL: u64 = 1 << 20;

/// An operand on a GPU.
#[derive(Debug)]
pub(super) enum Operand {
    /// One instance, for all chunks.
    Shared(DeviceBuffer),
    /// Copied for each chunk, through a pinned buffer or not, with so many bytes for each instance.
    Copied { per_instance: u64, direct: bool },
}

/// A GPU, and what is the same for all its chunks.
pub(super) struct Place<'a> {
    pub(super) station: &'a Station<'a>,
    pub(super) plan: StreamPlan,
    pub(super) operands: Vec<Operand>,
    pub(super) direct_outputs: Vec<bool>,
    /// Whether functions of the caller's read operands and write results.
    pub(super) reads: bool,
    pub(super) writes: bool,
}

impl Place<'_> {
    /// Those batches that are copied for each chunk.
    pub(super) fn copied<'b>(&self, batches: &'b [HostBatch<'b>]) -> impl Iterator<Item = HostBatch<'b>> {
        let copied = |(_, operand): &(_, &Operand)| matches!(operand, Operand::Copied { .. });
        batches.iter().zip(&self.operands).filter(copied).map(|(batch, _)| *batch)
    }
}

impl<'a, E: From<GpuError>> Job<'a, E> {
    /// Also the rows of results that go to memory.
    pub(super) fn new(
        stations: &[Station<'_>],
        operands: Operands<'a, E>,
        results: Results<'a, E>,
        instances: u64,
    ) -> Result<(Self, Vec<&'a mut [u8]>), GpuError> {
        for Station { device, program, .. } in stations {
            program.check_device(device)?;
        }
        let Some(Station { device, program, .. }) = stations.first() else {
            return Err(GpuError::NoDevice);
        };
        let footprint = program.footprint();
        device.context().bind_to_thread().map_err(failed("select the GPU"))?;
        let moved = footprint.inputs.iter().chain(&footprint.outputs).sum::<u64>();
        let is_small = moved.saturating_mul(instances) <= SMALL;
        let mut direct_inputs = vec![false; footprint.inputs.len()];
        if let Operands::Memory(batches) = &operands {
            program.check_inputs(batches.len())?;
            for (i, (batch, &bytes)) in batches.iter().zip(&footprint.inputs).enumerate() {
                let expected = bytes.saturating_mul(instances);
                // The bytes of an operand that all instances share are not part of the footprint.
                check(
                    format!("input {i}"),
                    if bytes == 0 { batch.bytes.len() as u64 } else { expected },
                    batch.bytes,
                )?;
                direct_inputs[i] = batch.is_one_row() && (is_small || is_pinned(batch.bytes));
            }
        }
        let (mut all_rows, mut outputs) = (vec![], vec![(0, false); footprint.outputs.len()]);
        let write = match results {
            Results::Write(write) => Some(write),
            Results::Memory(results) => {
                program.check_outputs(results.len())?;
                for (i, HostResult { bytes, rows }) in results.into_iter().enumerate() {
                    let expected = footprint.outputs[i].saturating_mul(instances);
                    check(format!("result {i}"), expected, bytes)?;
                    let direct = rows == 1 && (is_small || is_pinned(bytes));
                    if !direct {
                        advise_large_pages(bytes);
                    }
                    let row = (bytes.len() / rows.max(1)).max(1);
                    let before = all_rows.len();
                    all_rows.extend(bytes.chunks_exact_mut(row));
                    outputs[i] = (all_rows.len() - before, direct);
                }
                None
            }
        };
        Ok((Self { operands, write, instances, direct_inputs, outputs }, all_rows))
    }

    /// Cuts the batch for a GPU, and copies what all its chunks share to it.
    pub(super) fn place<'p>(&self, station: &'p Station<'p>, threads: u64) -> Result<Place<'p>, Failure<E>> {
        let inputs = &station.program.footprint().inputs;
        let copied = inputs.iter().zip(&self.direct_inputs).filter(|(bytes, _)| **bytes > 0);
        let direct =
            self.outputs.iter().all(|(_, direct)| *direct) && copied.clone().all(|(_, direct)| *direct);
        let threads = (!direct).then_some(threads);
        let demand = Demand::new(station.program, self.instances, station.allowance, threads);
        let plan = StreamPlan::new(&demand).map_err(Failure::Device)?;
        let mut operands = vec![];
        for (i, (&per_instance, &direct)) in inputs.iter().zip(&self.direct_inputs).enumerate() {
            operands.push(match &self.operands {
                Operands::Memory(batches) if per_instance == 0 => {
                    Operand::Shared(station.device.upload(batches[i].bytes).map_err(Failure::Device)?)
                }
                _ => Operand::Copied { per_instance, direct },
            });
        }
        let (reads, writes) = (matches!(self.operands, Operands::Read(_)), self.write.is_some());
        let direct_outputs = self.outputs.iter().map(|(_, direct)| *direct).collect();
        Ok(Place { station, plan, operands, direct_outputs, reads, writes })
    }
}

fn check(what: String, expected: u64, bytes: &[u8]) -> Result<(), GpuError> {
    match bytes.len() as u64 {
        found if found == expected => Ok(()),
        found => Err(GpuError::Size { what, expected, found }),
    }
}
