//! From walks to the logarithm.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use limbforge::limb::IntType;
use limbforge::num_bigint::BigUint;
use limbforge::prelude::Engine;

use crate::error::{EcdlpError, broken_invariant};
use crate::replay::{Table, logarithm};
use crate::saved;
use crate::setting::Sizes;
use crate::store::{Done, Store};
use crate::walks::{Found, Points, Walks};

/// A worker: its walks, where they are, and what it has done. While it walks a segment, the one before is
/// committed.
#[derive(Debug)]
pub struct Worker {
    store: Store,
    number: u32,
    walks: Walks,
    /// What is committed.
    done: Done,
    at: Option<Arc<Points>>,
    walked: Option<Walked>,
}

/// A segment that is not committed yet.
#[derive(Debug)]
struct Walked {
    /// Where the walks are then; none at the end of their life.
    next: Option<Arc<Points>>,
    found: Found,
}

/// What a segment has brought, and the commit of the one before.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    /// Steps of all walks.
    pub steps: u64,
    /// Distinguished points of the commit that are new.
    pub new: u64,
    /// The logarithm, if the store has it now.
    pub found: Option<BigUint>,
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
        let at = done.points.as_ref().map(read).transpose()?.map(Arc::new);
        Ok(Self { store, number, walks, done, at, walked: None })
    }

    /// What it has committed.
    #[must_use]
    pub const fn done(&self) -> &Done {
        &self.done
    }

    /// Computes where the walks start, unless they have started.
    ///
    /// # Errors
    /// [`EcdlpError::Engine`] if the device fails.
    pub fn prepare(&mut self, engine: &Engine) -> Result<(), EcdlpError> {
        if self.at.is_none() {
            let epoch = self.position().0;
            self.at = Some(Arc::new(self.walks.starts(engine, epoch)?));
        }
        Ok(())
    }

    /// Computes a segment, and commits the one before meanwhile. An error of the store leaves it as it was.
    ///
    /// # Errors
    /// [`EcdlpError`] of the device or of the store.
    pub fn segment(&mut self, engine: &Engine) -> Result<Segment, EcdlpError> {
        self.prepare(engine)?;
        let Some(at) = self.at.clone() else { broken_invariant("walks without a place") };
        let (sizes, (epoch, segments)) = (self.done.sizes, self.position());
        let length = sizes.segment(&self.store.setting);
        let walk = || {
            let (start, before) = (Instant::now(), u64::from(segments) * length);
            let walked = self.walks.walk(engine, &at, (epoch, before), sizes.rounds);
            (walked, start.elapsed())
        };
        let (committed, (walked, time)) = thread::scope(|scope| {
            let commit = self.walked.as_ref().map(|walked| scope.spawn(|| self.committed(walked)));
            let walked = walk();
            let join = |thread: thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| resume_unwind(panic))
            };
            (commit.map(join), walked)
        });
        let mut segment = self.note(committed)?;
        let (next, found) = walked?;
        self.at = (segments + 1 < sizes.life).then(|| Arc::new(next));
        self.walked = Some(Walked { next: self.at.clone(), found });
        (segment.steps, segment.walked) = (length * sizes.walks(), time);
        Ok(segment)
    }

    /// Commits the last segment.
    ///
    /// # Errors
    /// [`EcdlpError`] of the store, which is left as it was.
    pub fn finish(&mut self) -> Result<Segment, EcdlpError> {
        let committed = self.walked.as_ref().map(|walked| self.committed(walked));
        self.note(committed)
    }

    /// The life of the walks and their segments so far, with that which is not committed.
    fn position(&self) -> (u32, u32) {
        match (&self.walked, self.done.segments + 1 == self.done.sizes.life) {
            (None, _) => (self.done.epoch, self.done.segments),
            (Some(_), false) => (self.done.epoch, self.done.segments + 1),
            (Some(_), true) => (self.done.epoch + 1, 0),
        }
    }

    /// Notes a commit.
    fn note(
        &mut self,
        committed: Option<Result<(Done, Segment), EcdlpError>>,
    ) -> Result<Segment, EcdlpError> {
        let Some((done, segment)) = committed.transpose()? else { return Ok(Segment::default()) };
        (self.done, self.walked) = (done, None);
        Ok(segment)
    }

    /// Commits a segment and looks for the logarithm.
    fn committed(&self, walked: &Walked) -> Result<(Done, Segment), EcdlpError> {
        let (start, path) = (Instant::now(), self.store.path());
        let (epoch, segments) = self.position();
        let mut done = Done { epoch, segments, points: None, ..self.done.clone() };
        if let Some(next) = &walked.next {
            let name = saved::name(path, self.number, epoch, segments);
            done.points = Some(saved::write(path, &name, next)?);
        }
        let mut rows = self.walks.rows(&walked.found);
        let new = self.store.add(&mut rows, Some((self.number, &done)))?;
        if let Some((name, _)) = &self.done.points {
            saved::remove(path, name);
        }
        let found = self.look()?;
        Ok((done, Segment { new, found, stored: start.elapsed(), ..Segment::default() }))
    }

    /// Looks into the pairs of the store: the logarithm, verified, if one of them gives it or another process
    /// has found it.
    ///
    /// # Errors
    /// [`EcdlpError`] of the store.
    pub fn look(&self) -> Result<Option<BigUint>, EcdlpError> {
        Ok(look(&self.store, self.walks.table())?.or(self.store.summary()?.logarithm))
    }
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
