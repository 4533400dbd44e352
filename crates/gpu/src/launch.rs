//! One launch of one kernel.
#![allow(unsafe_code)]

use cudarc::driver::{CudaStream, LaunchConfig, PushKernelArg};

use crate::driver::failed;
use crate::error::GpuError;
use crate::invariant::broken_invariant;
use crate::kernel::LoadedKernel;

/// Blocks of the largest grid.
pub(crate) const MAX_BLOCKS: u64 = (1 << 31) - 1;

/// Puts a launch into a stream, with the grid that a number of instances has: that of the buffers, or another one.
/// The buffers, and the marks of a kernel that has some, must hold `instances` instances, belong to the stream's
/// device, and stay alive until the stream has run it.
pub(crate) fn start(
    stream: &CudaStream,
    kernel: &LoadedKernel,
    inputs: &[u64],
    outputs: &[u64],
    marks: Option<u64>,
    (instances, of_grid): (u64, u64),
) -> Result<(), GpuError> {
    let geometry = kernel.geometry();
    if instances == 0 {
        return Ok(());
    }
    let blocks = geometry.blocks(of_grid);
    let Some(grid) = u32::try_from(blocks).ok().filter(|_| blocks <= MAX_BLOCKS) else {
        return Err(GpuError::Grid { instances: of_grid, blocks, limit: MAX_BLOCKS });
    };
    let config = LaunchConfig {
        grid_dim: (grid, 1, 1),
        block_dim: (geometry.threads, 1, 1),
        shared_mem_bytes: geometry.shared_bytes,
    };
    let mut launch = stream.launch_builder(&kernel.function);
    for input in inputs {
        launch.arg(input);
    }
    for output in outputs {
        launch.arg(output);
    }
    if kernel.marks() {
        let Some(marks) = &marks else { broken_invariant("a program that marks has a place for marks") };
        launch.arg(marks);
    }
    launch.arg(&instances);
    // SAFETY: the parameters are those of the ABI in `Kernel`: one pointer per input and result, the
    // marks' if there are some, and N; the callers have checked that the buffers are large enough and keep
    // them alive.
    unsafe { launch.launch(config) }.map_err(failed("start the kernel"))?;
    Ok(())
}
