//! One of the chunks that are under way at once.
#![allow(unsafe_code)]

use std::sync::Arc;

use cudarc::driver::{CudaEvent, CudaStream, result};

use super::plan::{Chunk, StreamPlan};
use crate::buffer::DeviceBuffer;
use crate::device::Device;
use crate::driver::failed;
use crate::error::GpuError;
use crate::pinned::Pinned;
use crate::program::{LoadedProgram, MARK_BYTES, Scratch};

/// A pinned buffer, a device buffer, and the bytes of one instance in them.
#[derive(Debug)]
struct Pair {
    host: Pinned,
    device: DeviceBuffer,
    per_instance: u64,
}

impl Pair {
    fn new(device: &Device, per_instance: u64, instances: u64) -> Result<Self, GpuError> {
        let bytes = per_instance * instances;
        let size = usize::try_from(bytes).map_err(|_| GpuError::PinnedMemory { asked: bytes })?;
        Ok(Self { host: Pinned::new(device.context(), size)?, device: device.alloc(bytes)?, per_instance })
    }

    /// Bytes of a chunk that fits.
    fn len(&self, chunk: &Chunk) -> usize {
        (self.per_instance * chunk.instances) as usize
    }
}

/// Pinned memory for the marks of a chunk.
fn marks(device: &Device, instances: u64) -> Result<Pinned, GpuError> {
    let asked = MARK_BYTES.saturating_mul(instances);
    let size = usize::try_from(asked).map_err(|_| GpuError::PinnedMemory { asked })?;
    Pinned::new(device.context(), size)
}

/// Bytes of the marks of a chunk that fits.
const fn mark_bytes(chunk: &Chunk) -> usize {
    (MARK_BYTES * chunk.instances) as usize
}

#[derive(Debug)]
pub(super) struct Slot {
    inputs: Vec<Pair>,
    output: Pair,
    /// The marks of instances that have no result, if kernels make some.
    marks: Option<Pinned>,
    scratch: Scratch,
    stream: Arc<CudaStream>,
    /// Recorded after the last copy of a chunk.
    done: CudaEvent,
    /// The chunk under way.
    chunk: Option<Chunk>,
}

impl Slot {
    pub(super) fn new(device: &Device, program: &LoadedProgram, plan: &StreamPlan) -> Result<Self, GpuError> {
        let footprint = program.footprint();
        let pair = |per_instance| Pair::new(device, per_instance, plan.instances_per_chunk);
        Ok(Self {
            inputs: footprint.inputs.iter().map(|&bytes| pair(bytes)).collect::<Result<_, _>>()?,
            output: pair(footprint.output)?,
            marks: program.marks().then(|| marks(device, plan.instances_per_chunk)).transpose()?,
            scratch: device.scratch_of(program, plan.instances_per_chunk, 1)?,
            stream: device.context().new_stream().map_err(failed("create a queue"))?,
            done: device.context().new_event(None).map_err(failed("create an event"))?,
            chunk: None,
        })
    }

    /// Waits for the chunk under way, if there is one, and gives its results away. Afterwards no copy uses
    /// the pinned buffers.
    pub(super) fn drain<E: From<GpuError>>(
        &mut self,
        write: &mut impl FnMut(&Chunk, &[u8], &[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(chunk) = self.chunk.take() else { return Ok(()) };
        self.done.synchronize().map_err(failed("finish a chunk"))?;
        let marks: &[u32] = match &self.marks {
            Some(marks) => bytemuck::cast_slice(&marks.as_slice()[..mark_bytes(&chunk)]),
            None => &[],
        };
        write(&chunk, &self.output.host.as_slice()[..self.output.len(&chunk)], marks)
    }

    /// Fills the pinned buffers of a drained slot.
    pub(super) fn fill<E: From<GpuError>>(
        &mut self,
        chunk: &Chunk,
        read: &mut impl FnMut(&Chunk, usize, &mut [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        for (i, pair) in self.inputs.iter_mut().enumerate() {
            let bytes = pair.len(chunk);
            read(chunk, i, &mut pair.host.as_mut_slice()[..bytes])?;
        }
        Ok(())
    }

    /// Starts a filled slot's copies and its kernels.
    pub(super) fn start(&mut self, program: &LoadedProgram, chunk: Chunk) -> Result<(), GpuError> {
        let started = self.enqueue(program, &chunk);
        match started {
            Ok(()) => self.chunk = Some(chunk),
            // What was started before the failure must not use the buffers any more; the failure itself is
            // returned.
            Err(_) => drop(self.stream.synchronize()),
        }
        started
    }

    fn enqueue(&mut self, program: &LoadedProgram, chunk: &Chunk) -> Result<(), GpuError> {
        self.stream.context().bind_to_thread().map_err(failed("select the GPU"))?;
        let stream = self.stream.cu_stream();
        for pair in &self.inputs {
            let bytes = &pair.host.as_slice()[..pair.len(chunk)];
            // SAFETY: both buffers have these bytes, and neither is touched or freed before the stream is
            // done.
            let copied = unsafe { result::memcpy_htod_async(pair.device.address(), bytes, stream) };
            copied.map_err(failed("copy to the GPU"))?;
        }
        let inputs: Vec<_> = self.inputs.iter().map(|pair| pair.device.address()).collect();
        let output = self.output.device.address();
        program.start_in(&self.stream, &inputs, &self.scratch, output, chunk.instances)?;
        let length = self.output.len(chunk);
        let bytes = &mut self.output.host.as_mut_slice()[..length];
        // SAFETY: as above.
        let copied = unsafe { result::memcpy_dtoh_async(bytes, self.output.device.address(), stream) };
        copied.map_err(failed("copy from the GPU"))?;
        if let (Some(host), Some(device)) = (&mut self.marks, self.scratch.marks()) {
            let bytes = &mut host.as_mut_slice()[..mark_bytes(chunk)];
            // SAFETY: as above.
            let copied = unsafe { result::memcpy_dtoh_async(bytes, device.address(), stream) };
            copied.map_err(failed("copy from the GPU"))?;
        }
        self.done.record(&self.stream).map_err(failed("record an event"))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        // Also after an error, nothing may be freed that a copy still uses. A failure cannot be reported
        // here; the next call on this context reports it.
        self.stream.context().record_err(self.stream.synchronize());
    }
}
