//! The launches of a stage, on all GPUs.

use std::time::Duration;

use limbforge_algos::cpu::program::RunError;
use limbforge_kernels_gen::program::Entry;
use limbforge_limb::{Batch, Layout};

use super::OnGpu;
use super::chunk::Chunk;
use super::member::Member;
use crate::engine::EngineError;

/// The time that a launch should take at most.
const LAUNCH: Duration = Duration::from_secs(1);

/// The same where instances may leave their places behind it, at first, and the part of the time so far: then few have
/// finished before they leave.
const COMPACTED: Duration = Duration::from_millis(100);
const PART: u32 = 8;

/// The limbs of the results of each chunk of a GPU.
type OfMember<'r> = Vec<Vec<&'r mut [u64]>>;

impl OnGpu {
    /// Runs all before the first loop, unless that is done.
    pub(super) fn begin(&mut self) -> Result<(), EngineError> {
        if !self.is_started {
            self.begin_stage(0)?;
            self.is_started = true;
        }
        Ok(())
    }

    /// Runs the straight nodes of a stage with a loop.
    pub(super) fn begin_stage(&mut self, stage: usize) -> Result<(), EngineError> {
        self.ask_all(|context, member| member.begin(context, stage))?;
        (self.stage, self.round, self.spent) = (stage, 0, Duration::ZERO);
        self.rounds = self.most_rounds()?;
        Ok(())
    }

    /// The time that a launch of rounds should take at most.
    pub(super) fn launch_time(&self) -> Duration {
        let may_leave = |member: &Member| {
            let differs = member.device.tape().differing.get(self.stage).is_some_and(|&differs| differs);
            let largest = member.chunks.iter().map(Chunk::len).max().unwrap_or(0);
            let warps = member.device.warps();
            differs && largest.div_ceil(warps.instances) > warps.at_once
        };
        match self.compacts && self.members.iter().any(may_leave) {
            true => (self.spent / PART).clamp(COMPACTED, LAUNCH),
            false => LAUNCH,
        }
    }

    /// Runs rounds of the loop up to another one, of all chunks that have some left.
    pub(super) fn run_rounds(&mut self, to: u64) -> Result<(), EngineError> {
        let (stage, from) = (self.stage, self.round);
        self.ask_all(|context, member| member.run_rounds(context, (stage, from, to)))?;
        self.round = to;
        if self.stage + 2 < self.run.stages.len() && !self.is_open() {
            self.begin_stage(stage + 1)?;
        }
        Ok(())
    }

    pub(super) fn is_open(&self) -> bool {
        self.members.iter().flat_map(|member| &member.chunks).any(|chunk| chunk.is_open)
    }

    /// Computes results of all chunks from where they are.
    pub(super) fn results(&mut self, entry: Entry) -> Result<Vec<Batch<u64>>, EngineError> {
        let zeros = self.run.program.results().iter().map(|result| {
            let integers = self.run.instances.saturating_mul(result.elements as usize);
            Batch::<u64>::zeros(result.ty, Layout::InstanceMajor, integers)
        });
        let mut results = zeros.collect::<Result<Vec<_>, _>>().map_err(RunError::from)?;
        let parts = self.parts(&mut results);
        let marks =
            self.ask_all_with(parts, |context, member, limbs| member.results(context, entry, limbs))?;
        for (first, marks) in marks.into_iter().flatten() {
            self.note(first, &marks)?;
        }
        Ok(results)
    }

    /// The limbs of each chunk in all results, by GPU.
    fn parts<'r>(&self, results: &'r mut [Batch<u64>]) -> Vec<OfMember<'r>> {
        let sizes = |member: &Member| member.chunks.iter().map(|_| vec![]).collect();
        let mut parts: Vec<OfMember<'_>> = self.members.iter().map(sizes).collect();
        let members = self.members.len();
        for (result, output) in results.iter_mut().zip(self.run.program.results()) {
            let each = result.limbs_per_instance() * output.elements as usize;
            let mut rest = result.limbs_mut();
            for chunk in 0..self.chunks() {
                let (member, chunk) = (chunk % members, chunk / members);
                let (limbs, behind) = rest.split_at_mut(self.members[member].chunks[chunk].len() * each);
                parts[member][chunk].push(limbs);
                rest = behind;
            }
        }
        parts
    }
}
