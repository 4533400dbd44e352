//! The GPUs of this machine.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::fmt;
use std::sync::Arc;

use cudarc::driver::sys::CUdevice_attribute as Attribute;
use cudarc::driver::{CudaContext, CudaStream, result};
use limbforge_kernels_gen::Limits;

use crate::arch::Arch;
use crate::driver::{driver_version, failed, initialize};
use crate::error::GpuError;
use crate::later::Copies;
use crate::pinned::{Pinned, PinnedPool};
use crate::pool::DevicePool;
use crate::version::Version;
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

    /// Gives memory back that is kept for the next buffers: of the device to other programs, and pinned memory
    /// to the machine. Waits for what was started.
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

/// A GPU's properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Its number, from 0, in the driver's order.
    pub ordinal: usize,
    /// Its name.
    pub name: String,
    /// Its architecture, without the instructions that only it has.
    pub arch: Arch,
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
    /// Bytes of memory, free or not.
    pub memory: u64,
    /// Bytes of level-2 cache.
    pub l2_bytes: u64,
    /// Bytes of shared memory that a block may have.
    pub shared_per_block: u64,
    /// Bytes of shared memory of a multiprocessor.
    pub shared_per_multiprocessor: u64,
    /// 32-bit registers of a multiprocessor.
    pub registers_per_multiprocessor: u32,
    /// Threads that a multiprocessor holds at once.
    pub threads_per_multiprocessor: u32,
    /// Highest clock of the multiprocessors in kHz; 0 if the driver does not say.
    pub clock_khz: u32,
    /// The newest CUDA that the driver supports.
    pub driver: Version,
}

impl DeviceInfo {
    /// The resources that the GPU gives a block, for `limbforge_kernels_gen::render`.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        Limits {
            registers: self.registers_per_multiprocessor,
            shared_bytes: self.shared_per_block,
            matrices: self.arch.number() >= 75,
            warpgroups: self.arch.number() == 90,
            multiprocessor_threads: self.threads_per_multiprocessor,
            ..Limits::SM_90
        }
    }

    /// Needs an ordinal below the number of devices, and an initialised driver.
    fn query(ordinal: usize) -> Result<Self, GpuError> {
        let failed = || failed("describe the GPU");
        let device = result::device::get(c_int::try_from(ordinal).unwrap_or(c_int::MAX)).map_err(failed())?;
        let attribute = |attribute| {
            // SAFETY: `device` comes from the driver.
            let value = unsafe { result::device::get_attribute(device, attribute) }.map_err(failed())?;
            Ok::<u32, GpuError>(u32::try_from(value).unwrap_or(0))
        };
        // SAFETY: `device` comes from the driver.
        let memory = unsafe { result::device::total_mem(device) }.map_err(failed())?;
        let shared = Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
        let shared_sm = Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR;
        let registers = Attribute::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR;
        let threads = Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR;
        Ok(Self {
            ordinal,
            name: result::device::get_name(device).map_err(failed())?,
            arch: Arch::new(
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            ),
            multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            memory: memory as u64,
            l2_bytes: attribute(Attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)?.into(),
            shared_per_block: attribute(shared)?.into(),
            shared_per_multiprocessor: attribute(shared_sm)?.into(),
            registers_per_multiprocessor: attribute(registers)?,
            threads_per_multiprocessor: attribute(threads)?,
            clock_khz: attribute(Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE)?,
            driver: driver_version()?,
        })
    }
}

impl fmt::Display for DeviceInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ordinal, name, arch, multiprocessors, .. } = self;
        let (gib, shared) = (self.memory >> 30, self.shared_per_block >> 10);
        write!(
            f,
            "GPU {ordinal}: {name}, {arch}, {multiprocessors} multiprocessors at {} MHz, {gib} GiB, {shared} KiB of \
             shared memory per block",
            self.clock_khz / 1000
        )
    }
}
