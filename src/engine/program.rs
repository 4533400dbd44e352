//! Programs: runs at once, in slices, and from checkpoints.

mod bind;
mod checkpoint;
mod cpu;
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(not(feature = "gpu"))]
#[path = "program/no_gpu.rs"]
mod gpu;
mod limbs;
mod pace;
mod result;
mod session;
mod slices;

use std::path::Path;

use limbforge_algos::program::Program;
use limbforge_limb::{Base, Batch, IntType};

pub use self::bind::InputError;
use self::checkpoint::Checkpoint;
pub use self::checkpoint::CheckpointError;
use self::cpu::OnCpu;
use self::gpu::OnGpu;
use self::limbs::in_limbs;
pub use self::result::{ProgramList, ProgramRun};
pub use self::session::{Progress, Session};
use super::{Engine, EngineError};

impl Engine {
    /// Runs a program over the named batches: its results, a batch for each, and the instances that failed.
    ///
    /// A batch has N instances, or 1, which is used for all: an integer each, or k for an input that is an array
    /// or a tuple of k. Inputs without a type in the text have that of their batch. Programs run on all GPUs
    /// of the engine, which compute equal parts of the instances side by side, or on the CPU; what a GPU refuses
    /// an engine of [`auto`](Engine::auto) runs on the CPU, and says so in [`fallback`](Engine::fallback).
    ///
    /// ```
    /// use limbforge::prelude::*;
    ///
    /// let program = Program::parse("in x, n, k: u64\nvar y = x mod n\nrepeat k { y = sqr(y) }\nout y")?;
    /// let batch = |values: &[u64]| Batch::<u64>::from_u64s("u64".parse().unwrap(), Layout::InstanceMajor, values);
    /// let (x, n, k) = (batch(&[2, 3])?, batch(&[101])?, batch(&[10])?);
    /// let run = Engine::auto().run(&program, &[("x", &x), ("n", &n), ("k", &k)])?;
    /// assert_eq!(run.result("y").map(Batch::to_u64s), Some(Ok(vec![5, 37]))); // x^(2^10) mod 101
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Program`] if the program has no types for the batches, [`EngineError::Input`] if it does
    /// not go with them, [`EngineError::Run`] if a list gets more rows than the program says, and on a GPU `EngineError::Spec` if there is no kernel for the program and
    /// `EngineError::Gpu` if the device fails. An instance that fails is no error: [`ProgramRun::failures`] has
    /// it.
    pub fn run<B: Base>(
        &self,
        program: &Program,
        inputs: &[(&str, &Batch<B>)],
    ) -> Result<ProgramRun<B>, EngineError> {
        self.start(program, inputs)?.finish()
    }

    /// Starts a run that is computed in slices; batches are as in [`run`](Engine::run), and [`Session`] has an
    /// example.
    ///
    /// # Errors
    /// Those of [`run`](Engine::run).
    pub fn start<B: Base>(
        &self,
        program: &Program,
        inputs: &[(&str, &Batch<B>)],
    ) -> Result<Session<B>, EngineError> {
        let ordered = bind::ordered(program, inputs)?;
        let types: Vec<(&str, IntType)> = inputs.iter().map(|(name, batch)| (*name, batch.ty())).collect();
        let program = program.typed(&types)?;
        let instances = bind::instances(&program, &ordered)?;
        let inputs = ordered.into_iter().map(in_limbs).collect::<Result<Vec<_>, _>>()?;
        let slices = self.backend.run(
            &mut (),
            |gpus, ()| OnGpu::start(gpus, &program, &inputs, instances),
            |()| Ok(Box::new(OnCpu::start(&program, &inputs, instances)?)),
        )?;
        Ok(Session::new(program, inputs, instances, slices))
    }

    /// Goes on with a run from the folder that [`Session::checkpoint`] has written, on this device or another
    /// machine; [`Session`] has an example. The folder is left as it is.
    ///
    /// # Errors
    /// [`EngineError::Checkpoint`] if a file is missing or not the one that was written, and those of
    /// [`run`](Engine::run).
    pub fn resume<B: Base>(&self, path: &Path) -> Result<Session<B>, EngineError> {
        let Checkpoint { program, inputs, instances, state } = Checkpoint::read(path)?;
        let slices = self.backend.run(
            &mut (),
            |gpus, ()| OnGpu::resume(gpus, &program, &inputs, instances, &state),
            |()| Ok(Box::new(OnCpu::resume(&program, &inputs, instances, &state)?)),
        )?;
        Ok(Session::new(program, inputs, instances, slices))
    }
}
