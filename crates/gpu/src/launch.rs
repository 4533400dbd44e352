//! Running a kernel on buffers.
#![allow(unsafe_code)]

use cudarc::driver::{CudaStream, LaunchConfig, PushKernelArg};

use crate::buffer::DeviceBuffer;
use crate::device::Device;
use crate::driver::failed;
use crate::error::GpuError;
use crate::module::{Footprint, LoadedKernel};

/// Blocks of the largest grid.
pub(crate) const MAX_BLOCKS: u64 = (1 << 31) - 1;

impl Device {
    /// Starts a kernel on N instances, after everything that was started before, and returns at once. Wait
    /// with [`synchronize`](Self::synchronize) or by copying the result. 0 instances are nothing to do.
    ///
    /// # Errors
    /// [`GpuError::Inputs`], [`GpuError::Size`] if a buffer holds fewer than N instances, [`GpuError::Grid`],
    /// [`GpuError::Marks`], [`GpuError::OtherDevice`] and [`GpuError::Driver`].
    pub fn run(
        &self,
        kernel: &LoadedKernel,
        inputs: &[&DeviceBuffer],
        output: &mut DeviceBuffer,
        instances: u64,
    ) -> Result<(), GpuError> {
        self.check(kernel, inputs.len())?;
        let footprint = kernel.footprint();
        for (i, (buffer, &bytes)) in inputs.iter().zip(&footprint.inputs).enumerate() {
            self.check_buffer(buffer, &format!("input {i}"), bytes, instances)?;
        }
        self.check_buffer(output, "the result's buffer", footprint.output, instances)?;
        let addresses: Vec<_> = inputs.iter().map(|buffer| buffer.address()).collect();
        start(self.queue(), kernel, &addresses, output.address(), None, instances)
    }

    /// Runs a kernel on instances in the machine's memory: copies, runs, copies back. For batches whose
    /// inputs and results fit the device together; [`stream_slices`](Self::stream_slices) is for all others.
    ///
    /// # Errors
    /// Those of [`run`](Self::run), [`GpuError::Size`] if a slice is not exactly N instances, and
    /// [`GpuError::OutOfMemory`].
    pub fn eval(
        &self,
        kernel: &LoadedKernel,
        inputs: &[&[u8]],
        output: &mut [u8],
        instances: u64,
    ) -> Result<(), GpuError> {
        self.check(kernel, inputs.len())?;
        self.check_slices(kernel.footprint(), inputs, output, instances)?;
        if instances == 0 {
            return Ok(());
        }
        let buffers: Vec<_> = inputs.iter().map(|input| self.upload(input)).collect::<Result<_, _>>()?;
        let mut result = self.alloc(output.len() as u64)?;
        self.run(kernel, &buffers.iter().collect::<Vec<_>>(), &mut result, instances)?;
        result.copy_to(output)
    }

    /// Errors unless the kernel is on this device and has this many inputs.
    pub(crate) fn check(&self, kernel: &LoadedKernel, inputs: usize) -> Result<(), GpuError> {
        let entry = || kernel.entry().to_owned();
        if !kernel.is_on(self) {
            return Err(GpuError::OtherDevice { what: format!("kernel {}", kernel.entry()) });
        }
        match kernel.footprint().inputs.len() {
            expected if expected == inputs => Ok(()),
            expected => Err(GpuError::Inputs { entry: entry(), expected, found: inputs }),
        }
    }

    /// Errors unless every slice is exactly N instances.
    pub(crate) fn check_slices(
        &self,
        footprint: &Footprint,
        inputs: &[&[u8]],
        output: &[u8],
        instances: u64,
    ) -> Result<(), GpuError> {
        let exactly = |what: String, slice: &[u8], bytes: u64| match bytes.saturating_mul(instances) {
            expected if expected == slice.len() as u64 => Ok(()),
            expected => Err(GpuError::Size { what, expected, found: slice.len() as u64 }),
        };
        for (i, (slice, &bytes)) in inputs.iter().zip(&footprint.inputs).enumerate() {
            exactly(format!("input {i}"), slice, bytes)?;
        }
        exactly("the result".to_owned(), output, footprint.output)
    }

    pub(crate) fn check_buffer(
        &self,
        buffer: &DeviceBuffer,
        what: &str,
        per_instance: u64,
        instances: u64,
    ) -> Result<(), GpuError> {
        if buffer.context() != self.context() {
            return Err(GpuError::OtherDevice { what: what.to_owned() });
        }
        buffer.check(what, usize::try_from(per_instance.saturating_mul(instances)).unwrap_or(usize::MAX))
    }
}

/// Puts a launch into a stream. The buffers, and the marks of a kernel that has some, must hold `instances`
/// instances, be of the stream's device, and stay until the stream has run it.
pub(crate) fn start(
    stream: &CudaStream,
    kernel: &LoadedKernel,
    inputs: &[u64],
    output: u64,
    marks: Option<u64>,
    instances: u64,
) -> Result<(), GpuError> {
    let geometry = kernel.geometry();
    if instances == 0 {
        return Ok(());
    }
    let blocks = geometry.blocks(instances);
    let Some(grid) = u32::try_from(blocks).ok().filter(|_| blocks <= MAX_BLOCKS) else {
        return Err(GpuError::Grid { instances, blocks, limit: MAX_BLOCKS });
    };
    let config = LaunchConfig {
        grid_dim: (grid, 1, 1),
        block_dim: (geometry.threads, 1, 1),
        shared_mem_bytes: geometry.shared_bytes,
    };
    let mut launch = stream.launch_builder(kernel.function());
    for input in inputs {
        launch.arg(input);
    }
    launch.arg(&output);
    if kernel.marks() {
        let Some(marks) = &marks else {
            return Err(GpuError::Marks { entry: kernel.entry().to_owned() });
        };
        launch.arg(marks);
    }
    launch.arg(&instances);
    // SAFETY: the parameters are those of the ABI in `Kernel`: one pointer per input, the result's, the
    // marks' if there are some, and N; the callers have checked that the buffers are large enough and keep
    // them alive.
    unsafe { launch.launch(config) }.map_err(failed("start the kernel"))?;
    Ok(())
}
