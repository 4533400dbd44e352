//! Memory of chunks, which is used again: its amount bounds what is read ahead.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use limbforge::prelude::*;

/// Chunks in pinned memory: one is read, and the GPU has others. To pin more takes longer than it gains.
const PINNED: usize = 4;

/// Batches for a chunk, one for each file with several integers.
pub(super) struct Pool<B> {
    state: Mutex<State<B>>,
    changed: Condvar,
}

struct State<B> {
    free: Vec<Set<B>>,
    /// Sets that are free or used.
    made: usize,
    most: usize,
    /// A GPU, which copies from pinned memory by itself.
    engine: Option<Engine>,
    is_closed: bool,
}

/// The batches of a chunk.
pub(super) struct Set<B> {
    pub(super) batches: Vec<Batch<B>>,
    is_pinned: bool,
}

/// What the batches of a set are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) ty: IntType,
    pub(super) batches: usize,
    pub(super) instances: usize,
}

impl<B: Base> Pool<B> {
    pub(super) fn new() -> Self {
        let state = State { free: vec![], made: 0, most: 0, engine: None, is_closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State<B>> {
        // Nothing that is done under the lock leaves it half-way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Allows so many sets at once.
    pub(super) fn allow(&self, most: usize) {
        self.state().most = most;
    }

    /// From now on sets are in memory that the engine's GPUs copy from by themselves, and those that are not
    /// leave when they come back.
    pub(super) fn pin(&self, engine: &Engine) {
        self.state().engine = Some(engine.clone());
        self.changed.notify_all();
    }

    /// Gives no more sets.
    pub(super) fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// Waits for a set; None after the pool was closed. Its integers are zeros or what a chunk has left.
    pub(super) fn take(&self, shape: Shape) -> Option<Result<Set<B>, EngineError>> {
        let mut state = self.state();
        loop {
            if state.is_closed {
                return None;
            }
            let has_engine = state.engine.is_some();
            if has_engine {
                let before = state.free.len();
                state.free.retain(|set| set.is_pinned);
                state.made -= before - state.free.len();
            }
            if let Some(set) = state.free.pop() {
                return Some(Ok(set));
            }
            let most = if has_engine { state.most.min(PINNED) } else { state.most };
            if state.made < most {
                state.made += 1;
                return Some(state.make(shape));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn give_back(&self, set: Set<B>) {
        self.state().free.push(set);
        self.changed.notify_all();
    }
}

impl<B: Base> State<B> {
    fn make(&mut self, shape: Shape) -> Result<Set<B>, EngineError> {
        let Shape { ty, batches, instances } = shape;
        if let Some(engine) = &self.engine {
            let pinned = || engine.pinned(ty, Layout::InstanceMajor, instances);
            match (0..batches).map(|_| pinned()).collect() {
                Ok(batches) => return Ok(Set { batches, is_pinned: true }),
                // A limit on such memory: a GPU takes any other, too.
                Err(_) => self.engine = None,
            }
        }
        let zeros = || Batch::zeros(ty, Layout::InstanceMajor, instances).map_err(EvalError::from);
        let batches = (0..batches).map(|_| zeros()).collect::<Result<_, _>>()?;
        Ok(Set { batches, is_pinned: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_sets_than_allowed_and_none_after_the_end() {
        let pool = Pool::<u64>::new();
        let shape = Shape { ty: IntType::unsigned(128).unwrap(), batches: 2, instances: 3 };
        pool.allow(2);
        let [one, two] = [(); 2].map(|()| pool.take(shape).unwrap().unwrap());
        assert_eq!((one.batches.len(), two.batches[1].instances()), (2, 3));
        std::thread::scope(|scope| {
            let third = scope.spawn(|| pool.take(shape).unwrap().unwrap().batches[0].limbs().as_ptr().addr());
            let address = one.batches[0].limbs().as_ptr().addr();
            pool.give_back(one);
            assert_eq!(third.join().unwrap(), address);
            let waiting = scope.spawn(|| pool.take(shape).is_none());
            pool.close();
            assert!(waiting.join().unwrap());
        });
    }
}
