//! One of the chunks of a lane that are under way at once.
#![allow(unsafe_code)]

use std::sync::Arc;

use cudarc::driver::{CudaEvent, CudaStream, result};

use super::cursor::{Cursor, Piece};
use super::host::{Job, Operand, Operands, Place};
use super::plan::Chunk;
use super::station::Failure;
use crate::buffer::DeviceBuffer;
use crate::device::Device;
use crate::driver::failed;
use crate::error::GpuError;
use crate::pinned::Pinned;
use crate::program::Scratch;

/// Memory of a chunk on the device, and the pinned buffer that it is copied through, if any.
#[derive(Debug)]
struct Buffers {
    device: DeviceBuffer,
    host: Option<Pinned<u8>>,
    per_instance: u64,
}

impl Buffers {
    fn new(device: &Device, per_instance: u64, instances: u64, direct: bool) -> Result<Self, GpuError> {
        let bytes = per_instance.saturating_mul(instances);
        let size = usize::try_from(bytes).map_err(|_| GpuError::PinnedMemory { asked: bytes })?;
        let host = (!direct).then(|| device.pinned(size)).transpose()?;
        Ok(Self { device: device.alloc(bytes)?, host, per_instance })
    }

    /// The pinned bytes of a chunk, if it goes through any.
    fn host(&mut self, chunk: &Chunk) -> Option<&mut [u8]> {
        let bytes = (self.per_instance * chunk.instances) as usize;
        self.host.as_mut().map(|host| &mut host.as_mut_slice()[..bytes])
    }
}

#[derive(Debug)]
pub(super) struct Slot<'r> {
    /// Those of the operands that are copied for each chunk.
    inputs: Vec<Buffers>,
    output: Buffers,
    /// The marks of instances that have no result, if kernels make some.
    marks: Option<Pinned<u32>>,
    scratch: Scratch,
    stream: Arc<CudaStream>,
    /// Recorded after the last copy of a chunk.
    done: CudaEvent,
    /// Whether the launches that are the same for all chunks have run.
    is_primed: bool,
    /// The chunk under way.
    piece: Option<Piece<'r>>,
}

impl<'r> Slot<'r> {
    pub(super) fn new(place: &Place<'_>) -> Result<Self, GpuError> {
        let (device, program) = (place.station.device, place.station.program);
        let instances = place.plan.instances_per_chunk;
        let buffers = |per_instance, direct| Buffers::new(device, per_instance, instances, direct);
        let copied = place.operands.iter().filter_map(|operand| match *operand {
            Operand::Copied { per_instance, direct } => Some(buffers(per_instance, direct)),
            Operand::Shared(_) => None,
        });
        let slot = Self {
            inputs: copied.collect::<Result<_, _>>()?,
            output: buffers(program.footprint().output, place.direct_output)?,
            marks: program.marks().then(|| device.pinned(instances as usize)).transpose()?,
            scratch: device.scratch_of(program, instances, 1)?,
            stream: device.context().new_stream().map_err(failed("create a queue"))?,
            done: device.context().new_event(None).map_err(failed("create an event"))?,
            is_primed: false,
            piece: None,
        };
        // The buffers, and what is uploaded for all chunks, are there when the device's queue is.
        slot.stream.join(device.queue()).map_err(failed("order the queues"))?;
        Ok(slot)
    }

    /// Waits for the chunk under way, if there is one, and hands its results out.
    pub(super) fn finish<E>(&mut self, job: &Job<'_, E>, cursor: &Cursor<'r>) -> Result<(), Failure<E>> {
        if self.piece.is_none() {
            return Ok(());
        }
        self.done.synchronize().map_err(|error| Failure::Device(failed("finish a chunk")(error)))?;
        let Some(mut piece) = self.piece.take() else { return Ok(()) };
        let chunk = piece.chunk;
        let marks =
            self.marks.as_ref().map_or(&[][..], |marks| &marks.as_slice()[..chunk.instances as usize]);
        match (job.write, self.output.host(&chunk)) {
            (Some(write), results) => {
                cursor.done(&chunk, &[]);
                return write(&chunk, results.as_deref().unwrap_or_default(), marks).map_err(Failure::Caller);
            }
            (None, Some(results)) => {
                let mut results = &*results;
                for row in &mut piece.rows {
                    row.copy_from_slice(take(&mut results, row.len()));
                }
            }
            // The device has written the results itself.
            (None, None) => {}
        }
        cursor.done(&chunk, marks);
        Ok(())
    }

