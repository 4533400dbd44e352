//! Pinned memory that copies may still read.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cudarc::driver::CudaEvent;

use crate::driver::failed;
use crate::error::GpuError;
use crate::pinned::Pinned;

/// Copies on their way at once. One more waits for the first of them.
const MOST: usize = 64;

/// Pinned memory that copies may still read, in the order in which they were started.
#[derive(Debug, Default)]
pub(crate) struct Copies(Mutex<VecDeque<Copy>>);

#[derive(Debug)]
pub(crate) struct Copy {
    /// Recorded after the copy.
    pub(crate) done: CudaEvent,
    /// Given back when the copy is done.
    pub(crate) _bytes: Pinned<u8>,
}

impl Copies {
    fn copies(&self) -> MutexGuard<'_, VecDeque<Copy>> {
        // Nothing that is done under the lock panics half-way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the memory of a copy until it is done, and gives back that of those that are.
    pub(crate) fn keep(&self, copy: Copy) -> Result<(), GpuError> {
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
