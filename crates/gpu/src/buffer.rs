//! Memory of a device.
#![allow(unsafe_code)]

use std::sync::Arc;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{CUdeviceptr, CUresult};
use cudarc::driver::{CudaContext, CudaStream};

use crate::device::Device;
use crate::driver::failed;
use crate::error::GpuError;
use crate::owner::Owner;
use crate::transfer;
use crate::word::Word;

/// Bytes in a device's memory, aligned to 256 bytes. Never empty: 0 bytes are allocated as 1. Memory of
/// others ([`Device::adopt`]) is aligned to 16 bytes.
///
/// Freed when dropped, after everything that was started on the device before, without a wait.
#[derive(Debug)]
pub struct DeviceBuffer {
    pub(crate) address: CUdeviceptr,
    pub(crate) bytes: u64,
    pub(crate) device: Device,
    pub(crate) owner: Owner,
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
        let size = size.ok_or_else(out_of_memory)?.max(1);
        self.context().bind_to_thread().map_err(failed("select the GPU"))?;
        let allocate = || match self.pool().is_some() {
            // SAFETY: the context is current, and the memory is not read before it is written: its content is
            // a word of any value.
            true => unsafe { result::malloc_async(self.queue().cu_stream(), size) },
            // SAFETY: as above.
            false => unsafe { result::malloc_sync(size) },
        };
        let is_full = |error: &DriverError| error.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY;
        let address = match allocate() {
            Err(error) if is_full(&error) => {
                self.release_memory()?;
                allocate()
            }
            allocated => allocated,
        };
        let address = address.map_err(|error| match is_full(&error) {
            true => out_of_memory(),
            false => failed("allocate memory")(error),
        })?;
        Ok(DeviceBuffer { address, bytes, device: self.clone(), owner: Owner::Device })
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
    /// done. Several threads copy large slices of ordinary memory.
    ///
    /// # Errors
    /// [`GpuError::Size`] if they are more than fit, [`GpuError::PinnedMemory`], [`GpuError::Driver`].
    pub fn copy_from<W: Word>(&mut self, words: &[W]) -> Result<(), GpuError> {
        let bytes = bytemuck::cast_slice::<W, u8>(words);
        self.check("the buffer", bytes.len() as u64)?;
        self.bind()?;
        if transfer::is_worth_threads(bytes) {
            return transfer::copy_in(&self.device, bytes, self.address);
        }
        // SAFETY: the memory is this buffer's and large enough; `words` outlives the copy, which is waited
        // for.
        let copied = unsafe { result::memcpy_htod_async(self.address, bytes, self.queue().cu_stream()) };
        self.finish(copied, "copy to the GPU")
    }

    /// Copies words from its beginning, after everything that was started on the device. Several threads copy
    /// large slices of ordinary memory.
    ///
    /// # Errors
    /// [`GpuError::Size`] if it has fewer, [`GpuError::PinnedMemory`], and [`GpuError::Driver`], also for a
    /// failure of what was started before.
    pub fn copy_to<W: Word>(&self, words: &mut [W]) -> Result<(), GpuError> {
        self.copy_part(0, words)
    }

    /// As [`copy_to`](Self::copy_to), from a byte on.
    pub(crate) fn copy_part<W: Word>(&self, first: u64, words: &mut [W]) -> Result<(), GpuError> {
        let bytes = bytemuck::cast_slice_mut::<W, u8>(words);
        self.check("the buffer", first.saturating_add(bytes.len() as u64))?;
        self.bind()?;
        let address = self.address + first;
        if transfer::is_worth_threads(bytes) {
            return transfer::copy_out(&self.device, address, bytes);
        }
        // SAFETY: the memory is this buffer's and large enough, every bit pattern is a word, and `words`
        // outlives the copy, which is waited for.
        let copied = unsafe { result::memcpy_dtoh_async(bytes, address, self.queue().cu_stream()) };
        self.finish(copied, "copy from the GPU")
    }

    /// Sets every byte, for example to a value that no result should have, after everything that was started
    /// on the device; returns at once.
    ///
    /// # Errors
    /// [`GpuError::Driver`].
    pub fn fill(&mut self, byte: u8) -> Result<(), GpuError> {
        self.bind()?;
        let size = self.len();
        // SAFETY: the memory is this buffer's and has this size; it is freed after what the queue has.
        let filled = unsafe { result::memset_d8_async(self.address, byte, size, self.queue().cu_stream()) };
        filled.map_err(failed("fill memory"))
    }

    pub(crate) fn bind(&self) -> Result<(), GpuError> {
        self.context().bind_to_thread().map_err(failed("select the GPU"))
    }

    pub(crate) const fn queue(&self) -> &Arc<CudaStream> {
        self.device.queue()
    }

    /// Puts zeros for `count` bytes from byte `first` on into a stream; returns the address of the first of
    /// them.
    pub(crate) fn clear(&self, stream: &CudaStream, first: u64, count: u64) -> Result<CUdeviceptr, GpuError> {
        self.check("the buffer", first.saturating_add(count))?;
        let address = self.address + first;
        stream.context().bind_to_thread().map_err(failed("select the GPU"))?;
        // SAFETY: the memory is this buffer's and has this size; it is freed after what the queue has, which
        // waits for the stream.
        let cleared = unsafe { result::memset_d8_async(address, 0, count as usize, stream.cu_stream()) };
        cleared.map_err(failed("fill memory"))?;
        Ok(address)
    }

    pub(crate) const fn address(&self) -> CUdeviceptr {
        self.address
    }

    pub(crate) fn context(&self) -> &Arc<CudaContext> {
        self.device.context()
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
        let finished = self.queue().synchronize();
        started.and(finished).map_err(failed(action))
    }
}
