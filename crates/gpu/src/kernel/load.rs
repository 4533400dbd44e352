//! Kernels compiled and loaded on a device.

use std::sync::Arc;

use cudarc::driver::sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as DYNAMIC_SHARED;
use cudarc::driver::sys::CUresult;
use cudarc::driver::{CudaFunction, CudaModule};
use cudarc::nvrtc::Ptx;
use limbforge_kernels_gen::{Geometry, Kernel};

use super::{KernelResources, LoadedKernel};
use crate::arch::Target;
use crate::cache::CacheWarning;
use crate::compiler::Compiler;
use crate::device::Device;
use crate::driver::{failed, refuses_image};
use crate::error::GpuError;
use crate::nvrtc::{Image, Nvrtc, NvrtcError};

/// Bytes of shared memory that a block has without asking for more.
const SHARED_WITHOUT_ASKING: u64 = 48 << 10;

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

    /// The target of kernels. None if nvrtc knows neither this architecture nor an older one.
    fn target(&self, nvrtc: &Nvrtc) -> Option<Target> {
        let info = self.info();
        Target::of_kernels(info.arch, &info.limits(), nvrtc.architectures())
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
