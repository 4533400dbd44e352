//! The launches of a stage, for all chunks.

use limbforge_algos::cpu::program::RunError;
use limbforge_kernels_gen::program::Entry;
use limbforge_limb::{Batch, Layout};

use super::OnGpu;
use crate::engine::EngineError;

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
        for chunk in 0..self.chunks.len() {
            let entry = (Entry::Nodes(stage), 0, 0);
            self.launch(chunk, entry)?;
            self.settle(chunk, entry)?;
            self.chunks[chunk].leaves(stage);
        }
        (self.stage, self.round) = (stage, 0);
        self.rounds = self.most_rounds()?;
        Ok(())
    }

    /// Runs rounds of the loop up to another one, of all chunks that have some left.
    pub(super) fn run_rounds(&mut self, to: u64) -> Result<(), EngineError> {
        let (stage, from) = (self.stage, self.round);
        for turn in self.turns() {
            let open: Vec<usize> = turn.filter(|&chunk| self.chunks[chunk].is_open).collect();
            open.iter().try_for_each(|&chunk| self.launch(chunk, (Entry::Rounds(stage), from, to)))?;
            for chunk in open {
                self.settle(chunk, (Entry::Rounds(stage), from, to))?;
                self.chunks[chunk].is_open = self.marks(chunk)?.iter().any(|&mark| mark != 0);
            }
        }
        self.round = to;
        if self.stage + 2 < self.stages.len() && !self.is_open() {
            self.begin_stage(stage + 1)?;
        }
        Ok(())
    }

    pub(super) fn is_open(&self) -> bool {
        self.chunks.iter().any(|chunk| chunk.is_open)
    }

    /// Computes results of all chunks from where they are.
    pub(super) fn results(&mut self, entry: Entry) -> Result<Vec<Batch<u64>>, EngineError> {
        let zeros = self.program.results().iter().map(|result| {
            let integers = self.instances.saturating_mul(result.elements as usize);
            Batch::<u64>::zeros(result.ty, Layout::InstanceMajor, integers)
        });
        let mut results = zeros.collect::<Result<Vec<_>, _>>().map_err(RunError::from)?;
        for turn in self.turns() {
            turn.clone().try_for_each(|chunk| self.launch(chunk, (entry, 0, 0)))?;
            for chunk in turn {
                self.settle(chunk, (entry, 0, 0))?;
                self.results_of(chunk, &mut results)?;
                // Its state is of no use any more.
                self.unload(chunk);
            }
        }
        Ok(results)
    }

    /// Copies the results of a chunk, and notes its failures.
    fn results_of(&mut self, chunk: usize, results: &mut [Batch<u64>]) -> Result<(), EngineError> {
        let marks = self.marks(chunk)?;
        self.note(self.chunks[chunk].instances.start, &marks)?;
        for (i, (result, output)) in results.iter_mut().zip(self.program.results()).enumerate() {
            let limbs = result.limbs_per_instance() * output.elements as usize;
            let of_chunk = self.chunks[chunk].limbs(limbs);
            self.member(chunk).device.result(i, &mut result.limbs_mut()[of_chunk])?;
        }
        Ok(())
    }
}
