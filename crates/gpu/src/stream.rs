//! Batches larger than a device's memory, in chunks, with copies and compute overlapped.
//!
//! A pipeline has a few slots. Each has pinned buffers, device buffers and a CUDA stream of its own, in which
//! a chunk goes to the device, through the kernel and back. While one slot's kernel runs, another slot's
//! operands arrive, a third one's results leave, and the caller fills or empties the next one's pinned
//! buffers.

mod plan;
mod slot;

pub use plan::{Chunk, StreamPlan};

use self::slot::Slot;
use crate::device::Device;
use crate::error::GpuError;
use crate::program::LoadedProgram;

/// A program that runs chunk after chunk. Results come out in the order of the chunks that went in.
#[derive(Debug)]
pub struct Pipeline<'k> {
    program: &'k LoadedProgram,
    plan: StreamPlan,
    slots: Vec<Slot>,
    /// The chunk that is next.
    next: Chunk,
}

impl Device {
    /// A pipeline whose buffers on the device take at most `allowance` bytes together (and as much pinned
    /// memory), for `instances` instances if their number is known.
    ///
    /// # Errors
    /// [`GpuError::Allowance`] if it is too small, [`GpuError::OutOfMemory`] or [`GpuError::PinnedMemory`] if
    /// there is less memory than it allows, [`GpuError::OtherDevice`].
    pub fn pipeline<'k>(
        &self,
        program: &'k LoadedProgram,
        instances: Option<u64>,
        allowance: u64,
    ) -> Result<Pipeline<'k>, GpuError> {
        program.check_device(self)?;
        let (scratch, block) = (program.scratch_bytes(1), program.block_instances());
        let plan = StreamPlan::new(program.footprint(), scratch, block, instances, allowance)?;
        let chunks = instances.map_or(u64::MAX, |all| all.div_ceil(plan.instances_per_chunk));
        let slots = (0..plan.slots.min(chunks.max(1)))
            .map(|_| Slot::new(self, program, &plan))
            .collect::<Result<_, _>>()?;
        Ok(Pipeline { program, plan, slots, next: Chunk { index: 0, first: 0, instances: 0 } })
    }

    /// Runs a program on N instances in chunks. For every chunk, `read` fills a buffer for each input (its
    /// number is the second argument), and `write` takes the results, in order, with a word for each instance
    /// that is not 0 if it has none (no words if the program does not mark instances). Both run on the
    /// calling thread.
    ///
    /// # Errors
    /// Those of [`pipeline`](Self::pipeline), those of `read` and `write`, which end the run, and
    /// [`GpuError::Driver`].
    pub fn stream<E: From<GpuError>>(
        &self,
        program: &LoadedProgram,
        instances: u64,
        allowance: u64,
        mut read: impl FnMut(&Chunk, usize, &mut [u8]) -> Result<(), E>,
        mut write: impl FnMut(&Chunk, &[u8], &[u32]) -> Result<(), E>,
    ) -> Result<StreamPlan, E> {
        let mut pipeline = self.pipeline(program, Some(instances), allowance)?;
        let plan = pipeline.plan();
        let mut left = instances;
        while left > 0 {
            let count = left.min(plan.instances_per_chunk);
            pipeline.submit(count, &mut read, &mut write)?;
            left -= count;
        }
        pipeline.finish(&mut write)?;
        Ok(plan)
    }

    /// The same from and to slices of exactly N instances.
    ///
    /// # Errors
    /// Those of [`pipeline`](Self::pipeline), [`GpuError::Size`] and [`GpuError::Driver`].
    pub fn stream_slices(
        &self,
        program: &LoadedProgram,
        inputs: &[&[u8]],
        output: &mut [u8],
        instances: u64,
        allowance: u64,
    ) -> Result<StreamPlan, GpuError> {
        program.check_inputs(inputs.len())?;
        let footprint = program.footprint().clone();
        let slices = inputs.iter().enumerate().map(|(i, slice)| (format!("input {i}"), slice.len()));
        let needed = footprint.inputs.iter().chain([&footprint.output]);
        for ((what, found), bytes) in slices.chain([("the result".to_owned(), output.len())]).zip(needed) {
            let (expected, found) = (bytes.saturating_mul(instances), found as u64);
            if expected != found {
                return Err(GpuError::Size { what, expected, found });
            }
        }
        let read = |chunk: &Chunk, input: usize, buffer: &mut [u8]| {
            buffer.copy_from_slice(&inputs[input][chunk.bytes(footprint.inputs[input])]);
            Ok(())
        };
        let write = |chunk: &Chunk, result: &[u8], _: &[u32]| {
            output[chunk.bytes(footprint.output)].copy_from_slice(result);
            Ok(())
        };
        self.stream::<GpuError>(program, instances, allowance, read, write)
    }
}

impl Pipeline<'_> {
    /// How it is cut.
    #[must_use]
    pub const fn plan(&self) -> StreamPlan {
        self.plan
    }

    /// Takes the next chunk, of at most [`instances_per_chunk`](StreamPlan::instances_per_chunk) instances.
    /// If all slots are busy it first waits for the oldest chunk and gives its results to `write`.
    ///
    /// # Errors
    /// Those of `read` and `write`, [`GpuError::Size`] for a chunk that is too large, and
    /// [`GpuError::Driver`]. After an error the pipeline's other chunks are lost.
    pub fn submit<E: From<GpuError>>(
        &mut self,
        instances: u64,
        read: &mut impl FnMut(&Chunk, usize, &mut [u8]) -> Result<(), E>,
        write: &mut impl FnMut(&Chunk, &[u8], &[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        if instances > self.plan.instances_per_chunk {
            let per_instance = self.plan.bytes_per_instance;
            let what = "a slot of the pipeline".to_owned();
            let expected = per_instance.saturating_mul(instances);
            let found = per_instance * self.plan.instances_per_chunk;
            return Err(GpuError::Size { what, expected, found }.into());
        }
        if instances == 0 {
            return Ok(());
        }
        let chunk = Chunk { instances, ..self.next };
        let slot = self.slot_of(chunk.index);
        slot.drain(write)?;
        slot.fill(&chunk, read)?;
        let program = self.program;
        self.slot_of(chunk.index).start(program, chunk)?;
        self.next = Chunk { index: chunk.index + 1, first: chunk.first + instances, instances: 0 };
        Ok(())
    }

    /// Waits for all chunks and gives their results to `write`.
    ///
    /// # Errors
    /// Those of `write`, and [`GpuError::Driver`].
    pub fn finish<E: From<GpuError>>(
        mut self,
        write: &mut impl FnMut(&Chunk, &[u8], &[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        let slots = self.slots.len() as u64;
        for ahead in 0..slots {
            self.slot_of(self.next.index + ahead).drain(write)?;
        }
        Ok(())
    }

    /// Chunks take the slots in turn, so the slot after the newest chunk's has the oldest one.
    fn slot_of(&mut self, index: u64) -> &mut Slot {
        let slots = self.slots.len() as u64;
        &mut self.slots[(index % slots) as usize]
    }
}
