//! Copies of a few words to a device that nobody waits for.
#![allow(unsafe_code)]

use cudarc::driver::result;

use crate::buffer::DeviceBuffer;
use crate::copies::Copy;
use crate::device::Device;
use crate::driver::failed;
use crate::error::GpuError;
use crate::word::Word;

impl Device {
    /// Memory with a copy of these words, made after everything that was started on the device; returns at
    /// once. For few words, such as the parameters of a kernel: they go through pinned memory.
    ///
    /// ```no_run
    /// # fn example(device: &limbforge_gpu::Device) -> Result<(), limbforge_gpu::GpuError> {
    /// let parameters = device.upload_later(&[1_u32, 2, 3])?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`], [`GpuError::PinnedMemory`] and [`GpuError::Driver`].
    pub fn upload_later<W: Word>(&self, words: &[W]) -> Result<DeviceBuffer, GpuError> {
        let bytes = bytemuck::cast_slice::<W, u8>(words);
        let buffer = self.alloc(bytes.len() as u64)?;
        let mut pinned = self.pinned::<u8>(bytes.len())?;
        pinned.as_mut_slice().copy_from_slice(bytes);
        let done = self.context().new_event(None).map_err(failed("create an event"))?;
        // SAFETY: the memory is the buffer's and large enough. The pinned memory is kept until the event says
        // that the copy is done, or waited for below.
        let started = unsafe {
            result::memcpy_htod_async(buffer.address(), pinned.as_slice(), self.queue().cu_stream())
        };
        if let Err(error) = started.and_then(|()| done.record(self.queue())) {
            // The first failure counts.
            let _ = self.synchronize();
            return Err(failed("copy to the GPU")(error));
        }
        self.copies().keep(Copy { done, _bytes: pinned })?;
        Ok(buffer)
    }
}
