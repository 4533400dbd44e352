//! A program on a device: launches that pass buffers on to each other.

mod check;
mod run;
mod scratch;
mod time;

use limbforge_kernels_gen::{Kernel, KernelSpec, Launch, Program, Sink, Source};

pub(crate) use self::scratch::MARK_BYTES;
pub use self::scratch::Scratch;
use crate::buffer::DeviceBuffer;
use crate::compiler::Compiler;
use crate::device::Device;
use crate::error::GpuError;
use crate::kernel::LoadedKernel;

/// Bytes of one instance in each operand and in each result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// Bytes of each operand, in the order of the kernel's parameters.
    pub inputs: Vec<u64>,
    /// Bytes of each result.
    pub outputs: Vec<u64>,
}

impl Footprint {
    /// The footprint of a specification's kernel. An operand that is one integer for all instances does not
    /// grow with their number and counts 0.
    #[must_use]
    pub fn of(spec: &KernelSpec) -> Self {
        let instance = 4 * u64::from(spec.words());
        let inputs = spec.inputs.iter().map(|input| if input.broadcast { 0 } else { instance }).collect();
        Self { inputs, outputs: vec![4 * u64::from(spec.result_words()); spec.dag.roots().len()] }
    }
}

/// A program whose kernels are compiled, loaded and ready to run on one device.
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
    /// Instances of a group, of which buffers have whole ones.
    group: u64,
    /// True if kernels mark instances that have no result.
    marks: bool,
    footprint: Footprint,
}

impl Device {
    /// Compiles a program's kernels for this device, several at a time and each once however often it is
    /// launched, loads them, and uploads the program's tables. `kernels` are the program's, rendered. They
    /// must be as [`Kernel`] says and read and write no more than the program's sizes: this cannot be
    /// checked.
    ///
    /// Machine code is tried first. PTX is the fallback, for an nvrtc older than the device and for a driver
    /// that does not take the machine code.
    ///
    /// ```no_run
    /// use limbforge_gpu::{Compiler, Device};
    /// # fn example(program: &limbforge_kernels_gen::Program) -> Result<(), Box<dyn std::error::Error>> {
    /// let (device, compiler) = (Device::open(0)?, Compiler::from_environment()?);
    /// let kernels = program.render(&device.info().limits())?;
    /// let loaded = device.load_program(&compiler, program, &kernels)?;
    /// let allowance = device.memory()?.free / 2;
    /// let (a, mut result) = (vec![1; 64 * 1000], vec![0; 64 * 1000]); // 1000 instances of 64 bytes
    /// device.stream_slices(&loaded, &[&a], &mut result, 1000, allowance)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`GpuError::Nvrtc`] if a kernel does not compile, [`GpuError::Refused`] if the driver does not take
    /// what was compiled, [`GpuError::Entry`] if there is no such entry point, [`GpuError::SharedMemory`] and
    /// [`GpuError::Threads`] if this device lacks the required resources, [`GpuError::Kernels`] and
    /// [`GpuError::Inputs`] and [`GpuError::Outputs`] if `kernels` are those of another program, [`GpuError::Marks`] if a kernel marks
    /// instances and has several for one of the program, and [`GpuError::OutOfMemory`].
    pub fn load_program(
        &self,
        compiler: &Compiler,
        program: &Program,
        kernels: &[Kernel],
    ) -> Result<LoadedProgram, GpuError> {
        check_launches(program, kernels)?;
        if kernels.len() > 1 {
            self.compile_ahead(compiler, kernels);
        }
        let bytes = |words: &[u64]| words.iter().map(|words| 4 * words).collect();
        let tables = (0..program.tables.len()).map(|table| self.upload(&program.table_words(table)));
        Ok(LoadedProgram {
            kernels: kernels.iter().map(|kernel| self.kernel(compiler, kernel)).collect::<Result<_, _>>()?,
            launches: program.launches.clone(),
            tables: tables.collect::<Result<_, _>>()?,
            buffers: bytes(&program.buffers),
            uniforms: bytes(&program.uniforms),
            chunk: program.chunk.max(1),
            group: program.group.max(1),
            marks: kernels.iter().any(|kernel| kernel.marks),
            footprint: Footprint {
                inputs: bytes(&program.input_words),
                outputs: bytes(&program.result_words),
            },
        })
    }

