//! The time of each launch of a program.

use super::run::After;
use super::{LoadedProgram, Scratch};
use crate::buffer::DeviceBuffer;
use crate::device::Device;
use crate::driver::elapsed_ms;
use crate::error::GpuError;
use crate::timing;

impl Device {
    /// Runs a program once, one launch after the other, and waits: the milliseconds between the begin and the
    /// end of each launch, summed over the chunks; of those that run once only that.
    /// [`run_program`](Self::run_program) takes less than all of them, as there chunks run beside each other.
    ///
    /// # Errors
    /// Those of [`run_program`](Self::run_program).
    pub fn time_launches(
        &self,
        program: &LoadedProgram,
        inputs: &[&DeviceBuffer],
        scratch: &Scratch,
        output: &mut DeviceBuffer,
        instances: u64,
    ) -> Result<Vec<f64>, GpuError> {
        let addresses = self.check_program(program, inputs, scratch, &[&mut *output], instances)?;
        let written = [output.address()];
        let buffers = (&*addresses, &written[..]);
        let mut events = vec![];
        let after: &mut After<'_> = &mut |stream, launch| {
            events.push((timing::event(stream)?, launch));
            Ok(())
        };
        program.start_uniform(self.queue(), scratch, &addresses, instances, after)?;
        program.start(&[(self.queue(), &scratch.lanes[0])], scratch, buffers, instances, after)?;
        let mut sums = vec![0.0; program.launches.len()];
        for pair in events.windows(2) {
            if let Some(launch) = pair[1].1 {
                sums[launch] += f64::from(elapsed_ms(&pair[0].0, &pair[1].0)?);
            }
        }
        Ok(sums)
    }
}
