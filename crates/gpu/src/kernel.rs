//! From a kernel's source to a kernel on a device.

use std::sync::Arc;

use cudarc::driver::sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as DYNAMIC_SHARED;
use cudarc::driver::sys::CUresult;
use cudarc::driver::{CudaFunction, CudaModule};
use cudarc::nvrtc::Ptx;
use limbforge_kernels_gen::{Geometry, Kernel};

use crate::arch::Target;
use crate::cache::CacheWarning;
use crate::compiler::Compiler;
use crate::device::Device;
use crate::driver::{failed, refuses_image};
use crate::error::GpuError;
use crate::nvrtc::{Image, Nvrtc, NvrtcError};

/// Bytes of shared memory that a block has without asking for more.
const SHARED_WITHOUT_ASKING: u64 = 48 << 10;

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

impl Device {
    /// Compiles kernels for this device several at a time, so that the compiler's cache has them in memory.
    pub fn compile_ahead<'k>(&self, compiler: &Compiler, kernels: impl IntoIterator<Item = &'k Kernel>) {
        if let Some(target) = self.target(compiler.nvrtc()) {
            compiler.prepare(kernels.into_iter().map(|kernel| &*kernel.source), target, &[]);
        }
    }

    /// Compiles a kernel, unless the compiler's cache has it, and loads it.
    pub(crate) fn kernel(&self, compiler: &Compiler, kernel: &Kernel) -> Result<LoadedKernel, GpuError> {
        let entry = &kernel.entry;
        let (module, target, warning) = self.load_module(compiler, kernel)?;
        // A name with a NUL is in no image, and cudarc panics on it.
        let no_entry = || GpuError::Entry { entry: entry.clone() };
        let name = Some(entry).filter(|name| !name.contains('\0')).ok_or_else(no_entry)?;
        let function = module.load_function(name).map_err(|error| match error.0 {
            CUresult::CUDA_ERROR_NOT_FOUND => no_entry(),
            _ => failed("find the kernel's entry point")(error),
        })?;
        let resources = self.check_resources(&function, kernel)?;
        let (device, entry, geometry, marks) = (self.clone(), entry.clone(), kernel.geometry, kernel.marks);
        Ok(LoadedKernel { function, device, entry, geometry, marks, resources, target, warning })
    }

    /// The target of kernels: with the instructions of this architecture alone where kernels have some, for
    /// an nvrtc that knows it. None if it knows neither this architecture nor an older one.
    fn target(&self, nvrtc: &Nvrtc) -> Option<Target> {
        let (info, known) = (self.info(), nvrtc.architectures());
        let own = info.limits().warpgroups.then(|| Target::choose(info.arch.specific(), known)).flatten();
        own.or_else(|| Target::choose(info.arch, known))
    }

    /// Loads machine code, or PTX for an nvrtc older than the device and a driver that refuses the machine
    /// code.
    fn load_module(
        &self,
        compiler: &Compiler,
        kernel: &Kernel,
    ) -> Result<(Arc<CudaModule>, Target, Option<CacheWarning>), GpuError> {
        let nvrtc = compiler.nvrtc();
        let first = self.target(nvrtc).ok_or_else(|| NvrtcError::Architecture {
            asked: self.info().arch,
            known: nvrtc.architectures().to_vec(),
            version: nvrtc.version(),
        })?;
        let mut refused = None;
        for target in [first, Target::Ptx(first.arch())] {
            let cached = compiler.compile(&kernel.source, target, &[])?;
            let image = match cached.image.as_ref() {
                Image::Cubin(code) => Ptx::from_binary(code.clone()),
                Image::Ptx(text) => Ptx::from_src(text.clone()),
            };
            match self.context().load_module(image) {
                Ok(module) => return Ok((module, target, cached.warning)),
                Err(error) if refuses_image(error) => refused = refused.or(Some(error)),
                Err(error) => return Err(failed("load the kernel")(error)),
            }
        }
        let reason = refused.map_or_else(String::new, |error| format!("{:?}", error.0));
        let (entry, driver) = (kernel.entry.clone(), self.info().driver);
        Err(GpuError::Refused { entry, driver, nvrtc: nvrtc.version(), reason })
    }

    /// Checks that a block fits the device, and asks for its shared memory.
    fn check_resources(&self, function: &CudaFunction, kernel: &Kernel) -> Result<KernelResources, GpuError> {
        let Geometry { threads, shared_bytes, .. } = kernel.geometry;
        let entry = || kernel.entry.clone();
        let number = |value: Result<i32, _>| {
            let value = value.map_err(failed("describe the kernel"))?;
            Ok::<u32, GpuError>(u32::try_from(value).unwrap_or(0))
        };
        let max_threads = number(function.max_threads_per_block())?;
        if threads > max_threads {
            return Err(GpuError::Threads { entry: entry(), asked: threads, limit: max_threads });
        }
        let static_shared_bytes = number(function.shared_size_bytes())?;
        let asked = u64::from(static_shared_bytes) + u64::from(shared_bytes);
        let limit = self.info().shared_per_block;
        if asked > limit {
            return Err(GpuError::SharedMemory { entry: entry(), asked, limit });
        }
        if asked > SHARED_WITHOUT_ASKING {
            let bytes = i32::try_from(shared_bytes).unwrap_or(i32::MAX);
            function.set_attribute(DYNAMIC_SHARED, bytes).map_err(failed("give the kernel shared memory"))?;
        }
        Ok(KernelResources {
            registers: number(function.num_regs())?,
            local_bytes: number(function.local_size_bytes())?,
            static_shared_bytes,
            max_threads,
            blocks_per_multiprocessor: function
                .occupancy_max_active_blocks_per_multiprocessor(threads, shared_bytes as usize, None)
                .map_err(failed("say how many blocks fit"))?,
        })
    }
}
