//! GPUs that take chunks, and how they fail.

use crate::device::Device;
use crate::error::GpuError;
use crate::program::LoadedProgram;

/// A GPU with a program that is loaded on it, and the bytes that chunks may take on it.
#[derive(Clone, Copy, Debug)]
pub struct Station<'a> {
    /// The GPU.
    pub device: &'a Device,
    /// The program.
    pub program: &'a LoadedProgram,
    /// Bytes of the GPU's memory.
    pub allowance: u64,
}

/// Why a lane has ended before all chunks were computed.
#[derive(Debug)]
pub(super) enum Failure<E> {
    /// The GPU has failed: others may compute its chunks.
    Device(GpuError),
    /// The operands cannot be read, or the results not written.
    Caller(E),
}
