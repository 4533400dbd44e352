//! Errors of GPUs.

use crate::nvrtc::NvrtcError;
use crate::version::Version;

/// A GPU is missing or fails. Each message names a remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    /// No driver, or only the toolkit's stand-in for one.
    #[error("NVIDIA's driver is not installed: install it, or use the CPU backend")]
    NoDriver,
    /// The driver lacks a required function.
    #[error("NVIDIA's driver (for CUDA {version}) has no function {symbol}: install a newer driver")]
    OldDriver {
        /// The newest CUDA it supports.
        version: Version,
        /// The function.
        symbol: &'static str,
    },
    /// The driver sees no GPU.
    #[error(
        "NVIDIA's driver finds no GPU: check that `nvidia-smi` lists one and that CUDA_VISIBLE_DEVICES does not hide \
         it, or use the CPU backend"
    )]
    NoDevice,
    /// There are fewer GPUs.
    #[error("there is no GPU {asked}: expected a number below {found}, the number of GPUs here")]
    Ordinal {
        /// The number asked for, from 0.
        asked: usize,
        /// The number of GPUs.
        found: usize,
    },
    /// The GPU has too little memory.
    #[error(
        "the GPU has not enough memory: {asked} bytes asked for, {free} free; use smaller batches or the streaming \
         path, or end other programs that use this GPU"
    )]
    OutOfMemory {
        /// Bytes asked for.
        asked: u64,
        /// Bytes free at that time.
        free: u64,
    },
    /// The machine has too little memory for buffers that the GPU reads and writes directly.
    #[error(
        "{asked} bytes of pinned memory cannot be had: use smaller batches, batches in ordinary memory, or a smaller \
         memory allowance"
    )]
    PinnedMemory {
        /// Bytes asked for.
        asked: u64,
    },
    /// An allowance below the smallest pipeline.
    #[error("a memory allowance of {allowance} bytes is too small: this kernel needs at least {least}")]
    Allowance {
        /// Bytes allowed.
        allowance: u64,
        /// Bytes of two chunks of one instance.
        least: u64,
    },
    /// nvrtc is missing, or does not compile the kernel.
    #[error(transparent)]
    Nvrtc(#[from] NvrtcError),
    /// The driver does not load the compiled kernel.
    #[error(
        "the driver (for CUDA {driver}) does not load kernel {entry} as nvrtc {nvrtc} compiled it ({reason}): update \
         the driver, or install an nvrtc that is not newer than it and set LIMBFORGE_NVRTC to its path"
    )]
    Refused {
        /// The kernel's entry point.
        entry: String,
        /// The newest CUDA the driver supports.
        driver: Version,
        /// nvrtc's version.
        nvrtc: Version,
        /// The driver's name for the failure.
        reason: String,
    },
    /// The image has no such function.
    #[error("the compiled kernel has no entry point {entry}: it must be declared extern \"C\" __global__")]
    Entry {
        /// The name asked for.
        entry: String,
    },
    /// A block needs more shared memory than this GPU has.
    #[error(
        "kernel {entry} needs {asked} bytes of shared memory for a block and this GPU has {limit}: use fewer \
         instances per block or smaller integers"
    )]
    SharedMemory {
        /// The kernel's entry point.
        entry: String,
        /// Bytes of a block, static and dynamic.
        asked: u64,
        /// Bytes that a block may have.
        limit: u64,
    },
    /// A block has more threads than the kernel's registers allow.
    #[error(
        "kernel {entry} needs blocks of {asked} threads and this GPU has registers for {limit}: use fewer \
         instances per block or more limbs per thread"
    )]
    Threads {
        /// The kernel's entry point.
        entry: String,
        /// Threads of a block.
        asked: u32,
        /// Threads that a block may have.
        limit: u32,
    },
    /// More instances than a grid has blocks for.
    #[error(
        "{instances} instances are {blocks} blocks and a launch has at most {limit}: use smaller batches"
    )]
    Grid {
        /// N.
        instances: u64,
        /// Blocks of the grid.
        blocks: u64,
        /// Blocks of the largest grid.
        limit: u64,
    },
    /// A kernel that marks instances runs several times for one instance of its program.
    #[error("kernel {entry} marks instances that have no result: its launches must have one repeat")]
    Marks {
        /// The kernel's entry point.
        entry: String,
    },
    /// Another number of inputs than the kernel has.
    #[error("kernel {entry} has {expected} inputs, found {found}: give one buffer for each")]
    Inputs {
        /// The kernel's entry point.
        entry: String,
        /// Its number of inputs.
        expected: usize,
        /// The number given.
        found: usize,
    },
    /// Another number of outputs than the kernel has.
    #[error("kernel {entry} has {expected} outputs, found {found}: give one buffer for each")]
    Outputs {
        /// The kernel's entry point.
        entry: String,
        /// Its number of outputs.
        expected: usize,
        /// The number given.
        found: usize,
    },
    /// A tape without such an entry.
    #[error("the program's kernel has no entry {entry}: launch one of `TapeKernel::entries`")]
    TapeEntry {
        /// The entry asked for.
        entry: String,
    },
    /// Another number of kernels than the program has.
    #[error(
        "the program has {expected} kernels, found {found}: give those of `Program::render`, all of them"
    )]
    Kernels {
        /// The program's kernels.
        expected: usize,
        /// The number given.
        found: usize,
    },
    /// A buffer or a slice of the wrong size.
    #[error("{what} has {found} bytes and {expected} are needed: give all instances, and nothing else")]
    Size {
        /// The buffer or slice.
        what: String,
        /// Bytes needed.
        expected: u64,
        /// Bytes given.
        found: u64,
    },
    /// A buffer, or a kernel, of another device.
    #[error("{what} belongs to another GPU than the one it is used on: load and allocate on each GPU apart")]
    OtherDevice {
        /// The buffer or kernel.
        what: String,
    },
    /// Memory of others that buffers cannot lie in.
    #[error("the memory is {found}; expected memory {expected}: copy it there first")]
    Foreign {
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// Any other failure of the driver.
    #[error("the driver failed to {action}: {name} ({code}), {text}; {}", advice(*code))]
    Driver {
        /// The action that failed.
        action: &'static str,
        /// Its number for the failure.
        code: u32,
        /// Its name for the failure.
        name: String,
        /// Its description.
        text: String,
    },
}

/// The remedy for a result of the driver.
const fn advice(code: u32) -> &'static str {
    match code {
        700..=719 => {
            "the kernel has failed and this process cannot use the GPU any more: start again, and please report it"
        }
        46 => "another program has this GPU for itself, or is waiting for it: end that program",
        802..=804 => "driver and libraries do not fit together: reboot, or install the driver again",
        214 | 226 => "the GPU's memory has failed: reset the GPU or reboot",
        _ => "see `limbforge doctor`",
    }
}
