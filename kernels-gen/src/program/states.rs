//! States of runs as the words that kernels read and write.

use limbforge_algos::program::{ProgramFailure, Rows, State, TypedProgram, stages};
use limbforge_limb::{Batch, BatchError, Layout};

use super::kernel::TapeKernel;
use super::lower::Plane;

impl TapeKernel {
    /// The state of so many instances after `round` rounds of the loop of a stage, from the words that a launch has
    /// left. A failure of an operation with several reasons has the first of them. Lists are without rows, which
    /// [`rows`](Self::rows) returns.
    ///
    /// # Errors
    /// [`BatchError`] where a value cannot be addressed.
    pub fn state(
        &self,
        program: &TypedProgram,
        (stage, round): (usize, u64),
        words: &[u32],
        instances: usize,
    ) -> Result<State, BatchError> {
        let failure = |(instance, &status): (usize, &u32)| {
            let place = self.places.get(status.checked_sub(1)? as usize)?;
            Some(ProgramFailure { instance, why: *place.reasons.first()?, span: place.span })
        };
        let failures = words.iter().take(instances).enumerate().filter_map(failure).collect();
        let held = stages(program)[stage].held(program);
        let mut values = vec![];
        for value in held {
            let (ty, elements) = (program.plain(value), program.elements(value));
            let mut batch = Batch::<u64>::zeros(ty, Layout::InstanceMajor, instances * elements)?;
            let limbs = batch.limbs_per_instance();
            for plane in self.states[stage].iter().filter(|plane| plane.value == value) {
                for i in 0..instances {
                    let integer = (i * elements + plane.element as usize) * limbs;
                    let to = &mut batch.limbs_mut()[integer..integer + limbs];
                    for (k, word) in words[at(plane, i, instances)].iter().enumerate() {
                        to[k / 2] |= u64::from(*word) << (32 * (k % 2));
                    }
                }
            }
            // Kernels write copies of a sign.
            batch.truncate();
            values.push((value, batch));
        }
        Ok(State { stage, round, values, failures, lists: Rows::of_all(program) })
    }

    /// The words of a state of any backend, which a launch reads. An instance that failed where no kernel of the
    /// program does has one more than all places as its word.
    #[must_use]
    pub fn words(&self, program: &TypedProgram, state: &State, instances: usize) -> Vec<u32> {
        let mut words = vec![0; self.state_words(state.stage) as usize * instances];
        for failure in &state.failures {
            let is_there = |place: &super::lower::Place| {
                place.span == failure.span && place.reasons.contains(&failure.why)
            };
            let place = self.places.iter().position(is_there).unwrap_or(self.places.len());
            words[failure.instance] = place as u32 + 1;
        }
        for (value, batch) in &state.values {
            let elements = program.elements(*value);
            let one_for_all = batch.instances() == elements;
            for plane in self.states[state.stage].iter().filter(|plane| plane.value == *value) {
                for i in 0..instances {
                    let first = if one_for_all { 0 } else { i * elements };
                    let limbs = batch.instance(first + plane.element as usize);
                    for (k, word) in words[at(plane, i, instances)].iter_mut().enumerate() {
                        *word = (limbs[k / 2] >> (32 * (k % 2))) as u32;
                    }
                }
            }
        }
        words
    }
}

/// The words of an instance in a plane.
const fn at(plane: &Plane, instance: usize, instances: usize) -> core::ops::Range<usize> {
    let first = plane.before as usize * instances + instance * plane.words as usize;
    first..first + plane.words as usize
}
