//! What the threads of a run tell each other: chunks that are read, pieces that are taken and evaluated, and
//! their results in order.
//!
//! One lock, of which everybody waits for what is theirs to do: nobody can wait for a thread that has ended.

mod state;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use limbforge::prelude::*;

use self::state::State;
pub(super) use self::state::{Inputs, Piece};
use super::chunk::Chunk;
use super::pace::Pace;
use super::results::Results;
use crate::error::CliError;

pub(super) struct Board<B: Base> {
    state: Mutex<State<B>>,
    changed: Condvar,
}

impl<B: Base> Board<B> {
    pub(super) fn new(evaluators: usize) -> Self {
        Self { state: Mutex::new(State::new(evaluators)), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State<B>> {
        // Nothing that is done under the lock leaves it half-way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes something that others may wait for.
    fn change<T>(&self, change: impl FnOnce(&mut State<B>) -> T) -> T {
        let changed = change(&mut self.state());
        self.changed.notify_all();
        changed
    }

    /// Waits until something is there, and takes it; None after a stop.
    fn when<T>(&self, mut take: impl FnMut(&mut State<B>) -> Option<T>) -> Option<T> {
        let mut state = self.state();
        while !state.stopped {
            if let Some(taken) = take(&mut state) {
                self.changed.notify_all();
                return Some(taken);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// Ends the run for all that wait.
    pub(super) fn stop(&self) {
        self.change(|state| state.stopped = true);
    }

    /// Ends the run with an error in place of all results that are not written.
    pub(super) fn fail(&self, error: CliError) {
        self.change(|state| _ = state.failed.get_or_insert(error));
    }

    pub(super) fn set_engine(&self, engine: Result<Engine, CliError>) {
        self.change(|state| state.engine = Some(engine));
    }

    /// Lets the evaluation begin, with a piece of so many instances.
    pub(super) fn set_prepared(&self, engine: Engine, prepared: PreparedAll<B>, first_piece: usize) {
        self.change(|state| {
            (state.prepared, state.pace) = (Some((engine, prepared)), Pace::new(first_piece));
        });
    }

    pub(super) fn set_inputs(&self, inputs: Inputs) {
        self.change(|state| state.inputs = Some(inputs));
    }

    /// Waits for the opened inputs, or for an error before that; None if there will be none.
    pub(super) fn inputs(&self) -> Option<Result<Inputs, CliError>> {
        self.when(|state| match state.engine.take_if(|engine| engine.is_err()) {
            Some(Err(error)) => Some(Some(Err(error))),
            _ if state.inputs.is_none() && (state.all_loaded || state.failed.is_some()) => Some(None),
            _ => state.inputs.clone().map(|inputs| Some(Ok(inputs))),
        })?
    }

    /// Waits for the engine, or takes its error, which only one thread may do.
    pub(super) fn engine(&self) -> Option<Result<Engine, CliError>> {
        let mut state = self.state();
        while state.engine.is_none() && !state.stopped && state.failed.is_none() {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        match state.engine.take()? {
            Ok(engine) => {
                state.engine = Some(Ok(engine.clone()));
                Some(Ok(engine))
            }
            Err(error) => Some(Err(error)),
        }
    }

    /// Waits for the expressions, and the engine for which they are prepared.
    pub(super) fn prepared(&self) -> Option<(Engine, PreparedAll<B>)> {
        self.when(|state| state.prepared.clone())
    }

    /// Appends a chunk.
    pub(super) fn push(&self, chunk: Chunk<B>) {
        self.change(|state| state.chunks.push_back((Arc::new(chunk), None)));
    }

    /// Ends the run after all chunks, with an error or as it should end.
    pub(super) fn end(&self, error: Option<CliError>) {
        self.change(|state| state.end(error));
    }

    /// Waits for instances to evaluate; None when all are taken.
    pub(super) fn take(&self) -> Option<Piece<B>> {
        self.when(|state| match state.take() {
            Some(piece) => Some(Some(piece)),
            None => (state.all_loaded && state.chunks.is_empty()).then_some(None),
        })?
    }

    /// Takes the results of a piece, and the time that they took.
    pub(super) fn done(&self, piece: &Piece<B>, results: Result<Results<B>, CliError>, time: Duration) {
        self.change(|state| {
            state.pace.note(piece.range.len(), time);
            state.results.insert(piece.number, results);
        });
    }

    /// Waits for the next results in the order of instances; None when all were written. An engine that
    /// cannot be opened is the first error of all.
    pub(super) fn next(&self) -> Option<Result<Results<B>, CliError>> {
        self.when(State::next)?
    }

    /// Memory for results of this type of so many instances, if it is at hand.
    pub(super) fn spare(&self, ty: IntType, instances: usize) -> Option<Batch<B>> {
        let mut state = self.state();
        let is_fit = |batch: &Batch<B>| batch.instances() == instances && batch.ty() == ty;
        let at = state.spare.iter().position(is_fit)?;
        Some(state.spare.swap_remove(at))
    }

    /// Takes memory of results that were written.
    pub(super) fn give_back(&self, batch: Batch<B>) {
        let mut state = self.state();
        let results = state.prepared.as_ref().map_or(1, |(_, prepared)| prepared.result_types().count());
        if state.spare.len() >= (state.evaluators as usize + 1) * results {
            state.spare.remove(0);
        }
        state.spare.push(batch);
    }
}
