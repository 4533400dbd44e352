//! The driver's pool of a device's memory: allocations in the order of a stream, without a wait.
#![allow(unsafe_code)]

use cudarc::driver::CudaContext;
use cudarc::driver::result::{self, mem_pool};
use cudarc::driver::sys::{CUdevice_attribute, CUmemPool_attribute, CUmemoryPool};

use crate::driver::failed;
use crate::error::GpuError;

/// The part of a device's memory that the pool keeps for this process while nothing uses it: freed buffers
/// are then had again in a microsecond, and other programs have all the rest.
const KEPT: u64 = 8;

/// The device's default pool, which lives as long as the driver.
#[derive(Debug)]
pub(crate) struct DevicePool(CUmemoryPool);

// SAFETY: the driver's functions on pools may be called by any thread.
unsafe impl Send for DevicePool {}
// SAFETY: as above.
unsafe impl Sync for DevicePool {}

impl DevicePool {
    /// None if the device has no pools.
    pub(crate) fn open(context: &CudaContext, memory: u64) -> Result<Option<Self>, GpuError> {
        let failed = || failed("open the pool of the GPU's memory");
        let supported = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED;
        if context.attribute(supported).map_err(failed())? == 0 {
            return Ok(None);
        }
        // SAFETY: the device comes from the driver.
        let pool = unsafe { result::device::get_default_mem_pool(context.cu_device()) }.map_err(failed())?;
        let mut kept = memory / KEPT;
        let threshold = CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        // SAFETY: the pool is the device's and the attribute is a number of 64 bits.
        unsafe { mem_pool::set_attribute(pool, threshold, (&raw mut kept).cast()) }.map_err(failed())?;
        Ok(Some(Self(pool)))
    }

    /// Bytes that the pool keeps and no buffer uses.
    pub(crate) fn unused(&self) -> Result<u64, GpuError> {
        let number = |attribute| {
            let mut bytes = 0_u64;
            // SAFETY: the pool is the device's and the attribute is a number of 64 bits.
            let read = unsafe { mem_pool::get_attribute(self.0, attribute, (&raw mut bytes).cast()) };
            read.map_err(failed("say how much memory is free")).map(|()| bytes)
        };
        let kept = number(CUmemPool_attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)?;
        Ok(kept.saturating_sub(number(CUmemPool_attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT)?))
    }

    /// Gives unused memory back to the device. What was freed in a stream counts when the stream is there.
    pub(crate) fn release(&self) -> Result<(), GpuError> {
        // SAFETY: the pool is the device's.
        unsafe { mem_pool::trim_to(self.0, 0) }.map_err(failed("release memory"))
    }
}
