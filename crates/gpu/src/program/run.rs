//! Launches of a program: the uniform ones, then chunk after chunk.

use cudarc::driver::CudaStream;
use limbforge_kernels_gen::{Launch, Sink, Source};

use super::{LoadedProgram, MARK_BYTES, Scratch};
use crate::buffer::DeviceBuffer;
use crate::device::Device;
use crate::driver::failed;
use crate::error::GpuError;
use crate::launch;

/// A function that is called with None before launches start in a stream, and after each with its number.
pub(super) type After<'a> = dyn FnMut(&CudaStream, Option<usize>) -> Result<(), GpuError> + 'a;

impl Device {
    /// Starts a program's launches on N instances, after everything that was started before, and returns at
    /// once. Wait with [`synchronize`](Self::synchronize) or by copying the result. 0 instances are nothing
    /// to do. After an error some launches may have been started.
    ///
    /// # Errors
    /// [`GpuError::Inputs`], [`GpuError::Size`] if a buffer holds fewer than N instances or the scratch is for
    /// fewer or another program, [`GpuError::Grid`], [`GpuError::OtherDevice`] and [`GpuError::Driver`].
    pub fn run_program(
        &self,
        program: &LoadedProgram,
        inputs: &[&DeviceBuffer],
        scratch: &Scratch,
        output: &mut DeviceBuffer,
        instances: u64,
    ) -> Result<(), GpuError> {
        self.run_program_to(program, inputs, scratch, &mut [output], instances)
    }

    /// The same for a program of several results, with a buffer for each.
    ///
    /// # Errors
    /// Those of [`run_program`](Self::run_program), and [`GpuError::Outputs`] for another number of buffers
    /// than of results.
    pub fn run_program_to(
        &self,
        program: &LoadedProgram,
        inputs: &[&DeviceBuffer],
        scratch: &Scratch,
        outputs: &mut [&mut DeviceBuffer],
        instances: u64,
    ) -> Result<(), GpuError> {
        let addresses = self.check_program(program, inputs, scratch, outputs, instances)?;
        let written: Vec<u64> = outputs.iter().map(|output| output.address()).collect();
        let buffers = (&*addresses, &*written);
        let after: &mut After<'_> = &mut |_, _| Ok(());
        program.start_uniform(self.queue(), scratch, &addresses, instances, after)?;
        if let [lane] = &*scratch.lanes {
            return program.start(&[(self.queue(), lane)], scratch, buffers, instances, after);
        }
        let lanes: Vec<(&CudaStream, &[DeviceBuffer])> =
            self.lanes().iter().zip(&scratch.lanes).map(|(stream, lane)| (&**stream, &**lane)).collect();
        for (stream, _) in &lanes {
            stream.join(self.queue()).map_err(failed("order the queues"))?;
        }
        let started = program.start(&lanes, scratch, buffers, instances, after);
        for (stream, _) in &lanes {
            self.queue().join(stream).map_err(failed("order the queues"))?;
        }
        started
    }
}

impl LoadedProgram {
    /// Puts all launches into one stream, the uniform ones if asked for. Buffers must hold `instances`
    /// instances, be of the stream's device, and stay until the stream has run them.
    pub(crate) fn start_in(
        &self,
        stream: &CudaStream,
        inputs: &[u64],
        scratch: &Scratch,
        outputs: &[u64],
        instances: u64,
        uniform: bool,
    ) -> Result<(), GpuError> {
        let after: &mut After<'_> = &mut |_, _| Ok(());
        if uniform {
            self.start_uniform(stream, scratch, inputs, instances, after)?;
        }
        self.start(&[(stream, &scratch.lanes[0])], scratch, (inputs, outputs), instances, after)
    }

