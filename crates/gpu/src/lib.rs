//! Running limbforge's kernels on NVIDIA GPUs.
//!
//! Nothing of CUDA is needed to build this crate. To run it needs NVIDIA's driver and nvrtc, and finds both
//! at run time; whatever is missing is a typed error ([`GpuError`], [`NvrtcError`]) that says what to do,
//! never a panic.
//!
//! | step | where |
//! | --- | --- |
//! | which GPUs there are | [`devices`], [`Device`], [`DeviceInfo`] |
//! | where nvrtc is | [`pathfinder`] |
//! | source to machine code | [`Nvrtc`], [`Target`], [`Arch`] |
//! | the same, remembered in memory and on disk | [`Compiler`], [`Cache`] |
//! | kernels on a device that pass buffers on to each other | [`Device::load_program`], [`LoadedProgram`] |
//! | one kernel on a device | [`Device::load_kernel`], [`LoadedKernel`], [`Footprint`] |
//! | a program with loops, whole or in slices | [`Device::load_tape`], [`LoadedTape`], [`TapeMemory`] |
//! | memory of a device | [`DeviceBuffer`] |
//! | memory of others, and for others | [`Device::adopt`], [`RawMemory`], [`DeviceBuffer::into_cuda_slice`] |
//! | one run, and its time | [`Device::run_program`], [`Device::time`] |
//! | batches of any size in the machine's memory, on one GPU or several | [`stream`](fn@stream), [`Device::stream_slices`] |
//! | memory that GPUs copy from and to by themselves | [`Device::pinned`], [`Pinned`] |
//! | what `limbforge tune` has measured | [`Tuning`], [`DeviceInfo::planner`] |
//! | what a user should install | [`DoctorReport`] |
//!
//! ```no_run
//! use limbforge_gpu::{Compiler, Device, Footprint};
//! # fn example(kernel: &limbforge_kernels_gen::Kernel) -> Result<(), limbforge_gpu::GpuError> {
//! let device = Device::open(0)?;
//! let compiler = Compiler::from_environment()?;
//! // 64-byte instances: two operands, one result.
//! let add = device.load_kernel(&compiler, kernel, Footprint { inputs: vec![64, 64], outputs: vec![64] })?;
//! let (a, b) = (vec![1u8; 64 * 1000], vec![2u8; 64 * 1000]);
//! let mut sum = vec![0u8; 64 * 1000];
//! device.stream_slices(&add, &[&a, &b], &mut sum, 1000, 1 << 30)?;
//! # Ok(())
//! # }
//! ```

mod arch;
mod buffer;
mod cache;
mod compiler;
mod copies;
mod device;
mod doctor;
mod driver;
mod error;
mod foreign;
mod free;
mod host_memory;
mod invariant;
mod kernel;
mod later;
mod launch;
mod nvrtc;
mod owner;
pub mod pathfinder;
mod pinned;
mod pool;
mod program;
mod ring;
mod stream;
mod tape;
mod timing;
mod transfer;
mod tuning;
mod version;
mod word;

pub use arch::{Arch, ParseArchError, Target};
pub use buffer::DeviceBuffer;
pub use cache::{Cache, CacheKey, CacheWarning, Cached, Source};
pub use compiler::{Compilation, Compiler};
/// The crate whose slices, streams and events this one takes and gives.
pub use cudarc;
pub use device::{Device, DeviceInfo, Memory, devices};
pub use doctor::{CacheReport, DoctorReport, NvrtcReport, TuningReport};
pub use driver::driver_version;
pub use error::GpuError;
pub use foreign::RawMemory;
pub use kernel::{KernelResources, LoadedKernel};
pub use nvrtc::{CompileError, Compiled, Image, Nvrtc, NvrtcError};
pub use pinned::Pinned;
pub use program::{Footprint, LoadedProgram, Scratch};
pub use stream::{
    Chunk, HostBatch, HostResult, Operands, ReadOperands, Results, Station, StreamPlan, Streamed,
    WriteResults, stream,
};
pub use tape::{LoadedTape, TapeLaunch, TapeMemory};
pub use timing::Timings;
pub use tuning::{DeviceKey, TunedTime, Tuning, TuningError};
pub use version::Version;
pub use word::Word;
