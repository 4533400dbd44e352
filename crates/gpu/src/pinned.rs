//! Memory of the machine that a GPU copies from and to by itself.
#![allow(unsafe_code)]

use std::ptr::NonNull;
use std::slice;
use std::sync::Arc;

use cudarc::driver::{CudaContext, result};

use crate::driver::failed;
use crate::error::GpuError;

/// Bytes that stay where they are in physical memory, freed when dropped. cudarc's own type is not used
/// because its memory is slow to read.
#[derive(Debug)]
pub(crate) struct Pinned {
    address: NonNull<u8>,
    bytes: usize,
    context: Arc<CudaContext>,
}

impl Pinned {
    /// Zeroed.
    pub(crate) fn new(context: &Arc<CudaContext>, bytes: usize) -> Result<Self, GpuError> {
        let no_memory = || GpuError::PinnedMemory { asked: bytes as u64 };
        context.bind_to_thread().map_err(failed("select the GPU"))?;
        // SAFETY: the context is current. The memory is written below before anything reads it.
        let address = unsafe { result::malloc_host(bytes.max(1), 0) }.map_err(|_| no_memory())?;
        let address = NonNull::new(address.cast::<u8>()).ok_or_else(no_memory)?;
        // SAFETY: the allocation has at least this many bytes.
        unsafe { address.write_bytes(0, bytes) };
        Ok(Self { address, bytes, context: Arc::clone(context) })
    }

    /// No copy may be under way.
    pub(crate) fn as_slice(&self) -> &[u8] {
        // SAFETY: an initialised allocation of this size that lives as long as `self`.
        unsafe { slice::from_raw_parts(self.address.as_ptr(), self.bytes) }
    }

    /// No copy may be under way.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as above, and `self` is borrowed alone.
        unsafe { slice::from_raw_parts_mut(self.address.as_ptr(), self.bytes) }
    }
}

// SAFETY: the memory belongs to this value alone and any thread may use and free it.
unsafe impl Send for Pinned {}

impl Drop for Pinned {
    fn drop(&mut self) {
        // A failure cannot be reported here. The next call on this context reports it.
        self.context.record_err(self.context.bind_to_thread());
        // SAFETY: allocated by this value and freed once.
        self.context.record_err(unsafe { result::free_host(self.address.as_ptr().cast()) });
    }
}
