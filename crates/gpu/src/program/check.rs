//! Checks of buffers and scratch before a program starts.

use super::{LoadedProgram, MARK_BYTES, Scratch};
use crate::buffer::DeviceBuffer;
use crate::device::Device;
use crate::error::GpuError;

impl Device {
    /// Errors unless buffers and scratch are this program's and large enough; the operands' addresses.
    pub(super) fn check_program(
        &self,
        program: &LoadedProgram,
        inputs: &[&DeviceBuffer],
        scratch: &Scratch,
        outputs: &[&mut DeviceBuffer],
        instances: u64,
    ) -> Result<Vec<u64>, GpuError> {
        program.check_device(self)?;
        program.check_inputs(inputs.len())?;
        for (i, (buffer, &bytes)) in inputs.iter().zip(&program.footprint.inputs).enumerate() {
            self.check_buffer(Some(buffer), &format!("input {i}"), bytes, instances)?;
        }
        let chunk = scratch.chunk;
        let between =
            scratch.lanes.iter().map(|buffers| ("between kernels", buffers, &program.buffers, chunk));
        let uniform = ("of one instance", &scratch.uniforms, &program.uniforms, 1);
        for (place, buffers, expected, instances) in between.chain([uniform]) {
            for (i, &bytes) in expected.iter().enumerate() {
                self.check_buffer(buffers.get(i), &format!("buffer {i} {place}"), bytes, instances)?;
            }
        }
        if chunk < instances.min(program.chunk) {
            // A shorter chunk would cut batches where they must not be cut.
            let (expected, found) = (program.scratch_bytes(instances), program.scratch_bytes(chunk));
            return Err(GpuError::Size { what: "the scratch".to_owned(), expected, found });
        }
        program.check_outputs(outputs.len())?;
        for (output, &bytes) in outputs.iter().zip(&program.footprint.outputs) {
            self.check_buffer(Some(output), "the result's buffer", bytes, instances)?;
        }
        if program.marks {
            self.check_buffer(scratch.marks.as_ref(), "the marks", MARK_BYTES, instances)?;
        }
        Ok(inputs.iter().map(|buffer| buffer.address()).collect())
    }

    /// Errors unless the buffer exists, is on this device and holds this many instances.
    pub(super) fn check_buffer(
        &self,
        buffer: Option<&DeviceBuffer>,
        what: &str,
        per_instance: u64,
        instances: u64,
    ) -> Result<(), GpuError> {
        let expected = per_instance.saturating_mul(instances);
        match buffer {
            None => Err(GpuError::Size { what: what.to_owned(), expected, found: 0 }),
            Some(buffer) if buffer.context() != self.context() => {
                Err(GpuError::OtherDevice { what: what.to_owned() })
            }
            Some(buffer) => buffer.check(what, expected),
        }
    }
}

impl LoadedProgram {
    /// Errors unless the program has this many operands.
    pub(crate) fn check_inputs(&self, found: usize) -> Result<(), GpuError> {
        match self.footprint.inputs.len() {
            expected if expected == found => Ok(()),
            expected => Err(GpuError::Inputs { entry: "of the program".to_owned(), expected, found }),
        }
    }

    /// Errors unless the program has this many results.
    pub(crate) fn check_outputs(&self, found: usize) -> Result<(), GpuError> {
        match self.footprint.outputs.len() {
            expected if expected == found => Ok(()),
            expected => Err(GpuError::Outputs { entry: "of the program".to_owned(), expected, found }),
        }
    }

    /// Errors unless every kernel is on this device.
    pub(crate) fn check_device(&self, device: &Device) -> Result<(), GpuError> {
        match self.kernels.iter().find(|kernel| !kernel.is_on(device)) {
            Some(kernel) => Err(GpuError::OtherDevice { what: format!("kernel {}", kernel.entry()) }),
            None => Ok(()),
        }
    }
}
