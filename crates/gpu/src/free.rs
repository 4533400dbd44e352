//! The end of a buffer on a device.
#![allow(unsafe_code)]

use cudarc::driver::result;

use crate::buffer::DeviceBuffer;
use crate::owner::Owner;

impl Drop for DeviceBuffer {
    fn drop(&mut self) {
        // A failure cannot be reported here. The next call on this context reports it.
        let (context, queue) = (self.context(), self.queue());
        context.record_err(context.bind_to_thread());
        match &self.owner {
            Owner::Device if self.device.pool().is_some() => {
                // SAFETY: allocated by this buffer in the same stream and freed once. Work in other streams
                // that uses it is waited for by that stream, or is done.
                context.record_err(unsafe { result::free_async(self.address, queue.cu_stream()) });
            }
            Owner::Device => {
                context.record_err(queue.synchronize());
                // SAFETY: allocated by this buffer and freed once, and no work that uses it is running.
                context.record_err(unsafe { result::free_sync(self.address) });
            }
            // Nobody may free it while the queue uses it.
            Owner::Slice(_, stream) => context.record_err(stream.join(queue)),
            Owner::Keeper(_) => context.record_err(queue.synchronize()),
            Owner::Other => {}
        }
    }
}
