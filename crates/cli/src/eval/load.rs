//! The thread that reads all files in step.

use std::mem;
use std::sync::Arc;

use limbforge::prelude::*;

use super::arguments::OnError;
use super::board::{Board, Inputs};
use super::chunk::{self, Chunk, Column};
use super::job::Job;
use super::open::open_all;
use super::outputs::Target;
use super::pool::{Pool, Set, Shape};
use super::source::{BadRecord, End, Length, Loaded, Opened, Source, load_all};
use crate::error::CliError;

/// Chunks grow by this factor, up to their full size.
const GROWTH: usize = 4;

/// Reads all files, chunk by chunk, until they end or the run is stopped.
pub(super) fn run<B: Base>(job: &Job, board: &Board<B>, pool: &Arc<Pool<B>>) {
    if job.part.as_ref().is_some_and(|part| part.count == 0) {
        return board.end(None);
    }
    let ended = Loader::open(job, board, pool).and_then(|mut loader| loader.run(board));
    board.end(ended.err());
}

struct Loader<'j, B: Base> {
    job: &'j Job,
    pool: &'j Arc<Pool<B>>,
    sources: Vec<Box<dyn Source<B>>>,
    /// One integer each for all instances, or files with several.
    columns: Vec<Column<B>>,
    /// Records of the singles that are not integers, for each input.
    bad: Vec<Vec<BadRecord>>,
    /// Instances of all chunks so far.
    first: u64,
    total: Option<u64>,
    next_size: usize,
    most: usize,
}

impl<'j, B: Base> Loader<'j, B> {
    /// Opens all files at once; an error is that of the first of them in their order.
    fn open(job: &'j Job, board: &Board<B>, pool: &'j Arc<Pool<B>>) -> Result<Self, CliError> {
        let opened = open_all::<B>(job)?;
        let reading = job.reading();
        let is_single: Vec<bool> = opened.iter().map(|input| input.is_single).collect();
        let lengths: Vec<Length> = opened.iter().map(|input| input.length).collect();
        let known = opened.iter().find_map(|input| match input.length {
            Length::Known(records) if !input.is_single => Some(records),
            _ => None,
        });
        let known = job.part.as_ref().map(|part| part.count).or(known);
        let several = is_single.iter().filter(|is_single| !**is_single).count();
        let total = if several == 0 { Some(1) } else { known };
        board.set_inputs(Inputs { is_single, lengths });

        let record = reading.ty.limbs::<B>() * B::BYTES;
        let of_results: usize = job.targets.iter().map(Target::width).sum();
        let instances = |bytes: usize| (bytes / ((several + of_results) * record)).max(1);
        let most = instances(job.sizes.chunk);
        pool.allow((job.sizes.ahead / (most * record * several.max(1))).max(2));
        let mut loader = Self {
            job,
            pool,
            sources: vec![],
            columns: vec![],
            bad: vec![],
            first: job.part.as_ref().map_or(0, |part| part.first),
            total,
            next_size: instances(job.sizes.first_chunk).min(most),
            most,
        };
        loader.load_singles(opened)?;
        Ok(loader)
    }

    fn load_singles(&mut self, opened: Vec<Opened<B>>) -> Result<(), CliError> {
        for mut opened in opened {
            if !opened.is_single {
                self.sources.push(opened.source);
                self.columns.push(Column { single: None, lines: Default::default() });
                self.bad.push(vec![]);
                continue;
            }
            let batch = Batch::zeros(self.job.ty, Layout::InstanceMajor, 1);
            let mut batch = batch.map_err(EvalError::from)?;
            let Loaded { bad, lines, end, .. } = opened.source.load(batch.limbs_mut());
            if let Some(End::Failed(error)) = end {
                return Err(error);
            }
            self.bad.push(bad);
            self.columns.push(Column { single: Some(batch), lines });
        }
        Ok(())
    }

