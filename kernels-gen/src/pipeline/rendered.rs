//! Kernels that are rendered where a program is made.

use crate::kernel::{Geometry, Kernel};
use crate::spec::{Limits, SpecError};

/// A kernel that marks no instances, for a device with these limits.
pub(crate) fn kernel(
    source: String,
    inputs: impl IntoIterator<Item: ToString>,
    geometry: Geometry,
    limits: &Limits,
) -> Result<Kernel, SpecError> {
    check(&geometry, limits)?;
    let inputs = inputs.into_iter().map(|input| input.to_string()).collect();
    Ok(Kernel::new(source, inputs, geometry, false))
}

/// Blocks that each work on one instance, so many of them.
pub(crate) const fn blocks(threads: u32, of_instance: u32, shared_bytes: u32) -> Geometry {
    Geometry { threads, instances: 1, planes: of_instance, shared_bytes }
}

/// Errors unless the device has a block's threads and shared memory.
pub(crate) fn check(geometry: &Geometry, limits: &Limits) -> Result<(), SpecError> {
    limits.check_threads(geometry.threads)?;
    limits.check_shared(geometry.shared_bytes.into())
}
