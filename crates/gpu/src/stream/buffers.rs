//! Memory of a chunk: of an operand, or of the results.

use super::plan::Chunk;
use crate::buffer::DeviceBuffer;
use crate::device::Device;
use crate::error::GpuError;
use crate::pinned::Pinned;

/// Memory of a chunk on the device, and a pinned buffer if a function of the caller's reads or writes it.
#[derive(Debug)]
pub(super) struct Buffers {
    pub(super) device: DeviceBuffer,
    pub(super) host: Option<Pinned<u8>>,
    per_instance: u64,
    /// Whether the device copies the chunk from or to the batch by itself.
    pub(super) direct: bool,
}

impl Buffers {
    pub(super) fn new(
        device: &Device,
        per_instance: u64,
        instances: u64,
        (has_host, direct): (bool, bool),
    ) -> Result<Self, GpuError> {
        let bytes = per_instance.saturating_mul(instances);
        let size = usize::try_from(bytes).map_err(|_| GpuError::PinnedMemory { asked: bytes })?;
        let host = has_host.then(|| device.pinned(size)).transpose()?;
        Ok(Self { device: device.alloc(bytes)?, host, per_instance, direct })
    }

    /// The pinned bytes of a chunk, if there are some.
    pub(super) fn host(&mut self, chunk: &Chunk) -> Option<&mut [u8]> {
        let bytes = (self.per_instance * chunk.instances) as usize;
        self.host.as_mut().map(|host| &mut host.as_mut_slice()[..bytes])
    }
}
