//! Kernels that are rendered where a program is made.

use crate::kernel::{Geometry, Kernel};
use crate::spec::{Limits, SpecError};
use crate::template::ENTRY;

/// A kernel that marks no instances, for a device with these limits.
pub(crate) fn kernel(
    source: String,
    inputs: impl IntoIterator<Item: ToString>,
    geometry: Geometry,
    limits: &Limits,
) -> Result<Kernel, SpecError> {
    check(&geometry, limits)?;
    let inputs = inputs.into_iter().map(|input| input.to_string()).collect();
    Ok(Kernel { source, entry: ENTRY.to_owned(), inputs, geometry, marks: false })
}

/// Blocks that each work on one instance, so many of them.
pub(crate) const fn blocks(threads: u32, of_instance: u32, shared_bytes: u32) -> Geometry {
    Geometry { threads, instances: 1, planes: of_instance, shared_bytes }
}

/// Errors unless the device has a block's threads and shared memory.
pub(crate) fn check(geometry: &Geometry, limits: &Limits) -> Result<(), SpecError> {
    let &Geometry { threads, shared_bytes, .. } = geometry;
    if threads > limits.threads {
        return Err(SpecError::Threads { needed: threads, limit: limits.threads });
    }
    if u64::from(shared_bytes) > limits.shared_bytes {
        return Err(SpecError::SharedMemory { needed: shared_bytes.into(), limit: limits.shared_bytes });
    }
    Ok(())
}
