//! Who frees the memory of a device.

use std::any::Any;
use std::sync::Arc;

use cudarc::driver::CudaStream;

/// Who frees the memory of a buffer.
#[derive(Debug)]
pub(crate) enum Owner {
    /// The buffer itself, which has allocated it.
    Device,
    /// A `CudaSlice<T>`, and its stream, which frees the memory.
    Slice(Box<dyn Any + Send + Sync>, Arc<CudaStream>),
    /// Somebody, as soon as this is dropped.
    Keeper(#[expect(dead_code, reason = "is dropped")] Keeper),
    /// Whoever was given the memory.
    Other,
}

/// Keeps foreign memory allocated for as long as it lives.
pub(crate) type Keeper = Arc<dyn Any + Send + Sync>;
