//! From walks to the logarithm.

use std::panic::resume_unwind;
use std::thread;
use std::time::{Duration, Instant};

use limbforge::limb::IntType;
use limbforge::num_bigint::BigUint;
use limbforge::prelude::Engine;

use crate::error::{EcdlpError, broken_invariant};
use crate::replay::{Table, logarithm};
use crate::row::Row;
use crate::saved;
use crate::setting::Sizes;
use crate::store::{Done, Store};
use crate::walks::{Points, Walks};

/// A worker: its walks, where they are, and what it has done. While it walks a segment, the one before goes into the
/// store.
#[derive(Debug)]
pub struct Worker {
    store: Store,
    number: u32,
    walks: Walks,
    /// What is in the store.
    done: Done,
    /// The segment that comes next, and where its walks are; none at the start of a life.
    next: Next,
    at: Option<Points>,
    /// What the last segment has found, which is not in the store yet.
    found: Option<Vec<Row>>,
}

/// A segment of a life of the walks.
#[derive(Clone, Copy, Debug)]
struct Next {
    epoch: u32,
    segments: u32,
}

/// What a segment has brought.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Steps of all walks.
    pub steps: u64,
    /// Distinguished points of the segment before that are new.
    pub new: u64,
    /// The time of the walks.
    pub walked: Duration,
    /// The time of the store, beside the walks.
    pub stored: Duration,
}

impl Worker {
    /// The worker of this number, where it has stopped, or a new one with these sizes.
    ///
    /// # Errors
    /// [`EcdlpError::Store`], [`EcdlpError::File`] and [`EcdlpError::Damaged`] for files that cannot be read.
    pub fn new(store: Store, number: u32, sizes: Sizes) -> Result<Self, EcdlpError> {
        let fresh = Done { sizes, epoch: 0, segments: 0, points: None };
        let done = store.done(number)?.unwrap_or(fresh);
        let walks = Walks::new(&store.curve, &store.setting, done.sizes, number)?;
        let ty = IntType::unsigned(store.curve.bits().into());
        let ty = ty.unwrap_or_else(|_| broken_invariant("a curve without bits"));
        let read = |points| saved::read(store.path(), points, ty, done.sizes.walks() as usize);
        let at = done.points.as_ref().map(read).transpose()?;
        let next = Next { epoch: done.epoch, segments: done.segments };
        Ok(Self { store, number, walks, done, next, at, found: None })
    }

    /// What it has done.
    #[must_use]
    pub const fn done(&self) -> &Done {
        &self.done
    }

    /// Computes a segment, while what the one before has found is committed. An error of one of both leaves the store
    /// without it.
    ///
    /// # Errors
    /// [`EcdlpError`] of the device or of the store.
    pub fn segment(&mut self, engine: &Engine) -> Result<Segment, EcdlpError> {
        let start = Instant::now();
        let sizes = self.done.sizes;
        let length = sizes.segment(&self.store.setting);
        let mut found = self.found.take();
        let worker = &*self;
        let (walked, committed) = thread::scope(|scope| {
            let commit = scope.spawn(|| found.as_mut().map(|rows| worker.committed(rows)).transpose());
            let walked = worker.walked(engine).map(|walked| (walked, start.elapsed()));
            (walked, commit.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        let (new, stored) = self.note(committed?);
        let ((next, rows), walked) = walked?;
        self.next.segments += 1;
        let is_over = self.next.segments == sizes.life;
        if is_over {
            self.next = Next { epoch: self.next.epoch + 1, segments: 0 };
        }
        (self.at, self.found) = ((!is_over).then_some(next), Some(rows));
        Ok(Segment { steps: length * sizes.walks(), new, walked, stored })
    }

    /// Commits what the last segment has found. Returns how many points are new, and the time of the store.
    ///
    /// # Errors
    /// [`EcdlpError`] of the store.
    pub fn finish(&mut self) -> Result<(u64, Duration), EcdlpError> {
        let mut found = self.found.take();
        let committed = found.as_mut().map(|rows| self.committed(rows)).transpose()?;
        Ok(self.note(committed))
    }

    /// Where the next segment leads, and the points that it meets.
    fn walked(&self, engine: &Engine) -> Result<(Points, Vec<Row>), EcdlpError> {
        let (sizes, Next { epoch, segments }) = (self.done.sizes, self.next);
        let before = u64::from(segments) * sizes.segment(&self.store.setting);
        let fresh = if self.at.is_none() { Some(self.walks.starts(engine, epoch)?) } else { None };
        let Some(at) = self.at.as_ref().or(fresh.as_ref()) else { broken_invariant("walks without a place") };
        self.walks.advance(engine, at, (epoch, before), sizes.rounds)
    }

    /// Puts rows into the store, with where the walks are behind them.
    fn committed(&self, rows: &mut [Row]) -> Result<Committed, EcdlpError> {
        let (start, path) = (Instant::now(), self.store.path());
        let Next { epoch, segments } = self.next;
        let name = saved::name(path, self.number, epoch, segments);
        let points = self.at.as_ref().map(|at| saved::write(path, &name, at)).transpose()?;
        let done = Done { epoch, segments, points, ..self.done.clone() };
        let new = self.store.add(rows, Some((self.number, &done)))?;
        if let Some((name, _)) = &self.done.points {
            saved::remove(path, name);
        }
        Ok(Committed { done, new, time: start.elapsed() })
    }

    fn note(&mut self, committed: Option<Committed>) -> (u64, Duration) {
        let Some(Committed { done, new, time }) = committed else { return (0, Duration::ZERO) };
        self.done = done;
        (new, time)
    }

    /// Looks into the pairs of the store: the logarithm, verified, if one of them gives it.
    ///
    /// # Errors
    /// [`EcdlpError`] of the store.
    pub fn look(&self) -> Result<Option<BigUint>, EcdlpError> {
        look(&self.store, self.walks.table())
    }
}

/// What a commit has put into the store.
struct Committed {
    done: Done,
    new: u64,
    time: Duration,
}

/// Looks into the pairs of a store: the logarithm, verified, if one of them gives it.
///
/// # Errors
/// [`EcdlpError`] of the store.
pub fn look(store: &Store, table: &Table) -> Result<Option<BigUint>, EcdlpError> {
    let (mut settled, mut found) = (vec![], None);
    for (x, pair) in store.pairs()? {
        settled.push(x);
        found = logarithm(&store.curve, &store.setting, table, pair);
        if found.is_some() {
            break;
        }
    }
    if !settled.is_empty() {
        store.settle(&settled, found.as_ref())?;
    }
    Ok(found)
}
