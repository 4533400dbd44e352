//! Copies of a few words to a device that nobody waits for.
#![allow(unsafe_code)]

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cudarc::driver::{CudaEvent, result};

use crate::buffer::DeviceBuffer;
use crate::device::Device;
use crate::driver::failed;
use crate::error::GpuError;
use crate::pinned::Pinned;
use crate::word::Word;

/// Copies on their way at once. One more waits for the first of them.
const MOST: usize = 64;

/// Pinned memory that copies may still read, in the order in which they were started.
#[derive(Debug, Default)]
pub(crate) struct Copies(Mutex<VecDeque<Copy>>);

#[derive(Debug)]
struct Copy {
    /// Recorded after the copy.
    done: CudaEvent,
    /// Given back when the copy is done.
    _bytes: Pinned<u8>,
}

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

impl Copies {
    fn copies(&self) -> MutexGuard<'_, VecDeque<Copy>> {
        // Nothing that is done under the lock panics half-way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the memory of a copy until it is done, and gives back that of those that are.
    fn keep(&self, copy: Copy) -> Result<(), GpuError> {
        let mut copies = self.copies();
        copies.push_back(copy);
        while let Some(first) = copies.front() {
            if copies.len() > MOST {
                first.done.synchronize().map_err(failed("copy to the GPU"))?;
            } else if !first.done.is_complete() {
                break;
            }
            copies.pop_front();
        }
        Ok(())
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        for copy in self.copies().iter() {
            // After a failure of the device it reads nothing any more.
            let _ = copy.done.synchronize();
        }
    }
}
