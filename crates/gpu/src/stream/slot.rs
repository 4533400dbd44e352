//! One of the chunks of a lane that are under way at once.
#![allow(unsafe_code)]

use std::sync::Arc;

use cudarc::driver::{CudaEvent, CudaStream, result};

use super::buffers::Buffers;
use super::cursor::{Cursor, Piece};
use super::host::Operands;
use super::job::{Job, Operand, Place};
use super::plan::Chunk;
use super::station::Failure;
use crate::driver::failed;
use crate::error::GpuError;
use crate::pinned::Pinned;
use crate::program::Scratch;
use crate::ring::Ring;

#[derive(Debug)]
pub(super) struct Slot<'r> {
    /// Those of the operands that are copied for each chunk.
    inputs: Vec<Buffers>,
    outputs: Vec<Buffers>,
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
        let buffers = |per_instance, how| Buffers::new(device, per_instance, instances, how);
        let copied = place.operands.iter().filter_map(|operand| match *operand {
            Operand::Copied { per_instance, direct } => Some(buffers(per_instance, (place.reads, direct))),
            Operand::Shared(_) => None,
        });
        let bytes = program.footprint().outputs.iter().zip(&place.direct_outputs);
        let written = bytes.map(|(&per_instance, &direct)| buffers(per_instance, (place.writes, direct)));
        let slot = Self {
            inputs: copied.collect::<Result<_, _>>()?,
            outputs: written.collect::<Result<_, _>>()?,
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

    pub(super) const fn is_busy(&self) -> bool {
        self.piece.is_some()
    }

    /// Waits for the chunk under way, if there is one, and hands its results out.
    pub(super) fn finish<E>(
        &mut self,
        (gpu, job): (usize, &Job<'_, E>),
        cursor: &Cursor<'r>,
        ring: &mut Ring,
    ) -> Result<(), Failure<E>> {
        let Some(piece) = &mut self.piece else { return Ok(()) };
        let chunk = piece.chunk;
        let mut rows = &mut piece.rows[..];
        for (output, &(count, direct)) in self.outputs.iter().zip(&job.outputs) {
            let (own, rest) = rows.split_at_mut(count);
            rows = rest;
            if job.write.is_none() && !direct {
                ring.pull(output.device.address(), own, &self.stream).map_err(Failure::Device)?;
            }
        }
        self.done.synchronize().map_err(|error| Failure::Device(failed("finish a chunk")(error)))?;
        self.piece = None;
        let marks =
            self.marks.as_ref().map_or(&[][..], |marks| &marks.as_slice()[..chunk.instances as usize]);
        let Some(write) = job.write else {
            cursor.done(gpu, &chunk, marks);
            return Ok(());
        };
        cursor.done(gpu, &chunk, &[]);
        let results = self.outputs.iter_mut().filter_map(|output| output.host(&chunk).map(|bytes| &*bytes));
        write(&chunk, &results.collect::<Vec<_>>(), marks).map_err(Failure::Caller)
    }

    /// Starts the copies and kernels of a finished slot. The chunk is then under way, also after an error.
    pub(super) fn start<E>(
        &mut self,
        place: &Place<'_>,
        job: &Job<'_, E>,
        piece: Piece<'r>,
        ring: &mut Ring,
    ) -> Result<(), Failure<E>> {
        let chunk = self.piece.insert(piece).chunk;
        if let Operands::Read(read) = &job.operands {
            let rooms = self.inputs.iter_mut().filter_map(|input| input.host(&chunk));
            read(&chunk, &mut rooms.collect::<Vec<_>>()).map_err(Failure::Caller)?;
        }
        self.enqueue(place, job, &chunk, ring).map_err(Failure::Device)
    }

    fn enqueue<E>(
        &mut self,
        place: &Place<'_>,
        job: &Job<'_, E>,
        chunk: &Chunk,
        ring: &mut Ring,
    ) -> Result<(), GpuError> {
        self.stream.context().bind_to_thread().map_err(failed("select the GPU"))?;
        let batches = if let Operands::Memory(batches) = job.operands { batches } else { &[] };
        let mut batches = place.copied(batches);
        for input in &mut self.inputs {
            let address = input.device.address();
            let rows = batches.next().into_iter().flat_map(|batch| batch.rows(*chunk, job.instances));
            if input.host.is_none() && !input.direct {
                ring.push(rows, address, &self.stream)?;
                continue;
            }
            for bytes in rows.chain(input.host(chunk).map(|bytes| &*bytes)) {
                // SAFETY: both memories have these bytes, and neither is touched or freed before the stream is
                // done: the caller of the run waits for it.
                let copied = unsafe { result::memcpy_htod_async(address, bytes, self.stream.cu_stream()) };
                copied.map_err(failed("copy to the GPU"))?;
            }
        }
        self.start_kernels(place, chunk)?;
        self.copy_results(chunk, &job.outputs)?;
        self.done.record(&self.stream).map_err(failed("record an event"))
    }

    /// Starts the copies of marks, and of results that do not go through the ring.
    fn copy_results(&mut self, chunk: &Chunk, counts: &[(usize, bool)]) -> Result<(), GpuError> {
        let stream = self.stream.cu_stream();
        let mut rows = self.piece.as_mut().map_or(&mut [][..], |piece| &mut piece.rows[..]);
        for (output, &(count, _)) in self.outputs.iter_mut().zip(counts) {
            let (own, rest) = rows.split_at_mut(count);
            rows = rest;
            let address = output.device.address();
            let direct = own.first_mut().map(|row| &mut **row).filter(|_| output.direct);
            if let Some(results) = output.host(chunk).or(direct) {
                // SAFETY: as above.
                let copied = unsafe { result::memcpy_dtoh_async(results, address, stream) };
                copied.map_err(failed("copy from the GPU"))?;
            }
        }
        if let (Some(host), Some(device)) = (&mut self.marks, self.scratch.marks()) {
            let marks = &mut host.as_mut_slice()[..chunk.instances as usize];
            // SAFETY: as above.
            let copied = unsafe { result::memcpy_dtoh_async(marks, device.address(), stream) };
            copied.map_err(failed("copy from the GPU"))?;
        }
        Ok(())
    }

    fn start_kernels(&mut self, place: &Place<'_>, chunk: &Chunk) -> Result<(), GpuError> {
        let mut copied = self.inputs.iter();
        let address = |operand: &Operand| match operand {
            Operand::Shared(buffer) => buffer.address(),
            Operand::Copied { .. } => copied.next().map_or(0, |input| input.device.address()),
        };
        let inputs: Vec<u64> = place.operands.iter().map(address).collect();
        let outputs: Vec<u64> = self.outputs.iter().map(|output| output.device.address()).collect();
        let (program, instances) = (place.station.program, chunk.instances);
        program.start_in(&self.stream, &inputs, &self.scratch, &outputs, instances, !self.is_primed)?;
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