    /// A program of one launch of one kernel, compiled and loaded as [`load_program`](Self::load_program)
    /// does.
    ///
    /// # Errors
    /// Those of [`load_program`](Self::load_program); [`GpuError::Inputs`] and [`GpuError::Outputs`] if
    /// `footprint` has another number of operands or results than the kernel.
    pub fn load_kernel(
        &self,
        compiler: &Compiler,
        kernel: &Kernel,
        footprint: Footprint,
    ) -> Result<LoadedProgram, GpuError> {
        let inputs = (0..footprint.inputs.len()).map(Source::Input).collect();
        let outputs = (0..footprint.outputs.len()).map(Sink::Result).collect();
        let launch = Launch { kernel: 0, inputs, outputs, repeats: 1 };
        check_launch(&launch, kernel)?;
        let (kernels, launches, marks) = (vec![self.kernel(compiler, kernel)?], vec![launch], kernel.marks);
        let (tables, buffers, uniforms) = (vec![], vec![], vec![]);
        Ok(LoadedProgram {
            kernels,
            launches,
            tables,
            buffers,
            uniforms,
            chunk: u64::MAX,
            group: 1,
            marks,
            footprint,
        })
    }
}

/// Errors unless every launch fits its kernel.
fn check_launches(program: &Program, kernels: &[Kernel]) -> Result<(), GpuError> {
    if program.kernels.len() != kernels.len() {
        return Err(GpuError::Kernels { expected: program.kernels.len(), found: kernels.len() });
    }
    program.launches.iter().try_for_each(|launch| match kernels.get(launch.kernel) {
        Some(kernel) => check_launch(launch, kernel),
        None => Err(GpuError::Kernels { expected: launch.kernel + 1, found: kernels.len() }),
    })
}

/// Errors unless a launch has as many inputs and outputs as its kernel, and one instance for each mark.
fn check_launch(launch: &Launch, kernel: &Kernel) -> Result<(), GpuError> {
    let (entry, expected, found) = (kernel.entry.clone(), kernel.inputs.len(), launch.inputs.len());
    if expected != found {
        return Err(GpuError::Inputs { entry, expected, found });
    }
    let (expected, found) = (kernel.outputs, launch.outputs.len());
    if expected != found {
        return Err(GpuError::Outputs { entry, expected, found });
    }
    if kernel.marks && launch.repeats != 1 {
        return Err(GpuError::Marks { entry });
    }
    Ok(())
}

impl LoadedProgram {
    /// Bytes of one instance in each operand and in each result.
    #[must_use]
    pub const fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// True if its kernels mark instances that have no result.
    #[must_use]
    pub const fn marks(&self) -> bool {
        self.marks
    }

    /// The kernels of the launches, in the order in which they run.
    pub fn kernels(&self) -> impl Iterator<Item = &LoadedKernel> {
        self.launches.iter().map(|launch| &self.kernels[launch.kernel])
    }

    /// Instances that fill the device in every kernel: the most that one of them has on it at once, in whole waves of the
    /// kernel with the largest blocks, which takes as long for a part of a wave.
    #[must_use]
    pub fn resident_instances(&self) -> u64 {
        let most = self.kernels.iter().map(LoadedKernel::resident_instances).max().unwrap_or(1);
        let largest = self.kernels.iter().max_by_key(|kernel| kernel.geometry().instances);
        most.next_multiple_of(largest.map_or(1, LoadedKernel::resident_instances).max(1))
    }

    /// Instances of the largest block.
    pub(crate) fn block_instances(&self) -> u32 {
        self.kernels.iter().map(|kernel| kernel.geometry().instances).max().unwrap_or(1)
    }
}
