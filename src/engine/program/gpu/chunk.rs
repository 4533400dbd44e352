//! Chunks of instances, of which one is in the memory of the GPU.

use core::ops::Range;

use limbforge_kernels_gen::program::Entry;

use super::OnGpu;
use crate::engine::EngineError;

/// Instances whose launches are one.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) instances: Range<usize>,
    /// The state while another chunk is on the GPU.
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
    /// Runs an entry on a chunk.
    pub(super) fn launch(&mut self, chunk: usize, entry: (Entry, u64, u64)) -> Result<(), EngineError> {
        self.load(chunk)?;
        self.device.launch(entry, self.chunks[chunk].len())
    }

    /// The marks of the launch on a chunk, after it has run.
    pub(super) fn marks(&self, chunk: usize) -> Result<Vec<u32>, EngineError> {
        let mut marks = vec![0; self.chunks[chunk].len()];
        self.device.marks(&mut marks)?;
        Ok(marks)
    }

    /// The words of a chunk's state.
    pub(super) fn state_words(&self, chunk: usize) -> Result<Vec<u32>, EngineError> {
        let Chunk { words, stage, instances, .. } = &self.chunks[chunk];
        let Some(stage) = stage.filter(|_| self.loaded == Some(chunk)) else { return Ok(words.clone()) };
        let mut words = vec![0; self.device.tape().state_words(stage) as usize * instances.len()];
        self.device.state(&mut words)?;
        Ok(words)
    }

    /// Brings a chunk into the memory of the GPU, and the state of the one that is there out of it.
    fn load(&mut self, chunk: usize) -> Result<(), EngineError> {
        if self.loaded == Some(chunk) {
            return Ok(());
        }
        if let Some(other) = self.loaded.take() {
            let mut words = vec![];
            if self.chunks[other].stage.is_some() {
                self.loaded = Some(other);
                words = self.state_words(other)?;
                self.loaded = None;
            }
            self.chunks[other].words = words;
        }
        let entering = &mut self.chunks[chunk];
        for (i, batch) in self.inputs.iter().enumerate().filter(|(i, _)| !self.one_for_all[*i]) {
            let elements = self.program.inputs()[i].elements as usize;
            let limbs = entering.limbs(batch.limbs_per_instance() * elements);
            self.device.set_input(i, &batch.limbs()[limbs])?;
        }
        if entering.stage.is_some() {
            self.device.set_state(&core::mem::take(&mut entering.words))?;
        }
        self.loaded = Some(chunk);
        Ok(())
    }
}
