//! States of all chunks as one, and the other way round.

use core::ops::Range;

use limbforge_algos::cpu::program::{RunError, Runner};
use limbforge_algos::program::{Rows, State};
use limbforge_limb::{Batch, BatchError, Layout};

use super::OnGpu;
use super::member::Member;
use crate::engine::EngineError;

impl OnGpu {
    /// The state in plain integers. Of a program without a loop it is the CPU's: its kernel leaves nothing but
    /// results.
    pub(super) fn joined_state(&mut self) -> Result<State, EngineError> {
        if self.run.stages.len() == 1 || self.run.instances == 0 {
            return Ok(Runner::new(&self.run.program, self.run.inputs.clone(), self.run.instances)?.state());
        }
        self.begin()?;
        let mut joined = vec![];
        for chunk in 0..self.chunks() {
            let (member, chunk) = self.place(chunk);
            let (words, instances) = (member.state_words(chunk)?, member.chunks[chunk].instances.clone());
            self.note(instances.start, &words[..instances.len()])?;
            let at = (self.stage, self.round);
            let tape = self.members[0].device.tape();
            let mut state = tape.state(&self.run.program, at, &words, instances.len());
            let state = state.as_mut().map_err(|error| RunError::from(*error))?;
            for (value, batch) in &mut state.values {
                // Those of instances that failed mean nothing.
                let each = batch.limbs_per_instance() * self.run.program.elements(*value);
                let failed = self.failures.range(instances.clone()).map(|(i, _)| i - instances.start);
                failed.for_each(|i| batch.limbs_mut()[i * each..(i + 1) * each].fill(0));
            }
            match joined.is_empty() {
                true => {
                    joined = core::mem::take(&mut state.values)
                        .into_iter()
                        .map(|(value, batch)| (value, batch.ty(), batch.limbs().to_vec()))
                        .collect();
                }
                false => {
                    for ((_, _, all), (_, batch)) in joined.iter_mut().zip(&state.values) {
                        all.extend_from_slice(batch.limbs());
                    }
                }
            }
        }
        let values = joined
            .into_iter()
            .map(|(value, ty, limbs)| Ok((value, Batch::from_limbs(ty, Layout::InstanceMajor, limbs)?)));
        let values = values.collect::<Result<_, BatchError>>().map_err(RunError::from)?;
        let failures = self.failures.values().copied().collect();
        let mut lists = self.lists.clone();
        lists.iter_mut().for_each(Rows::sort);
        Ok(State { stage: self.stage, round: self.round, values, failures, lists })
    }

    /// The number of chunks.
    pub(super) fn chunks(&self) -> usize {
        self.members.iter().map(|member| member.chunks.len()).sum()
    }

    /// The GPU of a chunk, and its number there.
    pub(super) fn place(&self, chunk: usize) -> (&Member, usize) {
        let members = self.members.len();
        (&self.members[chunk % members], chunk / members)
    }

    /// Goes on from a state of a stage with a loop.
    pub(super) fn enter(&mut self, state: &State) -> Result<(), EngineError> {
        self.failures = state.failures.iter().map(|failure| (failure.instance, *failure)).collect();
        self.lists.clone_from(&state.lists);
        for chunk in 0..self.chunks() {
            let (member, at) = self.place(chunk);
            let instances = member.chunks[at].instances.clone();
            let of_chunk = self.part(state, &instances)?;
            let words = member.device.tape().words(&self.run.program, &of_chunk, instances.len());
            let members = self.members.len();
            let entered = &mut self.members[chunk % members].chunks[at];
            entered.words = words;
            entered.leaves(state.stage);
        }
        (self.stage, self.round, self.is_started) = (state.stage, state.round, true);
        self.rounds = self.most_rounds()?;
        Ok(())
    }

    /// The state of some instances alone, which count from 0.
    fn part(&self, state: &State, instances: &Range<usize>) -> Result<State, RunError> {
        let mut values = vec![];
        for (value, batch) in &state.values {
            let elements = self.run.program.elements(*value);
            let one_for_all = batch.instances() == elements;
            let all = if one_for_all { 0..1 } else { instances.clone() };
            let mut part = Batch::<u64>::zeros(batch.ty(), Layout::InstanceMajor, all.len() * elements)?;
            batch.read_instances(all.start * elements, part.limbs_mut());
            values.push((*value, part));
        }
        let failures = self.failures.range(instances.clone()).map(|(_, failure)| *failure);
        let failures = failures.map(|mut failure| {
            failure.instance -= instances.start;
            failure
        });
        let (failures, lists) = (failures.collect(), Rows::of_all(&self.run.program));
        Ok(State { stage: state.stage, round: state.round, values, failures, lists })
    }
}