    fn run(&mut self, board: &Board<B>) -> Result<(), CliError> {
        if self.sources.is_empty() {
            let bad = mem::take(&mut self.bad);
            let (bad, instances, end) = self.blame(bad, 1);
            if instances > 0 {
                board.push(self.chunk(instances, bad, None));
            }
            return end.map_or(Ok(()), Err);
        }
        let shape = Shape { ty: self.job.ty, batches: self.sources.len(), instances: self.most };
        while let Some(set) = self.pool.take(shape) {
            let mut set = set?;
            let size = self.next_size;
            self.next_size = (size * GROWTH).min(self.most);
            let mut loaded = load_all(&mut self.sources, &mut set.batches, size * self.job.ty.limbs::<B>())?;
            let instances = loaded.iter().map(|loaded| loaded.instances).min().unwrap_or(0);
            // Those of singles are of the first instance.
            let none = vec![vec![]; self.columns.len()];
            let mut bad = mem::replace(&mut self.bad, none);
            for (input, loaded) in self.several().zip(&mut loaded) {
                self.columns[input].lines = mem::take(&mut loaded.lines);
                let mut of_input = mem::take(&mut loaded.bad);
                of_input.truncate(chunk::before(&of_input, instances));
                bad[input] = of_input;
            }
            let is_last = instances < size;
            let ended = if is_last { self.ended(loaded, instances) } else { None };
            let (bad, instances, end) = self.blame(bad, instances);
            if instances > 0 {
                board.push(self.chunk(instances, bad, Some(set)));
            } else {
                self.pool.give_back(set);
            }
            if let Some(error) = end.or(ended) {
                return Err(error);
            }
            if is_last {
                break;
            }
        }
        Ok(())
    }

    /// The places of the files with several integers among the inputs.
    fn several(&self) -> impl Iterator<Item = usize> + use<B> {
        let several = self.columns.iter().enumerate().filter(|(_, column)| column.single.is_none());
        several.map(|(input, _)| input).collect::<Vec<_>>().into_iter()
    }

    /// The error of files that do not end well together after so many instances of a chunk.
    fn ended(&self, loaded: Vec<Loaded>, instances: usize) -> Option<CliError> {
        let (mut ended, mut going) = (None, None);
        for (input, loaded) in self.several().zip(loaded) {
            match loaded.end {
                Some(End::Failed(error)) if loaded.instances == instances => return Some(error),
                Some(End::Ended { next }) if loaded.instances == instances => ended = Some((input, next)),
                _ => going = Some(input),
            }
        }
        let (path, (ended, next)) = (|input: usize| self.job.inputs()[input].shown(), ended?);
        Some(CliError::ended(&path(ended), next, &path(going?), ["integer", "integers"]))
    }

    /// The records of so many instances that are marked; the first that ends the run, as it should or because
    /// all instances use it, leaves the instances before it.
    fn blame(
        &self,
        mut bad: Vec<Vec<BadRecord>>,
        instances: usize,
    ) -> (Vec<Vec<BadRecord>>, usize, Option<CliError>) {
        let ends = |input: usize| {
            let for_all = self.columns[input].single.is_some() && !self.sources.is_empty();
            for_all || self.job.arguments.on_error == OnError::Fail
        };
        let none: &[BadRecord] = &[];
        let ending = bad.iter().enumerate().map(|(input, bad)| if ends(input) { bad } else { none });
        let Some((input, &BadRecord { instance, number, error })) = chunk::first(ending) else {
            return (bad, instances, None);
        };
        for bad in &mut bad {
            bad.truncate(chunk::before(bad, instance));
        }
        let error = self.job.reading().record_error(&self.job.inputs()[input], number, error);
        (bad, instance, Some(error))
    }

    fn chunk(&mut self, instances: usize, bad: Vec<Vec<BadRecord>>, set: Option<Set<B>>) -> Chunk<B> {
        let first = self.first;
        self.first += instances as u64;
        let estimated = || self.sources.iter().find_map(|source| source.estimate());
        let total = self.total.or_else(estimated);
        let (columns, pool) = (self.columns.clone(), self.pool.clone());
        Chunk { first, instances, columns, bad, total, set, pool }
    }
}
