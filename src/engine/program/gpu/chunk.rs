//! Chunks of instances, of which a GPU has one in its memory.

use core::ops::Range;

use limbforge_kernels_gen::program::Entry;

use super::launches::Launch;
use super::member::{Marks, Member};
use super::open::Open;
use super::run::{Context, Run};
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
    /// The instances that the next rounds compute; None for all.
    pub(super) open: Option<Open>,
}

impl Chunk {
    pub(super) const fn new(instances: Range<usize>) -> Self {
        Self { instances, words: vec![], stage: None, is_open: true, open: None }
    }

    pub(super) fn len(&self) -> usize {
        self.instances.len()
    }

    /// Its limbs in a batch with so many for each instance.
    pub(super) const fn limbs(&self, each: usize) -> Range<usize> {
        self.instances.start * each..self.instances.end * each
    }

    /// Notes the state of a stage, before the rounds of its loop.
    pub(super) fn leaves(&mut self, stage: usize) {
        (self.stage, self.is_open, self.open) = (Some(stage), true, None);
    }
}

impl Member {
    /// Runs an entry on a chunk, and takes its rows: rounds of the instances that are open, others of all.
    pub(super) fn launch(
        &mut self,
        context: &Context<'_>,
        chunk: usize,
        entry: (Entry, u64, u64),
    ) -> Result<(), EngineError> {
        self.load(context.run, chunk)?;
        let Chunk { instances, open, .. } = &mut self.chunks[chunk];
        let instances = instances.clone();
        let open = if matches!(entry.0, Entry::Rounds(_)) { open.take() } else { None };
        let listed = open.as_ref().map_or(&[][..], Open::entries);
        let done = self.run(context, &Launch { entry, instances, open: listed, continues: false });
        self.chunks[chunk].open = open;
        done
    }

    /// Notes what rounds have left of a chunk.
    pub(super) fn note_open(
        &mut self,
        context: &Context<'_>,
        (stage, chunk): (usize, usize),
    ) -> Result<(), EngineError> {
        let (_, marks) = self.marks(chunk)?;
        let differs = self.device.tape().differing.get(stage).is_some_and(|&differs| differs);
        let warps = self.device.warps();
        let chunk = &mut self.chunks[chunk];
        chunk.is_open = marks.iter().any(|&mark| mark != 0);
        if differs
            && context.compacts
            && let Some(list) = warps.list(chunk.open.as_ref(), &marks)
        {
            chunk.open = Some(list);
        }
        Ok(())
    }

    /// The marks of the launch on a chunk, after it has run.
    pub(super) fn marks(&self, chunk: usize) -> Result<Marks, EngineError> {
        let Chunk { instances, .. } = &self.chunks[chunk];
        let mut marks = vec![0; instances.len()];
        self.device.marks(&mut marks)?;
        Ok((instances.start, marks))
    }

    /// The words of a chunk's state.
    pub(super) fn state_words(&self, chunk: usize) -> Result<Vec<u32>, EngineError> {
        let Chunk { words, stage, instances, .. } = &self.chunks[chunk];
        let is_loaded = self.loaded == Some(chunk);
        let Some(stage) = stage.filter(|_| is_loaded) else { return Ok(words.clone()) };
        let mut words = vec![0; self.device.tape().state_words(stage) as usize * instances.len()];
        self.device.state(&mut words)?;
        Ok(words)
    }

    /// Takes other words as the state of a chunk.
    pub(super) fn set_state(&mut self, chunk: usize, words: Vec<u32>) -> Result<(), EngineError> {
        if self.loaded == Some(chunk) {
            return self.device.set_state(&words);
        }
        self.chunks[chunk].words = words;
        Ok(())
    }

    /// Brings a chunk into the memory of the GPU, and the state of the one that is there out of it.
    fn load(&mut self, run: &Run, chunk: usize) -> Result<(), EngineError> {
        if self.loaded == Some(chunk) {
            return Ok(());
        }
        if let Some(other) = self.loaded {
            let words = if self.chunks[other].stage.is_some() { self.state_words(other)? } else { vec![] };
            self.chunks[other].words = words;
            self.loaded = None;
        }
        let entering = &mut self.chunks[chunk];
        for (i, batch) in run.inputs.iter().enumerate().filter(|(i, _)| !run.one_for_all[*i]) {
            let elements = run.program.inputs()[i].elements as usize;
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
