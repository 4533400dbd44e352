//! Launches of a program: those of one instance, then chunk after chunk.

use cudarc::driver::CudaStream;
use limbforge_kernels_gen::{Sink, Source};

use super::{Lane, LoadedProgram, MARK_BYTES, Scratch, Step};
use crate::buffer::DeviceBuffer;
use crate::error::GpuError;
use crate::launch;

/// What is called when launches are about to start in a stream, with None, and after each with the number of its step.
pub(super) type After<'a> = dyn FnMut(&CudaStream, Option<usize>) -> Result<(), GpuError> + 'a;

impl LoadedProgram {
    /// Puts all launches into one stream. Buffers must hold `instances` instances, be of the stream's device, and stay
    /// until the stream has run them.
    pub(crate) fn start_in(
        &self,
        stream: &CudaStream,
        inputs: &[u64],
        scratch: &Scratch,
        output: u64,
        instances: u64,
    ) -> Result<(), GpuError> {
        let after: &mut After<'_> = &mut |_, _| Ok(());
        self.start_singles(stream, scratch, inputs, instances, after)?;
        self.start(&[stream], &[&scratch.lanes[0]], scratch, (inputs, output), instances, after)
    }

    /// What is computed once for all instances, unless there are none. It never fails: kernels with a division have a parameter for marks,
    /// as the seed of an inverse has, but mark nothing; each chunk clears its own before it starts.
    pub(super) fn start_singles(
        &self,
        stream: &CudaStream,
        scratch: &Scratch,
        inputs: &[u64],
        instances: u64,
        after: &mut After<'_>,
    ) -> Result<(), GpuError> {
        if instances == 0 || !self.steps.iter().any(Step::is_single) {
            return Ok(());
        }
        let marks = scratch.marks.as_ref().map(DeviceBuffer::address);
        after(stream, None)?;
        for (i, step) in self.steps.iter().enumerate().filter(|(_, step)| step.is_single()) {
            self.start_step(stream, step, (scratch, &scratch.lanes[0]), (inputs, 0), marks, 1)?;
            after(stream, Some(i))?;
        }
        Ok(())
    }

    /// Chunk after chunk, each through all kernels but those that run once, in the streams by turns. The buffers are those of the
    /// operands and of the result.
    pub(super) fn start(
        &self,
        streams: &[&CudaStream],
        lanes: &[&Lane],
        scratch: &Scratch,
        (inputs, output): (&[u64], u64),
        instances: u64,
        after: &mut After<'_>,
    ) -> Result<(), GpuError> {
        let (mut first, mut turn) = (0, 0);
        while first < instances {
            let count = scratch.chunk.min(instances - first);
            let at = |address: u64, bytes: u64| address + first * bytes;
            let moved: Vec<u64> = inputs
                .iter()
                .zip(&self.footprint.inputs)
                .map(|(&address, &bytes)| at(address, bytes))
                .collect();
            let (stream, lane) = (streams[turn], lanes[turn]);
            let marks = match &scratch.marks {
                Some(buffer) => Some(buffer.clear(stream, MARK_BYTES * first, MARK_BYTES * count)?),
                None => None,
            };
            after(stream, None)?;
            let buffers = (&*moved, at(output, self.footprint.output));
            for (i, step) in self.steps.iter().enumerate().filter(|(_, step)| !step.is_single()) {
                self.start_step(stream, step, (scratch, lane), buffers, marks, count)?;
                after(stream, Some(i))?;
            }
            first += count;
            turn = (turn + 1) % streams.len();
        }
        Ok(())
    }

    /// One launch, for the instances of a chunk or for one.
    fn start_step(
        &self,
        stream: &CudaStream,
        step: &Step,
        (scratch, lane): (&Scratch, &Lane),
        (inputs, output): (&[u64], u64),
        marks: Option<u64>,
        instances: u64,
    ) -> Result<(), GpuError> {
        let address = |source: &Source| match source {
            Source::Input(i) => inputs[*i],
            Source::Buffer(i) => lane.buffers[*i].address(),
            Source::Plane { buffer, first, .. } => lane.buffers[*buffer].address() + 4 * first * instances,
            Source::Single { buffer, first, .. } => scratch.singles[*buffer].address() + 4 * first,
            Source::Table(i) => self.tables[*i].address(),
        };
        let read: Vec<u64> = step.inputs.iter().map(address).collect();
        let written = match step.output {
            Sink::Result => output,
            Sink::Buffer(i) => lane.buffers[i].address(),
            Sink::Single(i) => scratch.singles[i].address(),
        };
        launch::start(stream, &step.kernel, &read, written, marks, instances)
    }
}
