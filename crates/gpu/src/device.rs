//! The GPUs of this machine.

mod info;

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaStream};

pub use info::DeviceInfo;

use crate::driver::{failed, initialize};
use crate::error::GpuError;

/// What there is to know about every GPU, without taking any.
///
/// # Errors
/// [`GpuError::NoDriver`], [`GpuError::OldDriver`] and [`GpuError::NoDevice`]; never an empty list.
pub fn devices() -> Result<Vec<DeviceInfo>, GpuError> {
    (0..initialize()?).map(DeviceInfo::query).collect()
}

/// A GPU that is ready for work. Clones are the same device and the same queue: what is started on one runs
/// after what was started before on another.
#[derive(Clone, Debug)]
pub struct Device {
    context: Arc<CudaContext>,
    queue: Arc<CudaStream>,
    info: Arc<DeviceInfo>,
}

/// Bytes of a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Not in use by any program.
    pub free: u64,
    /// All there is.
    pub total: u64,
}

impl Device {
    /// The GPU of this number, from 0, in the driver's order.
    ///
    /// # Errors
    /// Those of [`devices`], and [`GpuError::Ordinal`].
    pub fn open(ordinal: usize) -> Result<Self, GpuError> {
        let found = initialize()?;
        if ordinal >= found {
            return Err(GpuError::Ordinal { asked: ordinal, found });
        }
        let info = Arc::new(DeviceInfo::query(ordinal)?);
        let context = CudaContext::new(ordinal).map_err(failed("open the GPU"))?;
        let queue = context.new_stream().map_err(failed("create a queue"))?;
        Ok(Self { context, queue, info })
    }

    /// What there is to know about it.
    #[must_use]
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// How much of its memory is free.
    ///
    /// # Errors
    /// [`GpuError::Driver`].
    pub fn memory(&self) -> Result<Memory, GpuError> {
        let (free, total) = self.context.mem_get_info().map_err(failed("say how much memory is free"))?;
        Ok(Memory { free: free as u64, total: total as u64 })
    }

    /// Waits until everything that was started is done.
    ///
    /// # Errors
    /// [`GpuError::Driver`], also for a failure of anything that was started.
    pub fn synchronize(&self) -> Result<(), GpuError> {
        self.queue.synchronize().map_err(failed("finish its work"))
    }

    pub(crate) const fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }

    /// The stream that all work runs on, one thing after another, except in a pipeline.
    pub(crate) const fn queue(&self) -> &Arc<CudaStream> {
        &self.queue
    }
}
