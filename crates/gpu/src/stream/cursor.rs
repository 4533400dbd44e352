//! The chunks of a batch, handed out one by one to whoever asks next.

use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::balance::Balance;
use super::plan::Chunk;

/// Neighbouring instances, and where their results go: rows of equal length, or none if the caller writes
/// them.
#[derive(Debug)]
pub(super) struct Piece<'r> {
    pub(super) chunk: Chunk,
    pub(super) rows: Vec<&'r mut [u8]>,
}

/// The instances that are still to be computed.
#[derive(Debug)]
pub(super) struct Cursor<'r> {
    state: Mutex<State<'r>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<'r> {
    /// What nobody has taken, or a device has given back.
    pending: Vec<Piece<'r>>,
    /// Chunks that are being computed.
    taken: usize,
    balance: Balance,
    stopped: bool,
    /// Instances without a result, and the results that they lack.
    marked: Vec<(u64, u32)>,
}

impl<'r> Cursor<'r> {
    /// N instances, and where their results go, for so many GPUs.
    pub(super) fn new(instances: u64, rows: Vec<&'r mut [u8]>, gpus: usize) -> Self {
        let all = Piece { chunk: Chunk { first: 0, instances }, rows };
        let pending = if instances == 0 { vec![] } else { vec![all] };
        let balance = Balance::new(gpus);
        let state = State { pending, taken: 0, balance, stopped: false, marked: vec![] };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State<'r>> {
        // Nothing that is done under the lock panics half-way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note that a GPU may have so many chunks under way.
    pub(super) fn join(&self, gpu: usize, most: u64) {
        self.state().balance.join(gpu, most);
        self.changed.notify_all();
    }

    /// Takes note that a GPU takes no more chunks.
    pub(super) fn leave(&self, gpu: usize) {
        self.state().balance.leave(gpu);
        self.changed.notify_all();
    }

    /// The next chunk for a GPU, of at most this many instances; None if there is none, or others come first.
    pub(super) fn take(&self, gpu: usize, instances: u64) -> Option<Piece<'r>> {
        let taken = self.state().take(gpu, instances);
        // Those that are behind this GPU no more may go on.
        self.changed.notify_all();
        taken
    }

    /// The same; waits while others come first, or may still give a chunk back. The caller has none.
    pub(super) fn wait(&self, gpu: usize, instances: u64) -> Option<Piece<'r>> {
        let waits = |state: &mut State<'r>| {
            !state.stopped
                && match state.pending.is_empty() {
                    true => state.taken > 0,
                    false => state.comes_later(gpu, instances),
                }
        };
        let state = self.changed.wait_while(self.state(), waits);
        let taken = state.unwrap_or_else(PoisonError::into_inner).take(gpu, instances);
        self.changed.notify_all();
        taken
    }

    /// Takes note that a GPU has computed a chunk. `marks` has a word for each instance that is not 0 if it has no
    /// result, or no words.
    pub(super) fn done(&self, gpu: usize, chunk: &Chunk, marks: &[u32]) {
        let marked = (chunk.first..).zip(marks.iter().copied()).filter(|(_, mark)| *mark != 0);
        let mut state = self.state();
        state.marked.extend(marked);
        state.taken -= 1;
        state.balance.end(gpu);
        self.changed.notify_all();
    }

    /// Takes a chunk back that a GPU has not computed.
    pub(super) fn give_back(&self, gpu: usize, piece: Piece<'r>) {
        let mut state = self.state();
        state.pending.push(piece);
        state.taken -= 1;
        state.balance.end(gpu);
        self.changed.notify_all();
    }

    /// Hands out no more chunks.
    pub(super) fn stop(&self) {
        self.state().stopped = true;
        self.changed.notify_all();
    }

    /// The instances without a result, in order, or None if not all were computed.
    pub(super) fn into_marked(self) -> Option<Vec<(u64, u32)>> {
        let State { pending, taken, mut marked, .. } =
            self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        marked.sort_unstable();
        (pending.is_empty() && taken == 0).then_some(marked)
    }
}

impl<'r> State<'r> {
    /// Whether what is left goes to GPUs that have fewer chunks under way.
    fn comes_later(&self, gpu: usize, instances: u64) -> bool {
        let left = self.pending.iter().map(|piece| piece.chunk.instances).sum::<u64>();
        self.balance.comes_later(gpu, left.div_ceil(instances.max(1)))
    }

    fn take(&mut self, gpu: usize, instances: u64) -> Option<Piece<'r>> {
        if self.stopped || self.comes_later(gpu, instances) {
            return None;
        }
        let last = self.pending.last_mut()?;
        self.taken += 1;
        self.balance.begin(gpu);
        if last.chunk.instances <= instances { self.pending.pop() } else { Some(last.split(instances)) }
    }
}

impl<'r> Piece<'r> {
    /// Its first instances, fewer than all; it keeps the others.
    fn split(&mut self, instances: u64) -> Self {
        let Chunk { first, instances: all } = self.chunk;
        self.chunk = Chunk { first: first + instances, instances: all - instances };
        let split = |row: &mut &'r mut [u8]| {
            let bytes = row.len() as u64 / all * instances;
            let (first, rest) = mem::take(row).split_at_mut(bytes as usize);
            *row = rest;
            first
        };
        Self { chunk: Chunk { first, instances }, rows: self.rows.iter_mut().map(split).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_all_rows_once_also_those_given_back() {
        let mut bytes = [0_u8; 2 * 10 * 3];
        let cursor = Cursor::new(10, bytes.chunks_mut(30).collect(), 1);
        let fill = |mut piece: Piece<'_>| {
            for row in &mut piece.rows {
                assert_eq!(row.len() as u64, 3 * piece.chunk.instances);
                row.iter_mut().for_each(|byte| *byte += 1);
            }
            cursor.done(0, &piece.chunk, &[0, 1, 0][..piece.chunk.instances.min(3) as usize]);
        };
        fill(cursor.take(0, 3).unwrap());
        let other = cursor.take(0, 4).unwrap();
        assert_eq!(other.chunk, Chunk { first: 3, instances: 4 });
        cursor.give_back(0, other);
        while let Some(piece) = cursor.wait(0, 3) {
            fill(piece);
        }
        assert_eq!(cursor.into_marked(), Some(vec![(1, 1), (4, 1), (8, 1)]));
        assert_eq!(bytes, [1; 60]);
    }

    #[test]
    fn whoever_waits_gets_what_another_gives_back() {
        let cursor = Cursor::new(5, vec![], 1);
        let piece = cursor.take(0, 9).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| cursor.wait(0, 9).map(|piece| piece.chunk.instances));
            cursor.give_back(0, piece);
            assert_eq!(waiting.join().unwrap(), Some(5));
        });
        cursor.stop();
        assert!(cursor.wait(0, 1).is_none() && cursor.into_marked().is_none());
    }
}
