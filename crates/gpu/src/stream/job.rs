//! What all chunks of a run share, on each GPU and in the machine's memory.

use super::host::{HostBatch, HostResult, Operands, Results, WriteResults};
use super::plan::{Demand, StreamPlan};
use super::station::{Failure, Station};
use crate::buffer::DeviceBuffer;
use crate::driver::failed;
use crate::error::GpuError;
use crate::host_memory::{advise_large_pages, is_pinned};

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
    /// Its number in the run.
    pub(super) gpu: usize,
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
    pub(super) fn place<'p>(
        &self,
        (gpu, station): (usize, &'p Station<'p>),
        threads: u64,
    ) -> Result<Place<'p>, Failure<E>> {
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
        Ok(Place { gpu, station, plan, operands, direct_outputs, reads, writes })
    }
}

fn check(what: String, expected: u64, bytes: &[u8]) -> Result<(), GpuError> {
    match bytes.len() as u64 {
        found if found == expected => Ok(()),
        found => Err(GpuError::Size { what, expected, found }),
    }
}
