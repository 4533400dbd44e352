//! What is wrong with the buffers of a program, before it starts.

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
        output: &DeviceBuffer,
        instances: u64,
    ) -> Result<Vec<u64>, GpuError> {
        program.check_device(self)?;
        program.check_inputs(inputs.len())?;
        for (i, (buffer, &bytes)) in inputs.iter().zip(&program.footprint.inputs).enumerate() {
            self.check_buffer(buffer, &format!("input {i}"), bytes, instances)?;
        }
        for lane in &scratch.lanes {
            self.check_buffers("between kernels", &lane.buffers, &program.buffers, scratch.chunk)?;
        }
        self.check_buffers("of one instance", &scratch.uniforms, &program.uniforms, 1)?;
        if scratch.chunk < instances.min(program.chunk) {
            // A shorter chunk would cut batches where they must not be cut.
            let what = "the scratch".to_owned();
            let (expected, found) = (program.scratch_bytes(instances), program.scratch_bytes(scratch.chunk));
            return Err(GpuError::Size { what, expected, found });
        }
        self.check_buffer(output, "the result's buffer", program.footprint.output, instances)?;
        program.check_marks(scratch, instances)?;
        Ok(inputs.iter().map(|buffer| buffer.address()).collect())
    }

    /// Errors unless there are buffers with so many bytes for each instance.
    fn check_buffers(
        &self,
        place: &str,
        found: &[DeviceBuffer],
        expected: &[u64],
        instances: u64,
    ) -> Result<(), GpuError> {
        for (i, &bytes) in expected.iter().enumerate() {
            let what = format!("buffer {i} {place}");
            let Some(buffer) = found.get(i) else {
                return Err(GpuError::Size { what, expected: bytes, found: 0 });
            };
            self.check_buffer(buffer, &what, bytes, instances)?;
        }
        Ok(())
    }
}

impl LoadedProgram {
    fn check_marks(&self, scratch: &Scratch, instances: u64) -> Result<(), GpuError> {
        match (&scratch.marks, self.marks) {
            (Some(buffer), true) => {
                let bytes = usize::try_from(MARK_BYTES.saturating_mul(instances)).unwrap_or(usize::MAX);
                buffer.check("the marks", bytes)
            }
            (None, true) => {
                let expected = MARK_BYTES.saturating_mul(instances);
                Err(GpuError::Size { what: "the marks".to_owned(), expected, found: 0 })
            }
            _ => Ok(()),
        }
    }

    /// Errors unless the program has this many operands.
    pub(crate) fn check_inputs(&self, found: usize) -> Result<(), GpuError> {
        match self.footprint.inputs.len() {
            expected if expected == found => Ok(()),
            expected => Err(GpuError::Inputs { entry: "of the program".to_owned(), expected, found }),
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
