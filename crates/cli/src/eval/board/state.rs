//! The state of a run.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use limbforge::prelude::*;

use crate::error::CliError;
use crate::eval::chunk::Chunk;
use crate::eval::pace::Pace;
use crate::eval::results::Results;
use crate::eval::source::Length;

/// What is known of the files when they are opened.
#[derive(Clone, Debug, Default)]
pub(in crate::eval) struct Inputs {
    /// Whether a file has one integer, which is used for all instances.
    pub(in crate::eval) is_single: Vec<bool>,
    pub(in crate::eval) lengths: Vec<Length>,
}

/// Instances to be evaluated.
pub(in crate::eval) struct Piece<B: Base> {
    pub(super) number: u64,
    pub(in crate::eval) chunk: Arc<Chunk<B>>,
    pub(in crate::eval) range: Range<usize>,
}

/// Pieces whose results wait for those of an earlier one, for each thread that evaluates.
const WAITING: u64 = 2;

pub(super) struct State<B: Base> {
    pub(super) engine: Option<Result<Engine, CliError>>,
    pub(super) prepared: Option<(Engine, PreparedAll<B>)>,
    pub(super) inputs: Option<Inputs>,
    /// Chunks that are not evaluated, each with the error that ends the run after it.
    pub(super) chunks: VecDeque<(Arc<Chunk<B>>, Option<CliError>)>,
    /// Instances of the first of them that are taken.
    taken: usize,
    pub(super) all_loaded: bool,
    /// The numbers of the next piece to be taken and to be written.
    next: u64,
    written: u64,
    pub(super) results: BTreeMap<u64, Result<Results<B>, CliError>>,
    /// Batches of results that were written.
    pub(super) spare: Vec<Batch<B>>,
    pub(super) pace: Pace,
    pub(super) evaluators: u64,
    /// Why the run ends before all others.
    pub(super) failed: Option<CliError>,
    pub(super) stopped: bool,
}

impl<B: Base> State<B> {
    pub(super) fn new(evaluators: usize) -> Self {
        Self {
            engine: None,
            prepared: None,
            inputs: None,
            chunks: VecDeque::new(),
            taken: 0,
            all_loaded: false,
            next: 0,
            written: 0,
            results: BTreeMap::new(),
            spare: vec![],
            pace: Pace::new(1),
            evaluators: evaluators as u64,
            failed: None,
            stopped: false,
        }
    }

    /// Ends the run after all chunks, with an error or as it should end.
    pub(super) fn end(&mut self, error: Option<CliError>) {
        self.all_loaded = true;
        match (self.chunks.back_mut(), error) {
            (Some((_, end)), Some(error)) => *end = Some(error),
            (None, Some(error)) => self.put_error(error),
            (_, None) => {}
        }
    }

    /// The next results in order, or None inside if all were written.
    pub(super) fn next(&mut self) -> Option<Option<Result<Results<B>, CliError>>> {
        if let Some(error) = self.failed.take() {
            return Some(Some(Err(error)));
        }
        match self.engine.take()? {
            Err(error) => return Some(Some(Err(error))),
            engine => self.engine = Some(engine),
        }
        if let Some(results) = self.results.remove(&self.written) {
            self.written += 1;
            return Some(Some(results));
        }
        let all_written = self.all_loaded && self.chunks.is_empty() && self.written == self.next;
        all_written.then_some(None)
    }

    /// The next instances to evaluate, if there are some, and room for their results.
    pub(super) fn take(&mut self) -> Option<Piece<B>> {
        // The first results are not kept waiting by others.
        let most = if self.written == 0 && self.results.is_empty() { 1 } else { self.evaluators + WAITING };
        if self.next - self.written >= most {
            return None;
        }
        let (chunk, _) = self.chunks.front()?;
        let (chunk, first, number) = (chunk.clone(), self.taken, self.next);
        let range = first..chunk.instances.min(first + self.pace.next());
        self.taken = range.end;
        self.next += 1;
        if range.end == chunk.instances {
            self.taken = 0;
            if let Some((_, Some(error))) = self.chunks.pop_front() {
                self.put_error(error);
            }
        }
        Some(Piece { number, chunk, range })
    }

    /// Puts an error behind all results.
    fn put_error(&mut self, error: CliError) {
        self.results.insert(self.next, Err(error));
        self.next += 1;
    }
}
