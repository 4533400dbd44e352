//! Properties of a GPU.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::fmt;

use cudarc::driver::result;
use cudarc::driver::sys::CUdevice_attribute as Attribute;
use limbforge_kernels_gen::Limits;

use crate::arch::Arch;
use crate::driver::{driver_version, failed};
use crate::error::GpuError;
use crate::version::Version;

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
            multiprocessors: self.multiprocessors,
            ..Limits::SM_90
        }
    }

    /// Needs an ordinal below the number of devices, and an initialised driver.
    pub(super) fn query(ordinal: usize) -> Result<Self, GpuError> {
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
