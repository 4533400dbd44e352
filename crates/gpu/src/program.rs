//! Several kernels on a device that pass buffers on to each other.

mod start;
mod transform;

use std::sync::Arc;

use cudarc::driver::CudaStream;
use limbforge_kernels_gen::{Kernel, Program, Sink, Source};

use self::start::After;
use crate::buffer::DeviceBuffer;
use crate::compiler::Compiler;
use crate::device::Device;
use crate::driver::{elapsed_ms, failed};
use crate::error::GpuError;
use crate::module::{Footprint, LoadedKernel};
use crate::timing;

/// Chunks of a program on their way at once.
const LANES: u64 = 2;

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

/// The buffers between the kernels of a program. Two chunks of instances are on their way at once, so that the first
/// blocks of one kernel run beside the last ones of another.
#[derive(Debug)]
pub struct Scratch {
    lanes: Vec<Lane>,
    /// What is the same for all chunks.
    singles: Vec<DeviceBuffer>,
    /// Instances of a chunk that the buffers hold.
    chunk: u64,
    /// A word for each instance, not only of a chunk.
    marks: Option<DeviceBuffer>,
}

/// Bytes of the mark of an instance.
pub(crate) const MARK_BYTES: u64 = 4;

#[derive(Debug)]
struct Lane {
    buffers: Vec<DeviceBuffer>,
    stream: Arc<CudaStream>,
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

    /// The buffers between a program's kernels, and the marks of instances that have no result, for up to `instances`.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`] and [`GpuError::Driver`].
    pub fn scratch(&self, program: &LoadedProgram, instances: u64) -> Result<Scratch, GpuError> {
        let chunk = program.chunk.min(instances).max(1);
        let lanes = if instances > chunk { LANES } else { 1 };
        let lane = |_| {
            let buffers = program.buffers.iter().map(|bytes| self.alloc(bytes.saturating_mul(chunk)));
            let stream = self.context().new_stream().map_err(failed("create a queue"))?;
            Ok(Lane { buffers: buffers.collect::<Result<_, _>>()?, stream })
        };
        let lanes = (0..lanes).map(lane).collect::<Result<_, GpuError>>()?;
        let singles = program.singles.iter().map(|&bytes| self.alloc(bytes)).collect::<Result<_, _>>()?;
        let marks = program.marks.then(|| self.alloc(MARK_BYTES.saturating_mul(instances))).transpose()?;
        Ok(Scratch { lanes, singles, chunk, marks })
    }

    /// The instances that the last run of a program has marked, because they have no result. It was run on `instances`
    /// instances with this scratch.
    ///
    /// # Errors
    /// [`GpuError::Size`] if the scratch is for fewer instances, [`GpuError::Driver`].
    pub fn marked(&self, scratch: &Scratch, instances: u64) -> Result<Vec<u64>, GpuError> {
        let Some(buffer) = &scratch.marks else { return Ok(vec![]) };
        self.check_buffer(buffer, "the marks", MARK_BYTES, instances)?;
        let mut marks = vec![0_u32; usize::try_from(instances).unwrap_or(usize::MAX)];
        buffer.copy_to(&mut marks)?;
        Ok((0..instances).filter(|&i| marks[i as usize] != 0).collect())
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

    /// Errors unless buffers and scratch are this program's and large enough; the operands' addresses.
    fn check_program(
        &self,
        program: &LoadedProgram,
        inputs: &[&DeviceBuffer],
        scratch: &Scratch,
        output: &DeviceBuffer,
        instances: u64,
    ) -> Result<Vec<u64>, GpuError> {
        program.check_inputs(inputs.len())?;
        for (i, (buffer, &bytes)) in inputs.iter().zip(&program.footprint.inputs).enumerate() {
            self.check_buffer(buffer, &format!("input {i}"), bytes, instances)?;
        }
        for lane in &scratch.lanes {
            for (i, &bytes) in program.buffers.iter().enumerate() {
                let what = format!("buffer {i} between kernels");
                let Some(buffer) = lane.buffers.get(i) else {
                    return Err(GpuError::Size { what, expected: bytes, found: 0 });
                };
                self.check_buffer(buffer, &what, bytes, scratch.chunk)?;
            }
        }
        for (i, &bytes) in program.singles.iter().enumerate() {
            let what = format!("buffer {i} of one instance");
            let Some(buffer) = scratch.singles.get(i) else {
                return Err(GpuError::Size { what, expected: bytes, found: 0 });
            };
            self.check_buffer(buffer, &what, bytes, 1)?;
        }
        self.check_buffer(output, "the result's buffer", program.footprint.output, instances)?;
        program.check_marks(scratch, instances)?;
        Ok(inputs.iter().map(|buffer| buffer.address()).collect())
    }
}

impl Scratch {
    pub(crate) const fn marks(&self) -> Option<&DeviceBuffer> {
        self.marks.as_ref()
    }
}

impl LoadedProgram {
    /// Bytes of one instance in each operand and in the result.
    #[must_use]
    pub const fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// Bytes of the buffers between kernels that a run over `instances` instances takes.
    #[must_use]
    pub fn scratch_bytes(&self, instances: u64) -> u64 {
        let sum = |bytes: &[u64]| bytes.iter().fold(0u64, |sum, &bytes| sum.saturating_add(bytes));
        let per_instance = sum(&self.buffers);
        let lanes = if instances > self.chunk { LANES } else { 1 };
        let marks = if self.marks { MARK_BYTES.saturating_mul(instances) } else { 0 };
        let of_chunks = per_instance.saturating_mul(lanes * self.chunk.min(instances));
        of_chunks.saturating_add(marks).saturating_add(sum(&self.singles))
    }

    /// Whether its kernels mark instances that have no result.
    #[must_use]
    pub const fn marks(&self) -> bool {
        self.marks
    }

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

impl Drop for Lane {
    fn drop(&mut self) {
        // Nothing may be freed that a kernel still uses, also after an error. A failure cannot be reported here; the next
        // call on this context reports it.
        self.stream.context().record_err(self.stream.synchronize());
    }
}
