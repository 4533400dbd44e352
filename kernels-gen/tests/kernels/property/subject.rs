//! The kernels of an expression, compiled by nvrtc and run by the emulator.

use std::collections::BTreeSet;

use limbforge_algos::expr::Dag;
use limbforge_emulate::{Emulated, Schedule};
use limbforge_gpu::Target;
use limbforge_kernels_gen::{
    InputSpec, Kernel, Launch, Limits, Program, Sink, SpecError, Target as CompiledBy,
};
use limbforge_limb::{Base, Batch, IntType, Layout};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner};

use super::Toolchain;
use super::expected::{batches, results};
use crate::common::launch;

/// An expression with its operands.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) dag: Dag,
    pub(crate) ty: IntType,
    pub(crate) inputs: Vec<InputSpec>,
    pub(crate) output: Layout,
}

/// Kernels that run one after the other, for the emulator and for a GPU.
pub(crate) struct Subject {
    expression: Expression,
    program: Program,
    kernels: Vec<Kernel>,
    /// The same for nvrtc.
    cuda: Vec<Kernel>,
}

/// What a run leaves on the device.
struct Memory {
    tables: Vec<Vec<u32>>,
    buffers: Vec<Vec<u32>>,
    singles: Vec<Vec<u32>>,
    result: Vec<u32>,
    marked: BTreeSet<usize>,
}

impl Subject {
    /// The kernels that `make` has for a compiler.
    pub(crate) fn new(
        expression: Expression,
        make: impl Fn(CompiledBy) -> Result<Program, SpecError>,
    ) -> Result<Self, SpecError> {
        let program = make(CompiledBy::Emulator)?;
        let kernels = program.render(&Limits::SM_90)?;
        let cuda = make(CompiledBy::Cuda)?.render(&Limits::SM_90)?;
        Ok(Self { expression, program, kernels, cuda })
    }

    /// How many launches there are.
    pub(crate) fn launches(&self) -> usize {
        self.program.launches.len()
    }

    /// Each kernel by nvrtc.
    pub(crate) fn compile(&self, toolchain: &Toolchain) -> TestCaseResult {
        let nvrtc = &toolchain.nvrtc;
        let target = Target::Cubin("sm_90".parse().unwrap());
        for (kernel, launch) in self.cuda.iter().zip(&self.program.launches) {
            nvrtc
                .compile(&kernel.source, target, &[])
                .map_err(|error| TestCaseError::fail(format!("{}: {error}", launch.kernel)))?;
        }
        Ok(())
    }

    /// Runs the kernels on less than a block, and on blocks of which the last is not full.
    pub(crate) fn check<B: Base>(
        &self,
        toolchain: &Toolchain,
        seed: [u8; 32],
        more: usize,
    ) -> TestCaseResult {
        let built = |kernel: &Kernel| {
            Emulated::build(&toolchain.emulator, kernel)
                .map_err(|error| TestCaseError::fail(format!("{:?}: {error}", self.expression)))
        };
        let emulated = self.kernels.iter().map(built).collect::<Result<Vec<_>, _>>()?;
        let mut runner =
            TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
        let block = self.kernels.iter().map(|kernel| kernel.geometry.instances as usize).max().unwrap_or(1);
        let several = [block.div_ceil(2), 2 * block + block / 2 + 1 + more];
        for (n, schedules) in several.into_iter().zip([&Schedule::SAMPLE[..], &Schedule::SAMPLE[1..3]]) {
            self.check_instances::<B>(&emulated, &mut runner, n, schedules)?;
        }
        Ok(())
    }

    fn check_instances<B: Base>(
        &self,
        emulated: &[Emulated],
        runner: &mut TestRunner,
        n: usize,
        schedules: &[Schedule],
    ) -> TestCaseResult {
        let Expression { dag, ty, inputs, output } = &self.expression;
        let batches = batches::<B>(runner, inputs, *ty, n);
        let expected = results(dag, inputs, *ty, &batches, n)?;
        let words = |batch: &Batch<B>| bytemuck::cast_slice::<B, u32>(batch.limbs()).to_vec();
        let operands: Vec<Vec<u32>> = batches.iter().map(words).collect();
        for schedule in schedules {
            let memory = self.run(emulated, &operands, n, *schedule)?;
            let about = |i: usize| format!("{:?}: instance {i} of {n}, {schedule:?}", self.expression);
            let result = dag.result_type(*ty).unwrap();
            let mut found = Batch::<B>::zeros(result, *output, n).unwrap();
            bytemuck::cast_slice_mut::<B, u32>(found.limbs_mut()).copy_from_slice(&memory.result);
            let found = found.to_biguints();
            for (i, expected) in expected.iter().enumerate() {
                prop_assert_eq!(memory.marked.contains(&i), expected.is_none(), "{}: fails", about(i));
                let Some(expected) = expected else { continue };
                prop_assert_eq!(&found[i], expected, "{}", about(i));
            }
        }
        Ok(())
    }

    /// As a GPU runs it: launches of one instance first.
    fn run(
        &self,
        emulated: &[Emulated],
        operands: &[Vec<u32>],
        instances: usize,
        schedule: Schedule,
    ) -> Result<Memory, TestCaseError> {
        let program = &self.program;
        let mut memory = Memory {
            tables: (0..program.tables.len()).map(|table| program.table_words(table)).collect(),
            buffers: vec![vec![]; program.buffers.len()],
            singles: vec![vec![]; program.singles.len()],
            result: vec![],
            marked: BTreeSet::new(),
        };
        for single in [true, false] {
            let launches = program.launches.iter().zip(emulated);
            for (launch, kernel) in launches.filter(|(launch, _)| launch.is_single() == single) {
                let instances = if single { 1 } else { instances };
                memory
                    .launch(program, launch, kernel, operands, instances, schedule)
                    .map_err(|error| TestCaseError::fail(format!("{}: {error}", launch.kernel)))?;
            }
        }
        Ok(memory)
    }
}

impl Memory {
    fn launch(
        &mut self,
        program: &Program,
        launch: &Launch,
        kernel: &Emulated,
        operands: &[Vec<u32>],
        instances: usize,
        schedule: Schedule,
    ) -> Result<(), limbforge_emulate::EmulateError> {
        let buffers = [&*self.buffers, &*self.singles, &*self.tables];
        let read = launch::read(launch, instances, |i| &operands[i], buffers);
        let bytes = launch::bytes_written(program, launch, instances);
        let (out, marks) = kernel.run_marked(&read, bytes, instances as u64, schedule)?;
        self.marked.extend(marks.iter().enumerate().filter(|(_, mark)| **mark != 0).map(|(i, _)| i));
        let out = out.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        match launch.output {
            Sink::Result => self.result = out,
            Sink::Buffer(i) => self.buffers[i] = out,
            Sink::Single(i) => self.singles[i] = out,
        }
        Ok(())
    }
}
