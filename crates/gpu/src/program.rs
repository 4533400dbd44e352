//! A program on a device: launches that pass buffers on to each other.

mod check;
mod load;
mod scratch;
mod start;

use cudarc::driver::CudaStream;
use limbforge_kernels_gen::{Launch, Sink, Source};

use self::scratch::Lane;
pub(crate) use self::scratch::MARK_BYTES;
pub use self::scratch::Scratch;
use self::start::After;
use crate::buffer::DeviceBuffer;
use crate::device::Device;
use crate::driver::{elapsed_ms, failed};
use crate::error::GpuError;
use crate::module::{Footprint, LoadedKernel};
use crate::timing;

/// A program whose kernels are compiled, loaded and ready to run on one device. A single kernel is a program
/// too.
#[derive(Debug)]
pub struct LoadedProgram {
    kernels: Vec<LoadedKernel>,
    launches: Vec<Launch>,
    tables: Vec<DeviceBuffer>,
    /// Bytes of one instance in each buffer between launches.
    buffers: Vec<u64>,
    /// Bytes of each uniform buffer.
    uniforms: Vec<u64>,
    /// Instances that go through all launches before the next ones.
    chunk: u64,
    /// Whether kernels mark instances that have no result.
    marks: bool,
    footprint: Footprint,
}

impl Device {
    /// Starts a program's launches on N instances, as [`run`](Self::run) starts a kernel. After an error some
    /// may have been started.
    ///
    /// # Errors
    /// Those of [`run`](Self::run), and [`GpuError::Size`] if the scratch is for fewer instances or another
    /// program.
    pub fn run_program(
        &self,
        program: &LoadedProgram,
        inputs: &[&DeviceBuffer],
        scratch: &Scratch,
        output: &mut DeviceBuffer,
        instances: u64,
    ) -> Result<(), GpuError> {
        let addresses = self.check_program(program, inputs, scratch, output, instances)?;
        let buffers = (&*addresses, output.address());
        let after: &mut After<'_> = &mut |_, _| Ok(());
        program.start_uniform(self.queue(), scratch, &addresses, instances, after)?;
        if let [lane] = &*scratch.lanes {
            return program.start(&[self.queue()], &[lane], scratch, buffers, instances, after);
        }
        let streams: Vec<&CudaStream> = scratch.lanes.iter().map(|lane| &*lane.stream).collect();
        let lanes: Vec<&Lane> = scratch.lanes.iter().collect();
        for stream in &streams {
            stream.join(self.queue()).map_err(failed("order the queues"))?;
        }
        let started = program.start(&streams, &lanes, scratch, buffers, instances, after);
        for stream in &streams {
            self.queue().join(stream).map_err(failed("order the queues"))?;
        }
        started
    }

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
        let addresses = self.check_program(program, inputs, scratch, output, instances)?;
        let buffers = (&*addresses, output.address());
        let mut events = vec![];
        let after: &mut After<'_> = &mut |stream, launch| {
            events.push((timing::event(stream)?, launch));
            Ok(())
        };
        program.start_uniform(self.queue(), scratch, &addresses, instances, after)?;
        program.start(&[self.queue()], &[&scratch.lanes[0]], scratch, buffers, instances, after)?;
        let mut sums = vec![0.0; program.launches.len()];
        for pair in events.windows(2) {
            if let Some(launch) = pair[1].1 {
                sums[launch] += f64::from(elapsed_ms(&pair[0].0, &pair[1].0)?);
            }
        }
        Ok(sums)
    }
}

impl LoadedProgram {
    /// Bytes of one instance in each operand and in the result.
    #[must_use]
    pub const fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// Whether its kernels mark instances that have no result.
    #[must_use]
    pub const fn marks(&self) -> bool {
        self.marks
    }

    /// The kernels of the launches, in the order in which they run.
    pub fn kernels(&self) -> impl Iterator<Item = &LoadedKernel> {
        self.launches.iter().map(|launch| &self.kernels[launch.kernel])
    }

    /// Instances that fill the device in every kernel: the most that one of them has on it at once.
    #[must_use]
    pub fn resident_instances(&self) -> u64 {
        self.kernels.iter().map(LoadedKernel::resident_instances).max().unwrap_or(1)
    }

    /// Instances of the largest block.
    pub(crate) fn block_instances(&self) -> u32 {
        self.kernels.iter().map(|kernel| kernel.geometry().instances).max().unwrap_or(1)
    }
}

impl From<LoadedKernel> for LoadedProgram {
    fn from(kernel: LoadedKernel) -> Self {
        let (footprint, marks) = (kernel.footprint().clone(), kernel.marks());
        let inputs = (0..footprint.inputs.len()).map(Source::Input).collect();
        let launches = vec![Launch { kernel: 0, inputs, output: Sink::Result, repeats: 1 }];
        let (tables, buffers, uniforms) = (vec![], vec![], vec![]);
        Self { kernels: vec![kernel], launches, tables, buffers, uniforms, chunk: u64::MAX, marks, footprint }
    }
}
