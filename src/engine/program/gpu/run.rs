//! What all GPUs of a run have in common, and how they are asked.

use limbforge_algos::cpu::program::{RunError, check_inputs};
use limbforge_algos::program::{Rows, Stage, TypedProgram, stages};
use limbforge_limb::Batch;

use super::OnGpu;
use super::loops::StageLoop;
use super::member::Member;
use crate::engine::EngineError;
use crate::engine::gpu::all_at_once;

/// A program and its inputs.
pub(super) struct Run {
    pub(super) program: TypedProgram,
    pub(super) stages: Vec<Stage>,
    pub(super) inputs: Vec<Batch<u64>>,
    /// The inputs with one instance, which is used for all.
    pub(super) one_for_all: Vec<bool>,
    pub(super) instances: usize,
    /// For each stage its loop, if residue number systems may compute it; or nothing.
    pub(super) loops: Vec<Option<StageLoop>>,
}

impl Run {
    pub(super) fn new(
        program: &TypedProgram,
        inputs: &[Batch<u64>],
        instances: usize,
    ) -> Result<Self, RunError> {
        let one_for_all = check_inputs(program, inputs, instances)?;
        let (stages, program, inputs) = (stages(program), program.clone(), inputs.to_vec());
        Ok(Self { program, stages, inputs, one_for_all, instances, loops: vec![] })
    }
}

/// What a GPU is told when it is asked for launches.
pub(super) struct Context<'r> {
    pub(super) run: &'r Run,
    /// The most rounds that an instance makes in the loop of this stage.
    pub(super) rounds: u64,
    /// Whether instances that have finished leave their places.
    pub(super) compacts: bool,
    /// The rows of each list that all GPUs have found before.
    pub(super) taken: Vec<u64>,
}

impl OnGpu {
    /// Asks all GPUs at once, and joins the rows of lists that they have found.
    pub(super) fn ask_all<R: Send>(
        &mut self,
        ask: impl Fn(&Context<'_>, &mut Member) -> Result<R, EngineError> + Sync,
    ) -> Result<Vec<R>, EngineError> {
        let parts = vec![(); self.members.len()];
        self.ask_all_with(parts, |context, member, ()| ask(context, member))
    }

    /// The same with something for each of them.
    pub(super) fn ask_all_with<P: Send, R: Send>(
        &mut self,
        parts: Vec<P>,
        ask: impl Fn(&Context<'_>, &mut Member, P) -> Result<R, EngineError> + Sync,
    ) -> Result<Vec<R>, EngineError> {
        let taken = self.lists.iter().map(Rows::appended).collect();
        let context = Context { run: &self.run, rounds: self.rounds, compacts: self.compacts, taken };
        let asked =
            all_at_once(self.members.iter_mut().zip(parts), |(member, part)| ask(&context, member, part));
        let answers = asked.into_iter().collect::<Result<_, _>>()?;
        self.join_rows()?;
        Ok(answers)
    }
}
