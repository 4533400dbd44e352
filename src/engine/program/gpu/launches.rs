//! What a run needs of a device.

use core::ops::Range;

use limbforge_gpu::TapeMemory;
use limbforge_kernels_gen::program::{Entry, TapeKernel};

use crate::engine::EngineError;
use crate::engine::gpu::GpuTape;

/// A program's kernel on a device, with memory for a chunk of instances.
pub(super) trait Launches: Send {
    /// Entries, places and states of the kernel.
    fn tape(&self) -> &TapeKernel;

    /// Sets the integers of an input.
    fn set_input(&mut self, input: usize, limbs: &[u64]) -> Result<(), EngineError>;

    /// Sets the state that the next launch reads.
    fn set_state(&mut self, words: &[u32]) -> Result<(), EngineError>;

    /// Starts a launch on a chunk of all instances, whose state takes the place of the one that it reads.
    fn launch(&mut self, entry: (Entry, u64, u64), instances: Range<usize>) -> Result<(), EngineError>;

    /// The first words of the state, after the last launch.
    fn state(&self, words: &mut [u32]) -> Result<(), EngineError>;

    /// The first marks of the last launch.
    fn marks(&self, marks: &mut [u32]) -> Result<(), EngineError>;

    /// The first limbs of a result.
    fn result(&self, result: usize, limbs: &mut [u64]) -> Result<(), EngineError>;
}

/// A device of a run, and the chunk whose inputs and state are in its memory.
pub(super) struct Member {
    pub(super) device: Box<dyn Launches>,
    pub(super) loaded: Option<usize>,
}

impl Member {
    /// Without a chunk.
    pub(super) const fn new(device: Box<dyn Launches>) -> Self {
        Self { device, loaded: None }
    }
}

/// A GPU.
pub(super) struct OnDevice {
    tape: GpuTape,
    memory: TapeMemory,
}

impl OnDevice {
    /// With memory for so many instances.
    pub(super) fn new(tape: GpuTape, instances: usize) -> Result<Self, EngineError> {
        let memory = tape.device.tape_memory(&tape.loaded, instances as u64)?;
        Ok(Self { tape, memory })
    }
}

impl Launches for OnDevice {
    fn tape(&self) -> &TapeKernel {
        self.tape.loaded.tape()
    }

    fn set_input(&mut self, input: usize, limbs: &[u64]) -> Result<(), EngineError> {
        Ok(self.memory.set_input(input, limbs)?)
    }

    fn set_state(&mut self, words: &[u32]) -> Result<(), EngineError> {
        Ok(self.memory.set_state(words)?)
    }

    fn launch(&mut self, entry: (Entry, u64, u64), instances: Range<usize>) -> Result<(), EngineError> {
        let (first, count) = (instances.start as u64, instances.len() as u64);
        Ok(self.tape.device.run_tape_from(&self.tape.loaded, &mut self.memory, entry, first, count)?)
    }

    fn state(&self, words: &mut [u32]) -> Result<(), EngineError> {
        Ok(self.memory.state(words)?)
    }

    fn marks(&self, marks: &mut [u32]) -> Result<(), EngineError> {
        Ok(self.memory.marks(marks)?)
    }

    fn result(&self, result: usize, limbs: &mut [u64]) -> Result<(), EngineError> {
        Ok(self.memory.result(result, limbs)?)
    }
}
