//! Copies between a device and ordinary memory, which the driver copies with one thread at a seventh of the
//! link's rate: here several threads copy, each through its own [`Ring`].

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use cudarc::driver::CudaStream;

use crate::device::Device;
use crate::driver::failed;
use crate::error::GpuError;
use crate::host_memory::{advise_large_pages, is_pinned};
use crate::ring::Ring;

/// Bytes that a thread takes at a time.
const BLOCK: usize = 4 << 20;

/// A thread's ring and stream.
struct Own {
    ring: Ring,
    stream: Arc<CudaStream>,
}

impl Own {
    /// The stream begins behind the device's queue.
    fn new(device: &Device) -> Result<Self, GpuError> {
        let stream = device.context().new_stream().map_err(failed("create a queue"))?;
        stream.join(device.queue()).map_err(failed("order the queues"))?;
        Ok(Self { ring: Ring::new(device)?, stream })
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        // No copy may use the ring any more. A failure cannot be reported here; the next call on this context
        // reports it.
        self.stream.context().record_err(self.stream.synchronize());
    }
}

/// True if the bytes are ordinary memory, and enough of it for several threads. Needs a bound context.
pub(crate) fn is_worth_threads(bytes: &[u8]) -> bool {
    bytes.len() >= 2 * BLOCK && !is_pinned(bytes)
}

/// Gives all blocks with their numbers to threads.
fn on_threads<T: Send>(
    device: &Device,
    blocks: impl ExactSizeIterator<Item = T> + Send,
    copy: impl Fn(&mut Own, u64, T) -> Result<(), GpuError> + Sync,
) -> Result<(), GpuError> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(blocks.len()).max(1);
    let blocks = Mutex::new(blocks.enumerate());
    let next = || blocks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        let mut own = Own::new(device)?;
        while let Some((number, block)) = next() {
            copy(&mut own, (number * BLOCK) as u64, block)?;
        }
        own.stream.synchronize().map_err(failed("copy a batch"))
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let first = work();
        let join = |other: thread::ScopedJoinHandle<'_, _>| {
            other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        others.into_iter().map(join).fold(first, Result::and)
    })
}

/// Copies to an address of the device, behind its queue, and waits.
pub(crate) fn copy_in(device: &Device, from: &[u8], to: u64) -> Result<(), GpuError> {
    on_threads(device, from.chunks(BLOCK), |own, at, block| own.ring.push([block], to + at, &own.stream))
}

/// Copies from an address of the device, behind its queue, and waits.
pub(crate) fn copy_out(device: &Device, from: u64, to: &mut [u8]) -> Result<(), GpuError> {
    advise_large_pages(to);
    on_threads(device, to.chunks_mut(BLOCK), |own, at, block| {
        own.ring.pull(from + at, &mut [block], &own.stream)
    })
}