    /// The launches that run once for all instances, unless there are none. They never fail: kernels with a
    /// division have a parameter for marks, as the seed of an inverse has, but mark nothing; each chunk
    /// clears its own before it starts.
    pub(super) fn start_uniform(
        &self,
        stream: &CudaStream,
        scratch: &Scratch,
        inputs: &[u64],
        instances: u64,
        after: &mut After<'_>,
    ) -> Result<(), GpuError> {
        if instances == 0 || self.uniforms.is_empty() {
            return Ok(());
        }
        let marks = scratch.marks.as_ref().map(DeviceBuffer::address);
        let place =
            ChunkMemory { scratch, lane: &scratch.lanes[0], inputs, outputs: &[], marks, instances: 1 };
        self.start_launches(stream, &place, true, after)
    }

    /// Chunk after chunk, each through all launches but the uniform ones, in the streams by turns. The
    /// buffers are those of the operands and of the results.
    pub(super) fn start(
        &self,
        lanes: &[(&CudaStream, &[DeviceBuffer])],
        scratch: &Scratch,
        (inputs, outputs): (&[u64], &[u64]),
        instances: u64,
        after: &mut After<'_>,
    ) -> Result<(), GpuError> {
        let (mut first, mut turn) = (0, 0);
        while first < instances {
            let count = scratch.chunk.min(instances - first);
            let moved = |addresses: &[u64], bytes: &[u64]| -> Vec<u64> {
                addresses.iter().zip(bytes).map(|(address, bytes)| address + first * bytes).collect()
            };
            let inputs = &moved(inputs, &self.footprint.inputs);
            let outputs = &moved(outputs, &self.footprint.outputs);
            let (stream, lane) = lanes[turn];
            let marks = scratch.marks.as_ref();
            let marks = marks.map(|buffer| match scratch.keeps_marks {
                true => Ok(buffer.address() + MARK_BYTES * first),
                false => buffer.clear(stream, MARK_BYTES * first, MARK_BYTES * count),
            });
            let marks = marks.transpose()?;
            let place = ChunkMemory { scratch, lane, inputs, outputs, marks, instances: count };
            self.start_launches(stream, &place, false, after)?;
            first += count;
            turn = (turn + 1) % lanes.len();
        }
        Ok(())
    }

    /// The uniform launches, or all others.
    fn start_launches(
        &self,
        stream: &CudaStream,
        place: &ChunkMemory<'_>,
        uniform: bool,
        after: &mut After<'_>,
    ) -> Result<(), GpuError> {
        after(stream, None)?;
        let launches = self.launches.iter().enumerate();
        for (i, launch) in launches.filter(|(_, launch)| launch.is_uniform() == uniform) {
            self.start_launch(stream, launch, place)?;
            after(stream, Some(i))?;
        }
        Ok(())
    }

    fn start_launch(
        &self,
        stream: &CudaStream,
        launch: &Launch,
        place: &ChunkMemory<'_>,
    ) -> Result<(), GpuError> {
        let ChunkMemory { scratch, lane, instances, .. } = *place;
        let address = |source: &Source| match source {
            Source::Input(i) => place.inputs[*i],
            Source::Buffer(i) => lane[*i].address(),
            Source::Plane { buffer, first, .. } => lane[*buffer].address() + 4 * first * instances,
            Source::Uniform { buffer, first, .. } => scratch.uniforms[*buffer].address() + 4 * first,
            Source::Table(i) => self.tables[*i].address(),
        };
        let read: Vec<u64> = launch.inputs.iter().map(address).collect();
        let place_of = |output: &Sink| match *output {
            Sink::Result(i) => place.outputs[i],
            Sink::Buffer(i) => lane[i].address(),
            Sink::Uniform(i) => scratch.uniforms[i].address(),
        };
        let written: Vec<u64> = launch.outputs.iter().map(place_of).collect();
        let count = instances.saturating_mul(launch.repeats.into());
        launch::start(stream, &self.kernels[launch.kernel], &read, &written, place.marks, (count, count))
    }
}

/// The memory of a chunk, or of the one instance of uniform launches.
struct ChunkMemory<'a> {
    scratch: &'a Scratch,
    lane: &'a [DeviceBuffer],
    inputs: &'a [u64],
    outputs: &'a [u64],
    marks: Option<u64>,
    instances: u64,
}
