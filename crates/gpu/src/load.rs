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
use crate::module::{Footprint, KernelResources, LoadedKernel};
use crate::nvrtc::{Image, Nvrtc, NvrtcError};

/// Bytes of shared memory that a block has without asking for more.
const SHARED_WITHOUT_ASKING: u64 = 48 << 10;

impl Device {
    /// Compiles a kernel for this device, unless the compiler's cache has it, and loads it. It must be as
    /// [`Kernel`] says, and must read and write no more than `footprint` per instance: this cannot be
    /// checked.
    ///
    /// Machine code is tried first. PTX is the fallback, for an nvrtc older than the device and for a driver
    /// that does not take the machine code.
    ///
    /// # Errors
    /// [`GpuError::Nvrtc`] if it does not compile, [`GpuError::Refused`] if the driver does not take what was
    /// compiled, [`GpuError::Entry`] if there is no such entry point, [`GpuError::SharedMemory`] and
    /// [`GpuError::Threads`] if this device has not what it needs, [`GpuError::Inputs`] if `footprint` has
    /// another number of inputs.
    pub fn load(
        &self,
        compiler: &Compiler,
        kernel: &Kernel,
        footprint: &Footprint,
    ) -> Result<LoadedKernel, GpuError> {
        self.load_with(compiler, kernel, footprint, false, &[])
    }

    /// Compiles kernels for this device several at a time, so that [`load`](Self::load) then has them in
    /// memory and says what does not compile.
    pub fn compile_ahead<'k>(&self, compiler: &Compiler, kernels: impl IntoIterator<Item = &'k Kernel>) {
        if let Some(target) = self.target(compiler.nvrtc()) {
            compiler.prepare(kernels.into_iter().map(|kernel| &*kernel.source), target, &[]);
        }
    }

    /// The same with more options for nvrtc, and, if `specific`, for the architecture's own instructions
    /// (`sm_90a`).
    ///
    /// # Errors
    /// Those of [`load`](Self::load).
    pub fn load_with(
        &self,
        compiler: &Compiler,
        kernel: &Kernel,
        footprint: &Footprint,
        specific: bool,
        options: &[String],
    ) -> Result<LoadedKernel, GpuError> {
        let entry = &kernel.entry;
        if footprint.inputs.len() != kernel.inputs.len() {
            let (expected, found) = (kernel.inputs.len(), footprint.inputs.len());
            return Err(GpuError::Inputs { entry: entry.clone(), expected, found });
        }
        let nvrtc = compiler.nvrtc();
        let arch = if specific { self.info().arch.specific() } else { self.info().arch };
        let first = if specific { Target::choose(arch, nvrtc.architectures()) } else { self.target(nvrtc) };
        let first = first.ok_or_else(|| NvrtcError::Architecture {
            asked: arch,
            known: nvrtc.architectures().to_vec(),
            version: nvrtc.version(),
        })?;
        let (module, target, warning) = self.load_first(compiler, kernel, first, options)?;
        // A name with a NUL is in no image, and cudarc panics on it.
        let no_entry = || GpuError::Entry { entry: entry.clone() };
        let name = Some(entry).filter(|name| !name.contains('\0')).ok_or_else(no_entry)?;
        let function = module.load_function(name).map_err(|error| match error.0 {
            CUresult::CUDA_ERROR_NOT_FOUND => no_entry(),
            _ => failed("find the kernel's entry point")(error),
        })?;
        Ok(LoadedKernel {
            resources: self.prepare(&function, kernel)?,
            function,
            device: self.clone(),
            entry: entry.clone(),
            geometry: kernel.geometry,
            marks: kernel.marks,
            footprint: footprint.clone(),
            target,
            warning,
        })
    }

    /// What kernels are compiled to: with the instructions of this architecture alone where kernels have
    /// some, for an nvrtc that knows it. None if it knows neither this architecture nor an older one.
    pub(crate) fn target(&self, nvrtc: &Nvrtc) -> Option<Target> {
        let (info, known) = (self.info(), nvrtc.architectures());
        let own = info.limits().warpgroups.then(|| Target::choose(info.arch.specific(), known)).flatten();
        own.or_else(|| Target::choose(info.arch, known))
    }

    /// Loads the kernel as compiled to `first`, or as PTX if the driver does not take that.
    fn load_first(
        &self,
        compiler: &Compiler,
        kernel: &Kernel,
        first: Target,
        options: &[String],
    ) -> Result<(Arc<CudaModule>, Target, Option<CacheWarning>), GpuError> {
        let mut refused = None;
        for target in [first, Target::Ptx(first.arch())] {
            let cached = compiler.compile(&kernel.source, target, options)?;
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
        Err(GpuError::Refused { entry, driver, nvrtc: compiler.nvrtc().version(), reason })
    }

    /// Checks that a block fits the device, and asks for its shared memory.
    fn prepare(&self, function: &CudaFunction, kernel: &Kernel) -> Result<KernelResources, GpuError> {
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
        let blocks = function
            .occupancy_max_active_blocks_per_multiprocessor(threads, shared_bytes as usize, None)
            .map_err(failed("say how many blocks fit"))?;
        Ok(KernelResources {
            registers: number(function.num_regs())?,
            local_bytes: number(function.local_size_bytes())?,
            static_shared_bytes,
            max_threads,
            blocks_per_multiprocessor: blocks,
        })
    }
}
