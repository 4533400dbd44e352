//! The GPUs of this machine.

mod info;

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaStream};

pub use self::info::DeviceInfo;
use crate::copies::Copies;
use crate::driver::{failed, initialize};
use crate::error::GpuError;
use crate::host_memory::is_pinned;
use crate::pinned::{Pinned, PinnedPool};
use crate::pool::DevicePool;
use crate::word::Word;

/// Enumerates GPUs without creating a context.
///
/// # Errors
/// [`GpuError::NoDriver`], [`GpuError::OldDriver`] and [`GpuError::NoDevice`]; never an empty list.
pub fn devices() -> Result<Vec<DeviceInfo>, GpuError> {
    (0..initialize()?).map(DeviceInfo::query).collect()
}

/// Chunks of a program that run beside each other.
pub(crate) const LANES: usize = 2;

/// A GPU that is ready for work. Clones are the same device and the same queue: what is started on one runs
/// after what was started before on another.
#[derive(Clone, Debug)]
pub struct Device {
    context: Arc<CudaContext>,
    queue: Arc<CudaStream>,
    lanes: [Arc<CudaStream>; LANES],
    info: Arc<DeviceInfo>,
    pool: Option<Arc<DevicePool>>,
    pinned: Arc<PinnedPool>,
    copies: Arc<Copies>,
}

/// Bytes of a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Not in use by any program, with what this process keeps for its next buffers.
    pub free: u64,
    /// All there is.
    pub total: u64,
}

impl Device {
    /// The GPU of this number, from 0, in the driver's order.
    ///
    /// # Errors
    /// The errors of [`devices`], and [`GpuError::Ordinal`].
    pub fn open(ordinal: usize) -> Result<Self, GpuError> {
        let found = initialize()?;
        if ordinal >= found {
            return Err(GpuError::Ordinal { asked: ordinal, found });
        }
        let info = Arc::new(DeviceInfo::query(ordinal)?);
        let context = CudaContext::new(ordinal).map_err(failed("open the GPU"))?;
        let stream = || context.new_stream().map_err(failed("create a queue"));
        let (queue, lanes) = (stream()?, [stream()?, stream()?]);
        let pool = DevicePool::open(&context, info.memory)?.map(Arc::new);
        let pinned = Arc::new(PinnedPool::new(context.clone()));
        Ok(Self { context, queue, lanes, info, pool, pinned, copies: Arc::default() })
    }

    /// Its properties.
    #[must_use]
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Its free and total memory.
    ///
    /// # Errors
    /// [`GpuError::Driver`].
    pub fn memory(&self) -> Result<Memory, GpuError> {
        let (free, total) = self.context.mem_get_info().map_err(failed("say how much memory is free"))?;
        let unused = self.pool().map_or(Ok(0), DevicePool::unused)?;
        Ok(Memory { free: free as u64 + unused, total: total as u64 })
    }

    /// Waits until everything that was started is done.
    ///
    /// # Errors
    /// [`GpuError::Driver`], also for a failure of anything that was started.
    pub fn synchronize(&self) -> Result<(), GpuError> {
        self.queue.synchronize().map_err(failed("finish its work"))
    }

    /// Pinned memory for this many words, with any content.
    ///
    /// ```no_run
    /// # fn example(device: &limbforge_gpu::Device) -> Result<(), limbforge_gpu::GpuError> {
    /// let mut words = device.pinned::<u64>(1 << 20)?;
    /// words.as_mut_slice().fill(7);
    /// let buffer = device.upload(words.as_slice())?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`GpuError::PinnedMemory`] if the machine has no such memory left.
    pub fn pinned<W: Word>(&self, words: usize) -> Result<Pinned<W>, GpuError> {
        Pinned::new(&self.pinned, words)
    }

    /// Whether these bytes lie in pinned memory, whoever has pinned it: GPUs copy from and to it by
    /// themselves.
    #[must_use]
    pub fn is_pinned(&self, bytes: &[u8]) -> bool {
        self.context.bind_to_thread().is_ok() && is_pinned(bytes)
    }

    /// Gives memory back that is kept for the next buffers: of the device to other programs, and pinned
    /// memory to the machine. Waits for what was started.
    ///
    /// # Errors
    /// Those of [`synchronize`](Self::synchronize).
    pub fn release_memory(&self) -> Result<(), GpuError> {
        self.synchronize()?;
        self.pinned.release();
        self.pool().map_or(Ok(()), DevicePool::release)
    }

    pub(crate) fn pool(&self) -> Option<&DevicePool> {
        self.pool.as_deref()
    }

    pub(crate) fn copies(&self) -> &Copies {
        &self.copies
    }

    pub(crate) const fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }

    /// The streams of a program's chunks, which the queue waits for.
    pub(crate) const fn lanes(&self) -> &[Arc<CudaStream>; LANES] {
        &self.lanes
    }

    /// The stream that all work runs on, one thing after another, except in a pipeline.
    pub(crate) const fn queue(&self) -> &Arc<CudaStream> {
        &self.queue
    }
}
