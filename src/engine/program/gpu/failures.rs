//! Instances that failed. A kernel says where; where an operation has several reasons, the CPU says which.

use limbforge_algos::cpu::program::{RunError, Runner};
use limbforge_algos::program::ProgramFailure;
use limbforge_limb::{Batch, Layout};

use super::OnGpu;
use crate::engine::EngineError;

impl OnGpu {
    /// Notes the failures of instances from a number on: 0, or 1 and the index of a place. What is known of a
    /// state that another backend has left stays.
    pub(super) fn note(&mut self, first: usize, marks: &[u32]) -> Result<(), EngineError> {
        let mut unclear = vec![];
        for (i, &mark) in marks.iter().enumerate() {
            let instance = first + i;
            if mark == 0 || self.failures.contains_key(&instance) {
                continue;
            }
            let Some(place) = self.members[0].device.tape().places.get(mark as usize - 1) else {
                let what = format!("instance {instance} is marked with {mark}, which is no place");
                return Err(EngineError::Internal { what });
            };
            match place.reasons[..] {
                [why] => {
                    _ = self.failures.insert(instance, ProgramFailure { instance, why, span: place.span });
                }
                _ => unclear.push(instance),
            }
        }
        self.ask_cpu(&unclear)
    }

    /// Runs instances that failed on the CPU, for their reasons.
    fn ask_cpu(&mut self, unclear: &[usize]) -> Result<(), EngineError> {
        if unclear.is_empty() {
            return Ok(());
        }
        let inputs = (0..self.run.inputs.len()).map(|input| self.of_instances(input, unclear));
        let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
        let numbers = unclear.iter().map(|&instance| instance as u64).collect();
        let (_, found) = Runner::new(&self.run.program, inputs, unclear.len())?.numbered(numbers).finish();
        for (i, &instance) in unclear.iter().enumerate() {
            let Some(failure) = found.iter().find(|failure| failure.instance == i) else {
                let what = format!("instance {instance} is marked and has results");
                return Err(EngineError::Internal { what });
            };
            self.failures.insert(instance, ProgramFailure { instance, ..*failure });
        }
        Ok(())
    }

    /// The integers of some instances of an input.
    fn of_instances(&self, input: usize, instances: &[usize]) -> Result<Batch<u64>, RunError> {
        let batch = &self.run.inputs[input];
        if self.run.one_for_all[input] {
            return Ok(batch.clone());
        }
        let each = batch.limbs_per_instance() * self.run.program.inputs()[input].elements as usize;
        let limbs = instances.iter().flat_map(|i| &batch.limbs()[i * each..(i + 1) * each]);
        Ok(Batch::from_limbs(batch.ty(), Layout::InstanceMajor, limbs.copied().collect())?)
    }
}
