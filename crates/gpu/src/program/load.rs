//! From a program as data to a program on a device.

use limbforge_kernels_gen::{Kernel, Program};

use super::LoadedProgram;
use crate::compiler::Compiler;
use crate::device::Device;
use crate::error::GpuError;
use crate::module::Footprint;

/// Bytes of words of 32 bits.
fn bytes(words: &[u64]) -> Vec<u64> {
    words.iter().map(|words| 4 * words).collect()
}

impl Device {
    /// Compiles and loads a program's kernels, each once however often it is launched and several at a time,
    /// as [`load`](Self::load) does, and uploads its tables. `kernels` are the program's, rendered.
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
    /// Those of [`load`](Self::load) and [`upload`](Self::upload), [`GpuError::Kernels`] if `kernels` are
    /// those of another program, and [`GpuError::Marks`] if a kernel marks instances and has several for one
    /// of the program.
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
        let load = |kernel: &Kernel| {
            // Launches are checked as a whole, by the program's sizes.
            let footprint = Footprint { inputs: vec![0; kernel.inputs.len()], output: 0 };
            self.load(compiler, kernel, &footprint)
        };
        let tables = (0..program.tables.len()).map(|table| self.upload(&program.table_words(table)));
        Ok(LoadedProgram {
            kernels: kernels.iter().map(load).collect::<Result<_, _>>()?,
            launches: program.launches.clone(),
            tables: tables.collect::<Result<_, _>>()?,
            buffers: bytes(&program.buffers),
            uniforms: bytes(&program.uniforms),
            chunk: program.chunk.max(1),
            marks: kernels.iter().any(|kernel| kernel.marks),
            footprint: Footprint { inputs: bytes(&program.input_words), output: 4 * program.result_words },
        })
    }
}

/// Errors unless every launch gives its kernel as many buffers as it has parameters.
fn check_launches(program: &Program, kernels: &[Kernel]) -> Result<(), GpuError> {
    if program.kernels.len() != kernels.len() {
        return Err(GpuError::Kernels { expected: program.kernels.len(), found: kernels.len() });
    }
    for launch in &program.launches {
        let Some(kernel) = kernels.get(launch.kernel) else {
            return Err(GpuError::Kernels { expected: launch.kernel + 1, found: kernels.len() });
        };
        let (entry, expected, found) = (kernel.entry.clone(), kernel.inputs.len(), launch.inputs.len());
        if expected != found {
            return Err(GpuError::Inputs { entry, expected, found });
        }
        if kernel.marks && launch.repeats != 1 {
            return Err(GpuError::Marks { entry });
        }
    }
    Ok(())
}
