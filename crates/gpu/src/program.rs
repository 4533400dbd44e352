//! Several kernels on a device that pass buffers on to each other.

mod check;
mod scratch;
mod start;
mod transform;

use cudarc::driver::CudaStream;
use limbforge_kernels_gen::{Kernel, Program, Sink, Source};

use self::scratch::Lane;
pub(crate) use self::scratch::MARK_BYTES;
pub use self::scratch::Scratch;
use self::start::After;
use crate::buffer::DeviceBuffer;
use crate::compiler::Compiler;
use crate::device::Device;
use crate::driver::{elapsed_ms, failed};
use crate::error::GpuError;
use crate::module::{Footprint, LoadedKernel};
use crate::timing;

/// A program whose kernels are compiled, loaded and ready to run on one device. A single kernel is a program too.
#[derive(Debug)]
pub struct LoadedProgram {
    steps: Vec<Step>,
    tables: Vec<DeviceBuffer>,
    /// Bytes of one instance in each buffer between kernels.
    buffers: Vec<u64>,
    /// Bytes of each buffer of one instance.
    singles: Vec<u64>,
    /// Instances that go through all kernels before the next ones.
    chunk: u64,
    /// Whether kernels mark instances that have no result.
    marks: bool,
    footprint: Footprint,
}

#[derive(Debug)]
struct Step {
    kernel: LoadedKernel,
    inputs: Vec<Source>,
    output: Sink,
}

impl Step {
    /// Whether it runs once, before the first chunk.
    const fn is_single(&self) -> bool {
        self.output.is_single()
    }
}

impl Device {
    /// Compiles and loads a program's kernels, as [`load`](Self::load) does, and uploads its tables. `kernels` are its
    /// launches' rendered kernels, in order.
    ///
    /// # Errors
    /// Those of [`load`](Self::load) and [`upload`](Self::upload).
    pub fn load_program(
        &self,
        compiler: &Compiler,
        program: &Program,
        kernels: &[Kernel],
    ) -> Result<LoadedProgram, GpuError> {
        let bytes = |words: u64| 4 * words;
        let mut steps = vec![];
        for (launch, kernel) in program.launches.iter().zip(kernels) {
            let input = |source: &Source| match source {
                Source::Input(i) => bytes(program.input_words[*i]),
                Source::Buffer(i) => bytes(program.buffers[*i]),
                Source::Plane { words, .. } => bytes(*words),
                Source::Table(_) | Source::Single { .. } => 0,
            };
            let output = match launch.output {
                Sink::Result => bytes(program.result_words),
                Sink::Buffer(i) => bytes(program.buffers[i]),
                Sink::Single(i) => bytes(program.singles[i]),
            };
            let footprint = Footprint { inputs: launch.inputs.iter().map(input).collect(), output };
            let kernel = self.load(compiler, kernel, &footprint)?;
            steps.push(Step { kernel, inputs: launch.inputs.clone(), output: launch.output });
        }
        let tables = (0..program.tables.len()).map(|table| self.upload(&program.table_words(table)));
        Ok(LoadedProgram {
            steps,
            tables: tables.collect::<Result<_, _>>()?,
            buffers: program.buffers.iter().copied().map(bytes).collect(),
            singles: program.singles.iter().copied().map(bytes).collect(),
            chunk: program.chunk,
            marks: kernels.iter().any(|kernel| kernel.marks),
            footprint: Footprint {
                inputs: program.input_words.iter().copied().map(bytes).collect(),
                output: bytes(program.result_words),
            },
        })
    }

    /// Starts a program's kernels on N instances, as [`run`](Self::run) starts one.
    ///
    /// # Errors
    /// Those of [`run`](Self::run), and [`GpuError::Size`] if the scratch was made for another program.
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
        program.start_singles(self.queue(), scratch, &addresses, instances, after)?;
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

    /// Runs a program once, one kernel after the other, and waits: the milliseconds between the begin and the end of each kernel, summed
    /// over the chunks; of those that run once only that. [`run_program`](Self::run_program) takes less than all of them, as there chunks run beside each other.
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
        let after: &mut After<'_> = &mut |stream, step| {
            events.push((timing::event(stream)?, step));
            Ok(())
        };
        program.start_singles(self.queue(), scratch, &addresses, instances, after)?;
        program.start(&[self.queue()], &[&scratch.lanes[0]], scratch, buffers, instances, after)?;
        let mut sums = vec![0.0; program.steps.len()];
        for pair in events.windows(2) {
            if let Some(step) = pair[1].1 {
                sums[step] += f64::from(elapsed_ms(&pair[0].0, &pair[1].0)?);
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

    /// The kernels in the order in which they run.
    pub fn kernels(&self) -> impl Iterator<Item = &LoadedKernel> {
        self.steps.iter().map(|step| &step.kernel)
    }

    /// Instances that fill the device in every kernel: the most that one of them has on it at once.
    #[must_use]
    pub fn resident_instances(&self) -> u64 {
        self.kernels().map(LoadedKernel::resident_instances).max().unwrap_or(1)
    }

    /// Instances of the largest block.
    pub(crate) fn block_instances(&self) -> u32 {
        self.kernels().map(|kernel| kernel.geometry().instances).max().unwrap_or(1)
    }
}

impl From<LoadedKernel> for LoadedProgram {
    fn from(kernel: LoadedKernel) -> Self {
        let footprint = kernel.footprint().clone();
        let inputs = (0..footprint.inputs.len()).map(Source::Input).collect();
        let marks = kernel.marks();
        let steps = vec![Step { kernel, inputs, output: Sink::Result }];
        let (buffers, singles) = (vec![], vec![]);
        Self { steps, tables: vec![], buffers, singles, chunk: u64::MAX, marks, footprint }
    }
}
