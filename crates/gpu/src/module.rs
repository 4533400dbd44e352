//! A kernel on a device.

use cudarc::driver::CudaFunction;
use limbforge_kernels_gen::{Geometry, KernelSpec};

use crate::arch::Target;
use crate::cache::CacheWarning;
use crate::device::Device;

/// Bytes of one instance in each buffer of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// Of each input, in the order of the kernel's parameters.
    pub inputs: Vec<u64>,
    /// Of the result.
    pub output: u64,
}

impl Footprint {
    /// The footprint of a specification's kernel. An operand that is one integer for all instances does not
    /// grow with their number and counts 0.
    #[must_use]
    pub fn of(spec: &KernelSpec) -> Self {
        let instance = 4 * u64::from(spec.words());
        let inputs = spec.inputs.iter().map(|input| if input.broadcast { 0 } else { instance }).collect();
        Self { inputs, output: 4 * u64::from(spec.result_words()) }
    }
}

/// What a kernel takes of a device.
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

/// A kernel that is compiled, loaded and ready to run on one device.
#[derive(Debug)]
pub struct LoadedKernel {
    pub(crate) function: CudaFunction,
    pub(crate) device: Device,
    pub(crate) entry: String,
    pub(crate) geometry: Geometry,
    pub(crate) marks: bool,
    pub(crate) footprint: Footprint,
    pub(crate) resources: KernelResources,
    pub(crate) target: Target,
    pub(crate) warning: Option<CacheWarning>,
}

impl LoadedKernel {
    /// Its entry point.
    #[must_use]
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// How it is launched.
    #[must_use]
    pub const fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// Whether it marks instances that have no result.
    #[must_use]
    pub const fn marks(&self) -> bool {
        self.marks
    }

    /// Bytes per instance.
    #[must_use]
    pub const fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// What it takes of the device.
    #[must_use]
    pub const fn resources(&self) -> KernelResources {
        self.resources
    }

    /// What it was compiled to.
    #[must_use]
    pub const fn target(&self) -> Target {
        self.target
    }

    /// What the compile cache had to say.
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

    pub(crate) const fn function(&self) -> &CudaFunction {
        &self.function
    }

    pub(crate) fn is_on(&self, device: &Device) -> bool {
        self.device.context() == device.context()
    }
}
