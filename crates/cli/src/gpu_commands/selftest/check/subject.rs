//! The kernels of a case on a GPU.

use limbforge::algos::expr::Dag;
use limbforge_gpu::LoadedProgram;
use limbforge_kernels_gen::{InputSpec, Program};

use crate::error::CliError;
use crate::gpu_commands::selftest::cases::{Evaluation, Spec};
use limbforge_cli::gpu::kernels::Gpu;

/// A case's kernels, ready to run.
pub(super) struct Subject {
    /// What identifies it, for a person.
    pub(super) name: String,
    pub(super) dag: Dag,
    pub(super) inputs: Vec<InputSpec>,
    pub(super) loaded: LoadedProgram,
    /// Instances of the largest block.
    pub(super) block: u32,
}

/// How many instances go through the kernels of a program before the next ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chunks {
    /// Little more than two blocks, so that also small batches are cut.
    Small,
    /// As everywhere else.
    Planned,
}

impl Subject {
    /// Compiles and loads the kernels.
    ///
    /// # Errors
    /// Those of the generator and of the GPU.
    pub(super) fn load(gpu: &Gpu, case: &Evaluation, chunks: Chunks) -> Result<Self, CliError> {
        match case.spec()? {
            Spec::Kernel(spec) => {
                let (name, block) = (spec.to_string(), spec.mapping.instances);
                let loaded = gpu.load(&spec)?;
                Ok(Self { name, dag: spec.dag, inputs: spec.inputs, loaded, block })
            }
            Spec::Program(spec) => {
                let mut program = Program::new(&spec, &gpu.limits)?;
                let kernels = program.render(&gpu.limits)?;
                let block = kernels.iter().map(|kernel| kernel.geometry.instances).max().unwrap_or(1);
                // Chunks of a multiple of four instances begin at multiples of 16 bytes, as kernels want it.
                if chunks == Chunks::Small && program.chunk != u64::MAX {
                    program.chunk = program.chunk.min((2 * u64::from(block) + 1).next_multiple_of(4));
                }
                let loaded = gpu.device.load_program(&gpu.compiler, &program, &kernels)?;
                Ok(Self { name: case.to_string(), dag: spec.dag, inputs: spec.inputs, loaded, block })
            }
        }
    }
}