    /// Fills the pinned buffers of a finished slot and starts copies and kernels. The chunk is then under
    /// way, also after an error.
    pub(super) fn start<E>(
        &mut self,
        place: &Place<'_>,
        job: &Job<'_, E>,
        piece: Piece<'r>,
    ) -> Result<(), Failure<E>> {
        let chunk = self.piece.insert(piece).chunk;
        match &job.operands {
            Operands::Read(read) => {
                let rooms = self.inputs.iter_mut().filter_map(|input| input.host(&chunk));
                read(&chunk, &mut rooms.collect::<Vec<_>>()).map_err(Failure::Caller)?;
            }
            Operands::Memory(batches) => {
                for (input, batch) in self.inputs.iter_mut().zip(place.copied(batches)) {
                    let Some(mut room) = input.host(&chunk) else { continue };
                    for row in batch.rows(chunk, job.instances) {
                        let (bytes, rest) = room.split_at_mut(row.len());
                        bytes.copy_from_slice(row);
                        room = rest;
                    }
                }
            }
        }
        self.enqueue(place, job, &chunk).map_err(Failure::Device)
    }

    fn enqueue<E>(&mut self, place: &Place<'_>, job: &Job<'_, E>, chunk: &Chunk) -> Result<(), GpuError> {
        self.stream.context().bind_to_thread().map_err(failed("select the GPU"))?;
        let stream = self.stream.cu_stream();
        let batches = if let Operands::Memory(batches) = job.operands { batches } else { &[] };
        let mut batches = place.copied(batches);
        for input in &mut self.inputs {
            let direct = batches.next().and_then(|batch| batch.rows(*chunk, job.instances).next());
            let address = input.device.address();
            let bytes = match input.host(chunk) {
                Some(bytes) => bytes,
                None => direct.unwrap_or_default(),
            };
            // SAFETY: both memories have these bytes, and neither is touched or freed before the stream is
            // done: the caller of the run waits for it.
            let copied = unsafe { result::memcpy_htod_async(address, bytes, stream) };
            copied.map_err(failed("copy to the GPU"))?;
        }
        self.start_kernels(place, chunk)?;
        let address = self.output.device.address();
        let direct = self.piece.as_mut().and_then(|piece| piece.rows.first_mut()).map(|row| &mut **row);
        if let Some(results) = self.output.host(chunk).or(direct) {
            // SAFETY: as above.
            let copied = unsafe { result::memcpy_dtoh_async(results, address, stream) };
            copied.map_err(failed("copy from the GPU"))?;
        }
        if let (Some(host), Some(device)) = (&mut self.marks, self.scratch.marks()) {
            let marks = &mut host.as_mut_slice()[..chunk.instances as usize];
            // SAFETY: as above.
            let copied = unsafe { result::memcpy_dtoh_async(marks, device.address(), stream) };
            copied.map_err(failed("copy from the GPU"))?;
        }
        self.done.record(&self.stream).map_err(failed("record an event"))
    }

    fn start_kernels(&mut self, place: &Place<'_>, chunk: &Chunk) -> Result<(), GpuError> {
        let mut copied = self.inputs.iter();
        let address = |operand: &Operand| match operand {
            Operand::Shared(buffer) => buffer.address(),
            Operand::Copied { .. } => copied.next().map_or(0, |input| input.device.address()),
        };
        let inputs: Vec<u64> = place.operands.iter().map(address).collect();
        let (program, output) = (place.station.program, self.output.device.address());
        program.start_in(&self.stream, &inputs, &self.scratch, output, chunk.instances, !self.is_primed)?;
        self.is_primed = true;
        Ok(())
    }

    /// The chunk under way, after the device has stopped to work on it.
    pub(super) fn abandon(&mut self) -> Option<Piece<'r>> {
        self.stream.context().record_err(self.stream.synchronize());
        self.piece.take()
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        // Nothing may be freed that a copy still uses. A failure cannot be reported here; the next call on
        // this context reports it.
        self.stream.context().record_err(self.stream.synchronize());
    }
}

/// The first bytes, which are no longer part of `bytes`.
fn take<'b>(bytes: &mut &'b [u8], count: usize) -> &'b [u8] {
    let (first, rest) = bytes.split_at(count);
    *bytes = rest;
    first
}
