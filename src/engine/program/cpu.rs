//! Runs on the CPU.

use limbforge_algos::cpu::program::{Completed, RunError, Runner};
use limbforge_algos::program::{Rows, State, TypedProgram};
use limbforge_limb::Batch;

use super::slices::{Position, Results, Slices};
use crate::engine::EngineError;

pub(super) struct OnCpu(Runner);

impl OnCpu {
    pub(super) fn start(
        program: &TypedProgram,
        inputs: &[Batch<u64>],
        instances: usize,
    ) -> Result<Self, RunError> {
        let mut runner = Runner::new(program, inputs.to_vec(), instances)?;
        runner.start();
        Ok(Self(runner))
    }

    pub(super) fn resume(
        program: &TypedProgram,
        inputs: &[Batch<u64>],
        instances: usize,
        state: &State,
    ) -> Result<Self, RunError> {
        Ok(Self(Runner::from_state(program, inputs.to_vec(), instances, state)?))
    }
}

impl Slices for OnCpu {
    fn position(&self) -> Position {
        let progress = self.0.progress();
        Position { stage: progress.stage, round: progress.round, rounds: progress.rounds }
    }

    fn is_done(&self) -> bool {
        self.0.is_done()
    }

    fn advance(&mut self, rounds: u64) -> Result<(), EngineError> {
        self.0.advance(rounds);
        Ok(self.0.check_lists()?)
    }

    fn take_rows(&mut self, list: usize) -> Option<Rows> {
        self.0.take_rows(list)
    }

    fn state(&mut self) -> Result<State, EngineError> {
        Ok(self.0.state())
    }

    fn finish(self: Box<Self>) -> Result<Results, EngineError> {
        let Completed { results, failures, lists } = self.0.complete()?;
        Ok((results, failures, lists))
    }
}
