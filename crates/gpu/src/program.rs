//! Several kernels on a device that pass buffers on to each other.

use limbforge_kernels_gen::{Kernel, Program, Sink, Source};

use crate::buffer::DeviceBuffer;
use crate::compiler::Compiler;
use crate::device::Device;
use crate::error::GpuError;
use crate::launch;
use crate::module::{Footprint, LoadedKernel};

/// A program whose kernels are compiled, loaded and ready to run on one device. A single kernel is a program too.
#[derive(Debug)]
pub struct LoadedProgram {
    steps: Vec<Step>,
    tables: Vec<DeviceBuffer>,
    /// Bytes of one instance in each buffer between kernels.
    buffers: Vec<u64>,
    footprint: Footprint,
}

#[derive(Debug)]
struct Step {
    kernel: LoadedKernel,
    inputs: Vec<Source>,
    output: Sink,
}

/// The buffers between the kernels of a program, for some number of instances.
#[derive(Debug)]
pub struct Scratch {
    buffers: Vec<DeviceBuffer>,
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
                Source::Table(_) => 0,
            };
            let output = match launch.output {
                Sink::Result => bytes(program.result_words),
                Sink::Buffer(i) => bytes(program.buffers[i]),
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
            footprint: Footprint {
                inputs: program.input_words.iter().copied().map(bytes).collect(),
                output: bytes(program.result_words),
            },
        })
    }

    /// The buffers between a program's kernels, for up to `instances` instances.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`].
    pub fn scratch(&self, program: &LoadedProgram, instances: u64) -> Result<Scratch, GpuError> {
        let buffers = program.buffers.iter().map(|bytes| self.alloc(bytes.saturating_mul(instances)));
        Ok(Scratch { buffers: buffers.collect::<Result<_, _>>()? })
    }

    /// Starts a program's kernels on N instances, as [`run`](Self::run) starts one.
    ///
    /// # Errors
    /// Those of [`run`](Self::run), and [`GpuError::Size`] if the scratch was made for fewer instances.
    pub fn run_program(
        &self,
        program: &LoadedProgram,
        inputs: &[&DeviceBuffer],
        scratch: &Scratch,
        output: &mut DeviceBuffer,
        instances: u64,
    ) -> Result<(), GpuError> {
        program.check_inputs(inputs.len())?;
        for (i, (buffer, &bytes)) in inputs.iter().zip(&program.footprint.inputs).enumerate() {
            self.check_buffer(buffer, &format!("input {i}"), bytes, instances)?;
        }
        for (i, (buffer, &bytes)) in scratch.buffers.iter().zip(&program.buffers).enumerate() {
            self.check_buffer(buffer, &format!("buffer {i} between kernels"), bytes, instances)?;
        }
        self.check_buffer(output, "the result's buffer", program.footprint.output, instances)?;
        let addresses: Vec<u64> = inputs.iter().map(|buffer| buffer.address()).collect();
        program.start(self.queue(), &addresses, scratch, output.address(), instances)
    }
}

impl LoadedProgram {
    /// Bytes of one instance in each operand and in the result.
    #[must_use]
    pub const fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// Bytes of one instance in the buffers between kernels.
    #[must_use]
    pub fn scratch_bytes(&self) -> u64 {
        self.buffers.iter().fold(0, |sum, &bytes| sum.saturating_add(bytes))
    }

    /// The kernels in the order in which they run.
    pub fn kernels(&self) -> impl Iterator<Item = &LoadedKernel> {
        self.steps.iter().map(|step| &step.kernel)
    }

    /// Instances of the largest block.
    pub(crate) fn block_instances(&self) -> u32 {
        self.kernels().map(|kernel| kernel.geometry().instances).max().unwrap_or(1)
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
        match self.kernels().find(|kernel| !kernel.is_on(device)) {
            Some(kernel) => Err(GpuError::OtherDevice { what: format!("kernel {}", kernel.entry()) }),
            None => Ok(()),
        }
    }

    /// Puts the launches into a stream. Buffers must hold `instances` instances, be of the stream's device, and stay until
    /// the stream has run them.
    pub(crate) fn start(
        &self,
        stream: &cudarc::driver::CudaStream,
        inputs: &[u64],
        scratch: &Scratch,
        output: u64,
        instances: u64,
    ) -> Result<(), GpuError> {
        for step in &self.steps {
            let address = |source: &Source| match source {
                Source::Input(i) => inputs[*i],
                Source::Buffer(i) => scratch.buffers[*i].address(),
                Source::Table(i) => self.tables[*i].address(),
            };
            let read: Vec<u64> = step.inputs.iter().map(address).collect();
            let written = match step.output {
                Sink::Result => output,
                Sink::Buffer(i) => scratch.buffers[i].address(),
            };
            launch::start(stream, &step.kernel, &read, written, instances)?;
        }
        Ok(())
    }
}

impl From<LoadedKernel> for LoadedProgram {
    fn from(kernel: LoadedKernel) -> Self {
        let footprint = kernel.footprint().clone();
        let inputs = (0..footprint.inputs.len()).map(Source::Input).collect();
        let steps = vec![Step { kernel, inputs, output: Sink::Result }];
        Self { steps, tables: vec![], buffers: vec![], footprint }
    }
}
