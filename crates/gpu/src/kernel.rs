//! From a kernel's source to a kernel on a device.

mod load;

use cudarc::driver::CudaFunction;
use limbforge_kernels_gen::Geometry;

use crate::arch::Target;
use crate::cache::CacheWarning;
use crate::device::Device;

/// The resources that a kernel takes of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelResources {
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of local memory of a thread: 0 unless registers are spilled or arrays indexed.
    pub local_bytes: u32,
    /// Bytes of shared memory of a block that the source declares; dynamic shared memory comes on top.
    pub static_shared_bytes: u32,
    /// Threads that a block may have.
    pub max_threads: u32,
    /// Blocks that a multiprocessor holds at once with the kernel's geometry.
    pub blocks_per_multiprocessor: u32,
}

/// A kernel that is compiled and loaded on one device, as one of a [`LoadedProgram`](crate::LoadedProgram).
#[derive(Debug)]
pub struct LoadedKernel {
    pub(crate) function: CudaFunction,
    device: Device,
    entry: String,
    geometry: Geometry,
    marks: bool,
    resources: KernelResources,
    target: Target,
    warning: Option<CacheWarning>,
}

impl LoadedKernel {
    /// Its entry point.
    #[must_use]
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// Threads, instances and shared memory of a block.
    #[must_use]
    pub const fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// True if it marks instances that have no result.
    #[must_use]
    pub const fn marks(&self) -> bool {
        self.marks
    }

    /// Its resources.
    #[must_use]
    pub const fn resources(&self) -> KernelResources {
        self.resources
    }

    /// The target of its compilation.
    #[must_use]
    pub const fn target(&self) -> Target {
        self.target
    }

    /// The compile cache's failure, if there was one.
    #[must_use]
    pub const fn warning(&self) -> Option<&CacheWarning> {
        self.warning.as_ref()
    }

    /// Threads that a multiprocessor holds, as a part of those it could hold: 0 to 1.
    #[must_use]
    pub fn occupancy(&self) -> f64 {
        let threads = self.resources.blocks_per_multiprocessor * self.geometry.threads;
        f64::from(threads) / f64::from(self.device.info().threads_per_multiprocessor.max(1))
    }

    /// Instances that the device computes at once: with fewer some of it idles.
    #[must_use]
    pub fn resident_instances(&self) -> u64 {
        let blocks = self.device.info().multiprocessors * self.resources.blocks_per_multiprocessor;
        u64::from(blocks) * u64::from(self.geometry.instances)
    }

    pub(crate) fn is_on(&self, device: &Device) -> bool {
        self.device.context() == device.context()
    }
}
