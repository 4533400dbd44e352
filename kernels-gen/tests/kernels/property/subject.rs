//! The kernels of an expression, compiled by nvrtc and run by the emulator.

use limbforge_algos::expr::Dag;
use limbforge_emulate::Schedule;
use limbforge_gpu::{Nvrtc, Target};
use limbforge_kernels_gen::{InputSpec, Kernel, Limits, Program, SpecError, Target as CompiledBy};
use limbforge_limb::{Base, IntType, Layout};
use limbforge_reference::sample::is_long;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner};

use crate::harness::{self, Device, random_batches};

/// An expression with its operands.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) dag: Dag,
    pub(crate) ty: IntType,
    pub(crate) inputs: Vec<InputSpec>,
    pub(crate) output: Layout,
}

/// Kernels for the emulator and for a GPU.
pub(crate) struct Subject {
    emulated: harness::Subject,
    /// The same for nvrtc.
    cuda: Vec<Kernel>,
}

impl Subject {
    /// The kernels that `make` has for a compiler.
    pub(crate) fn new(
        expression: Expression,
        make: impl Fn(CompiledBy) -> Result<Program, SpecError>,
    ) -> Result<Self, SpecError> {
        let cuda = make(CompiledBy::Cuda)?.render(&Limits::SM_90)?;
        let device = Device::new(make(CompiledBy::Emulator)?)?;
        let Expression { dag, ty, inputs, output } = expression;
        Ok(Self { emulated: harness::Subject { dag, ty, inputs, output, device }, cuda })
    }

    /// How many launches there are.
    pub(crate) fn launches(&self) -> usize {
        self.cuda.len()
    }

    /// Each kernel by nvrtc.
    pub(crate) fn compile(&self, nvrtc: &Nvrtc) -> TestCaseResult {
        let arch = "sm_90".parse().unwrap();
        // Machine code, which takes as long again, is made of PTX by what compiled the shipped kernels.
        let target = if is_long() { Target::Cubin(arch) } else { Target::Ptx(arch) };
        for kernel in &self.cuda {
            nvrtc
                .compile(&kernel.source, target, &[])
                .map_err(|error| TestCaseError::fail(format!("{}: {error}", kernel.entry)))?;
        }
        Ok(())
    }

    /// Runs the kernels on less than a block, and on blocks of which the last is not full.
    pub(crate) fn check<B: Base>(&self, seed: [u8; 32], more: usize) {
        let mut runner =
            TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
        let block = self.emulated.device.block();
        let several = [block.div_ceil(2), 2 * block + block / 2 + 1 + more];
        for (n, schedules) in several.into_iter().zip([&Schedule::SAMPLE[..], &Schedule::SAMPLE[1..3]]) {
            let batches = random_batches::<B>(&mut runner, &self.emulated.inputs, self.emulated.ty, n);
            harness::check(&self.emulated, &batches, n, schedules);
        }
    }
}
