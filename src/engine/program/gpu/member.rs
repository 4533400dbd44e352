//! A GPU of a run, with its chunks.

use limbforge_algos::program::{Rows, TypedProgram};
use limbforge_kernels_gen::program::Entry;

use super::chunk::Chunk;
use super::launches::Launches;
use super::run::{Context, Run};
use crate::engine::EngineError;

/// A device of a run, its chunks, and which of them has its inputs and state in the device's memory.
pub(super) struct Member {
    pub(super) device: Box<dyn Launches>,
    pub(super) chunks: Vec<Chunk>,
    pub(super) loaded: Option<usize>,
    /// The rows of each list that were found since all GPUs were asked.
    pub(super) lists: Vec<Rows>,
}

/// The marks of a chunk's launch, from the number of its first instance on.
pub(super) type Marks = (usize, Vec<u32>);

impl Member {
    /// Without a chunk.
    pub(super) fn new(device: Box<dyn Launches>, program: &TypedProgram) -> Self {
        Self { device, chunks: vec![], loaded: None, lists: Rows::of_all(program) }
    }

    /// Sets the inputs that are one for all instances.
    pub(super) fn set_uniforms(&mut self, run: &Run) -> Result<(), EngineError> {
        let uniforms = run.inputs.iter().enumerate().filter(|(i, _)| run.one_for_all[*i]);
        uniforms.into_iter().try_for_each(|(i, batch)| self.device.set_input(i, batch.limbs()))
    }

    /// Runs the straight nodes of a stage with a loop.
    pub(super) fn begin(&mut self, context: &Context<'_>, stage: usize) -> Result<(), EngineError> {
        for chunk in 0..self.chunks.len() {
            let entry = (Entry::Nodes(stage), 0, 0);
            self.launch(context, chunk, entry)?;
            self.chunks[chunk].leaves(stage);
        }
        Ok(())
    }

    /// Runs rounds of a stage's loop, of the chunks that have some left.
    pub(super) fn run_rounds(
        &mut self,
        context: &Context<'_>,
        (stage, from, to): (usize, u64, u64),
    ) -> Result<(), EngineError> {
        for chunk in 0..self.chunks.len() {
            if self.chunks[chunk].is_open && !self.rounds_by_residues(context, chunk, (stage, from, to))? {
                self.launch(context, chunk, (Entry::Rounds(stage), from, to))?;
                self.note_open(context, (stage, chunk))?;
            }
        }
        Ok(())
    }

    /// Computes the results of all chunks from where they are, into limbs of each chunk and result.
    pub(super) fn results(
        &mut self,
        context: &Context<'_>,
        entry: Entry,
        limbs: Vec<Vec<&mut [u64]>>,
    ) -> Result<Vec<Marks>, EngineError> {
        let mut marks = vec![];
        for (chunk, limbs) in limbs.into_iter().enumerate() {
            self.launch(context, chunk, (entry, 0, 0))?;
            marks.push(self.marks(chunk)?);
            for (result, limbs) in limbs.into_iter().enumerate() {
                self.device.result(result, limbs)?;
            }
            // Its state is of no use any more.
            self.loaded = None;
        }
        Ok(marks)
    }
}
