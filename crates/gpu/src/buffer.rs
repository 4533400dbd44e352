//! Memory of a device.
#![allow(unsafe_code)]

use std::sync::Arc;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{CUdeviceptr, CUresult};
use cudarc::driver::{CudaContext, CudaStream};

use crate::device::Device;
use crate::driver::failed;
use crate::error::GpuError;

/// A machine word that buffers are made of: every bit pattern is a value and there is no padding.
pub trait Word: Copy + private::Sealed {}

mod private {
    pub trait Sealed {}
}

macro_rules! words {
    ($($word:ty)*) => { $(impl private::Sealed for $word {} impl Word for $word {})* };
}

words!(u8 u16 u32 u64 u128);

/// Bytes in a device's memory, aligned to 256 bytes, freed when dropped. Never empty: 0 bytes are allocated
/// as 1.
#[derive(Debug)]
pub struct DeviceBuffer {
    address: CUdeviceptr,
    bytes: u64,
    queue: Arc<CudaStream>,
}

impl Device {
    /// Memory of this many bytes, whose content is not defined.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`].
    pub fn alloc(&self, bytes: u64) -> Result<DeviceBuffer, GpuError> {
        let out_of_memory = || {
            let free = self.memory().map_or(0, |memory| memory.free);
            GpuError::OutOfMemory { asked: bytes, free }
        };
        // A size beyond all memory is refused here: drivers differ in what they say about absurd ones.
        let size = usize::try_from(bytes).ok().filter(|_| bytes <= self.info().memory);
        let size = size.ok_or_else(out_of_memory)?;
        self.context().bind_to_thread().map_err(failed("select the GPU"))?;
        // SAFETY: the context is current, and the memory is not read before it is written: its content is a
        // word of any value.
        let address = unsafe { result::malloc_sync(size.max(1)) }.map_err(|error| match error.0 {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => out_of_memory(),
            _ => failed("allocate memory")(error),
        })?;
        Ok(DeviceBuffer { address, bytes, queue: Arc::clone(self.queue()) })
    }

    /// Memory with a copy of these words.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`].
    pub fn upload<W: Word>(&self, words: &[W]) -> Result<DeviceBuffer, GpuError> {
        let mut buffer = self.alloc(size_of_val(words) as u64)?;
        buffer.copy_from(words)?;
        Ok(buffer)
    }
}

impl DeviceBuffer {
    /// Its size.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Copies words to its beginning, after everything that was started on the device; returns when that is
    /// done.
    ///
    /// # Errors
    /// [`GpuError::Size`] if they are more than fit, [`GpuError::Driver`].
    pub fn copy_from<W: Word>(&mut self, words: &[W]) -> Result<(), GpuError> {
        self.check("the buffer", size_of_val(words) as u64)?;
        self.queue.context().bind_to_thread().map_err(failed("select the GPU"))?;
        // SAFETY: the memory is this buffer's and large enough; `words` outlives the copy, which is waited
        // for.
        let copied = unsafe { result::memcpy_htod_async(self.address, words, self.queue.cu_stream()) };
        self.finish(copied, "copy to the GPU")
    }

    /// Copies words from its beginning, after everything that was started on the device.
    ///
    /// # Errors
    /// [`GpuError::Size`] if it has fewer, [`GpuError::Driver`], also for a failure of what was started
    /// before.
    pub fn copy_to<W: Word>(&self, words: &mut [W]) -> Result<(), GpuError> {
        self.check("the buffer", size_of_val(words) as u64)?;
        self.queue.context().bind_to_thread().map_err(failed("select the GPU"))?;
        // SAFETY: the memory is this buffer's and large enough, every bit pattern is a word, and `words`
        // outlives the copy, which is waited for.
        let copied = unsafe { result::memcpy_dtoh_async(words, self.address, self.queue.cu_stream()) };
        self.finish(copied, "copy from the GPU")
    }

    /// Sets every byte, for example to a value that no result should have.
    ///
    /// # Errors
    /// [`GpuError::Driver`].
    pub fn fill(&mut self, byte: u8) -> Result<(), GpuError> {
        self.queue.context().bind_to_thread().map_err(failed("select the GPU"))?;
        let size = self.len();
        // SAFETY: the memory is this buffer's and has this size.
        let filled = unsafe { result::memset_d8_async(self.address, byte, size, self.queue.cu_stream()) };
        self.finish(filled, "fill memory")
    }

    /// Puts zeros for `count` bytes from byte `first` on into a stream; returns the address of the first of
    /// them.
    pub(crate) fn clear(&self, stream: &CudaStream, first: u64, count: u64) -> Result<CUdeviceptr, GpuError> {
        self.check("the buffer", first.saturating_add(count))?;
        let address = self.address + first;
        stream.context().bind_to_thread().map_err(failed("select the GPU"))?;
        // SAFETY: the memory is this buffer's and has this size; buffers are freed after their device is
        // idle.
        let cleared = unsafe { result::memset_d8_async(address, 0, count as usize, stream.cu_stream()) };
        cleared.map_err(failed("fill memory"))?;
        Ok(address)
    }

    pub(crate) const fn address(&self) -> CUdeviceptr {
        self.address
    }

    pub(crate) fn context(&self) -> &Arc<CudaContext> {
        self.queue.context()
    }

    /// An allocation's size fits the address space.
    fn len(&self) -> usize {
        usize::try_from(self.bytes).unwrap_or(usize::MAX)
    }

    /// Errors unless it has this many bytes.
    pub(crate) fn check(&self, what: &str, expected: u64) -> Result<(), GpuError> {
        if expected <= self.bytes {
            return Ok(());
        }
        Err(GpuError::Size { what: what.to_owned(), expected, found: self.bytes })
    }

    fn finish(&self, started: Result<(), DriverError>, action: &'static str) -> Result<(), GpuError> {
        // Waits even if the start failed, so that no earlier work uses the words any more.
        let finished = self.queue.synchronize();
        started.and(finished).map_err(failed(action))
    }
}

impl Drop for DeviceBuffer {
    fn drop(&mut self) {
        // A failure cannot be reported here. The next call on this context reports it.
        let context = self.queue.context();
        context.record_err(self.queue.synchronize());
        // SAFETY: allocated by this buffer and freed once; its context is current after the line above, and
        // no work that uses it is running.
        context.record_err(unsafe { result::free_sync(self.address) });
    }
}
