//! NVIDIA's driver behind guards: cudarc panics when the library, or a function in it, is missing.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};
use std::sync::OnceLock;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::{CudaEvent, sys};

use crate::error::GpuError;
use crate::version::Version;

/// Every function of the driver's that this crate has called, through cudarc or itself.
const SYMBOLS: [&str; 49] = [
    "cuCtxGetCurrent",
    "cuCtxSetCurrent",
    "cuCtxSynchronize",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetCount",
    "cuDeviceGetDefaultMemPool",
    "cuDeviceGetName",
    "cuDevicePrimaryCtxRelease_v2",
    "cuDevicePrimaryCtxRetain",
    "cuDeviceTotalMem_v2",
    "cuDriverGetVersion",
    "cuEventCreate",
    "cuEventDestroy_v2",
    ELAPSED,
    "cuEventQuery",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuFuncGetAttribute",
    "cuFuncSetAttribute",
    "cuGetErrorName",
    "cuGetErrorString",
    "cuInit",
    "cuLaunchKernel",
    "cuMemAlloc_v2",
    "cuMemAllocAsync",
    "cuMemFree_v2",
    "cuMemFreeAsync",
    "cuMemFreeHost",
    "cuMemGetInfo_v2",
    "cuMemHostAlloc",
    "cuMemPoolGetAttribute",
    "cuMemPoolSetAttribute",
    "cuMemPoolTrimTo",
    "cuMemcpyDtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemsetD8Async",
    "cuModuleGetFunction",
    "cuModuleLoadData",
    "cuModuleUnload",
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "cuPointerGetAttributes",
    "cuStreamCreate",
    "cuStreamDestroy_v2",
    "cuStreamQuery",
    "cuStreamSynchronize",
    "cuStreamWaitEvent",
];

/// cudarc takes the second version of this function, which drivers before CUDA 12.8 do not have.
const ELAPSED: &str = "cuEventElapsedTime";

type Elapsed = unsafe extern "C" fn(*mut f32, sys::CUevent, sys::CUevent) -> sys::CUresult;

/// Errors unless the driver's library is there.
fn present() -> Result<(), GpuError> {
    static PRESENT: OnceLock<()> = OnceLock::new();
    if PRESENT.get().is_none() {
        // SAFETY: opens and closes the driver's library, which runs NVIDIA's initialisers.
        if !unsafe { sys::is_culib_present() } {
            return Err(GpuError::NoDriver);
        }
        let _ = PRESENT.set(());
    }
    Ok(())
}

/// The first function that the driver does not have. Needs [`present`].
fn missing_symbol() -> Option<&'static str> {
    static MISSING: OnceLock<Option<&'static str>> = OnceLock::new();
    *MISSING.get_or_init(|| {
        // SAFETY: the library is there, so cudarc does not panic. The symbols are not called.
        let has = |symbol: &str| unsafe { sys::culib().get::<Elapsed>(symbol).is_ok() };
        SYMBOLS.into_iter().find(|symbol| !has(symbol))
    })
}

/// The newest CUDA that the driver supports.
///
/// # Errors
/// [`GpuError::NoDriver`].
pub fn driver_version() -> Result<Version, GpuError> {
    present()?;
    // SAFETY: the library is there, so cudarc does not panic; the symbol is not called.
    if unsafe { sys::culib().get::<Elapsed>("cuDriverGetVersion").is_err() } {
        return Err(GpuError::NoDriver);
    }
    let mut number: c_int = 0;
    // SAFETY: the function is there and the pointer is to an integer of this function.
    let version = unsafe { sys::cuDriverGetVersion(&raw mut number) }.result();
    version.map_err(|error| match error.0 {
        sys::CUresult::CUDA_ERROR_STUB_LIBRARY => GpuError::NoDriver,
        _ => failed("say its version")(error),
    })?;
    Ok(Version::from_cuda(number))
}

/// To be called before everything else. Returns the number of devices, at least 1.
pub(crate) fn initialize() -> Result<usize, GpuError> {
    let version = driver_version()?;
    if let Some(symbol) = missing_symbol() {
        return Err(GpuError::OldDriver { version, symbol });
    }
    let count = result::init().and_then(|()| result::device::get_count()).map_err(failed("start"))?;
    match usize::try_from(count) {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(GpuError::NoDevice),
    }
}

/// Turns a failure into a [`GpuError`] that says what was being done.
pub(crate) fn failed(action: &'static str) -> impl FnOnce(DriverError) -> GpuError {
    move |error| match error.0 {
        sys::CUresult::CUDA_ERROR_NO_DEVICE => GpuError::NoDevice,
        sys::CUresult::CUDA_ERROR_STUB_LIBRARY => GpuError::NoDriver,
        code => {
            let (name, text) = (text_of(error.error_name()), text_of(error.error_string()));
            GpuError::Driver { action, code: code as u32, name, text }
        }
    }
}

fn text_of(text: Result<&CStr, DriverError>) -> String {
    text.map_or_else(|_| "unknown".to_owned(), |text| text.to_string_lossy().into_owned())
}

/// True if the driver cannot use an image, which is of another architecture or too new.
pub(crate) fn refuses_image(error: DriverError) -> bool {
    matches!(
        error.0,
        sys::CUresult::CUDA_ERROR_INVALID_IMAGE
            | sys::CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU
            | sys::CUresult::CUDA_ERROR_INVALID_PTX
            | sys::CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION
            | sys::CUresult::CUDA_ERROR_JIT_COMPILER_NOT_FOUND
            | sys::CUresult::CUDA_ERROR_INVALID_SOURCE
    )
}

/// Milliseconds between two recorded events of one context, after waiting for both.
pub(crate) fn elapsed_ms(start: &CudaEvent, end: &CudaEvent) -> Result<f32, GpuError> {
    let failed = || failed("measure a time");
    start.synchronize().map_err(failed())?;
    end.synchronize().map_err(failed())?;
    let mut ms = 0.0;
    // SAFETY: an event exists, so the library and its functions do; the type is that in cuda.h.
    let function = unsafe { sys::culib().get::<Elapsed>(ELAPSED) };
    let function = function.map_err(|_| failed()(DriverError(sys::CUresult::CUDA_ERROR_NOT_FOUND)))?;
    // SAFETY: both events are alive and recorded, and the pointer is to a number of this function.
    unsafe { function(&raw mut ms, start.cu_event(), end.cu_event()) }.result().map_err(failed())?;
    Ok(ms)
}
