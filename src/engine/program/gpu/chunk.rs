//! Chunks of instances, of which each GPU has one in its memory.

use core::ops::Range;

use limbforge_kernels_gen::program::Entry;

use super::OnGpu;
use super::launches::Member;
use crate::engine::EngineError;

/// Instances whose launches are one.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) instances: Range<usize>,
    /// The state while another chunk is on its GPU.
    pub(super) words: Vec<u32>,
    /// The stage of the state; None before the first launch.
    pub(super) stage: Option<usize>,
    /// Whether rounds of the loop may be left.
    pub(super) is_open: bool,
}

impl Chunk {
    pub(super) const fn new(instances: Range<usize>) -> Self {
        Self { instances, words: vec![], stage: None, is_open: true }
    }

    pub(super) fn len(&self) -> usize {
        self.instances.len()
    }

    /// Its limbs in a batch with so many for each instance.
    pub(super) const fn limbs(&self, each: usize) -> Range<usize> {
        self.instances.start * each..self.instances.end * each
    }

    /// Notes the state of a stage, before the rounds of its loop.
    pub(super) const fn leaves(&mut self, stage: usize) {
        (self.stage, self.is_open) = (Some(stage), true);
    }
}

impl OnGpu {
    /// The chunks that the GPUs compute side by side, turn after turn.
    pub(super) fn turns(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let (all, members) = (self.chunks.len(), self.members.len());
        (0..all).step_by(members).map(move |first| first..all.min(first + members))
    }

    /// The GPU of a chunk.
    pub(super) fn member(&self, chunk: usize) -> &Member {
        &self.members[chunk % self.members.len()]
    }

    pub(super) fn member_mut(&mut self, chunk: usize) -> &mut Member {
        let members = self.members.len();
        &mut self.members[chunk % members]
    }

    /// Starts an entry on a chunk.
    pub(super) fn launch(&mut self, chunk: usize, entry: (Entry, u64, u64)) -> Result<(), EngineError> {
        self.load(chunk)?;
        let instances = self.chunks[chunk].instances.clone();
        self.member_mut(chunk).device.launch(entry, instances)
    }

    /// Forgets a chunk's state on its GPU.
    pub(super) fn unload(&mut self, chunk: usize) {
        self.member_mut(chunk).loaded = None;
    }

    /// The marks of the launch on a chunk, after it has run.
    pub(super) fn marks(&self, chunk: usize) -> Result<Vec<u32>, EngineError> {
        let mut marks = vec![0; self.chunks[chunk].len()];
        self.member(chunk).device.marks(&mut marks)?;
        Ok(marks)
    }

    /// The words of a chunk's state.
    pub(super) fn state_words(&self, chunk: usize) -> Result<Vec<u32>, EngineError> {
        let Chunk { words, stage, instances, .. } = &self.chunks[chunk];
        let Member { device, loaded } = self.member(chunk);
        let Some(stage) = stage.filter(|_| *loaded == Some(chunk)) else { return Ok(words.clone()) };
        let mut words = vec![0; device.tape().state_words(stage) as usize * instances.len()];
        device.state(&mut words)?;
        Ok(words)
    }

    /// Brings a chunk into the memory of its GPU, and the state of the one that is there out of it.
    fn load(&mut self, chunk: usize) -> Result<(), EngineError> {
        let leaving = self.member(chunk).loaded;
        if leaving == Some(chunk) {
            return Ok(());
        }
        if let Some(other) = leaving {
            let words = if self.chunks[other].stage.is_some() { self.state_words(other)? } else { vec![] };
            self.chunks[other].words = words;
            self.unload(other);
        }
        let entering = &mut self.chunks[chunk];
        let members = self.members.len();
        let Member { device, loaded } = &mut self.members[chunk % members];
        for (i, batch) in self.inputs.iter().enumerate().filter(|(i, _)| !self.one_for_all[*i]) {
            let elements = self.program.inputs()[i].elements as usize;
            let limbs = entering.limbs(batch.limbs_per_instance() * elements);
            device.set_input(i, &batch.limbs()[limbs])?;
        }
        if entering.stage.is_some() {
            device.set_state(&core::mem::take(&mut entering.words))?;
        }
        *loaded = Some(chunk);
        Ok(())
    }
}
