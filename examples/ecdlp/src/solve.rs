//! From walks to the logarithm.

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

/// The usual time between two files of places: what a worker that is killed walks again. Points are committed more often.
pub const PLACES: Duration = Duration::from_secs(20);

/// A worker: its walks, where they are, and what it has done. While it walks a segment, the points of the one before are
/// committed, and now and then the places of the walks. Behind a crash it walks again from the last places: the
/// points that are found twice are the same.
#[derive(Debug)]
pub struct Worker {
    store: Store,
    number: u32,
    walks: Walks,
    /// The last places that are committed.
    done: Done,
    /// The life of the walks, and its segments whose points are committed.
    reached: (u32, u32),
    /// When places were committed last.
    kept: Instant,
    /// The time between two commits of places.
    every: Duration,
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
    /// The worker of this number, where it has stopped, or a new one with these sizes, which commits its places every so
    /// often.
    ///
    /// # Errors
    /// [`EcdlpError::Store`], [`EcdlpError::File`] and [`EcdlpError::Damaged`] for files that cannot be read.
    pub fn new(store: Store, number: u32, sizes: Sizes, every: Duration) -> Result<Self, EcdlpError> {
        let fresh = Done { sizes, epoch: 0, segments: 0, points: None };
        let done = store.done(number)?.unwrap_or(fresh);
        let walks = Walks::new(&store.curve, &store.setting, done.sizes, number)?;
        let ty = IntType::unsigned(store.curve.bits().into());
        let ty = ty.unwrap_or_else(|_| broken_invariant("a curve without bits"));
        let read = |points| saved::read(store.path(), points, ty, done.sizes.walks() as usize);
        let at = done.points.as_ref().map(read).transpose()?.map(Arc::new);
        let reached = (done.epoch, done.segments);
        saved::sweep(store.path(), number, done.points.as_ref().map(|(name, _)| &**name));
        Ok(Self { store, number, walks, done, reached, kept: Instant::now(), every, at, walked: None })
    }

    /// Where it goes on after a crash.
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
        let mut committed = None;
        let (walked, time) = thread::scope(|scope| {
            if let Some(walked) = &self.walked {
                scope.spawn(|| committed = Some(self.committed(walked, false)));
            }
            walk()
        });
        let mut segment = self.note(committed)?;
        let (next, found) = walked?;
        self.at = (segments + 1 < sizes.life).then(|| Arc::new(next));
        self.walked = Some(Walked { next: self.at.clone(), found });
        (segment.steps, segment.walked) = (length * sizes.walks(), time);
        Ok(segment)
    }

    /// Commits the last segment, and where the walks are.
    ///
    /// # Errors
    /// [`EcdlpError`] of the store, which is left as it was.
    pub fn finish(&mut self) -> Result<Segment, EcdlpError> {
        let committed = self.walked.as_ref().map(|walked| self.committed(walked, true));
        self.note(committed)
    }

    /// The life of the walks and their segments so far, with that which is not committed.
    const fn position(&self) -> (u32, u32) {
        let (epoch, segments) = self.reached;
        match (&self.walked, segments + 1 == self.done.sizes.life) {
            (None, _) => (epoch, segments),
            (Some(_), false) => (epoch, segments + 1),
            (Some(_), true) => (epoch + 1, 0),
        }
    }

    /// Notes a commit.
    fn note(
        &mut self,
        committed: Option<Result<(Option<Done>, Segment), EcdlpError>>,
    ) -> Result<Segment, EcdlpError> {
        let Some((done, segment)) = committed.transpose()? else { return Ok(Segment::default()) };
        (self.reached, self.walked) = (self.position(), None);
        if let Some(done) = done {
            (self.done, self.kept) = (done, Instant::now());
        }
        Ok(segment)
    }

    /// Commits a segment and looks for the logarithm. With the places of the walks where the last ones are old, at the end of a
    /// life, or if it is asked for.
    fn committed(&self, walked: &Walked, with_places: bool) -> Result<(Option<Done>, Segment), EcdlpError> {
        let start = Instant::now();
        let is_due = with_places || walked.next.is_none() || self.kept.elapsed() >= self.every;
        let done = if is_due { Some(self.places(walked)?) } else { None };
        let rows = self.walks.rows(&walked.found);
        let new = self.store.add(&rows, done.as_ref().map(|done| (self.number, done)))?;
        if let (Some(_), Some((name, _))) = (&done, &self.done.points) {
            saved::remove(self.store.path(), name);
        }
        let found = self.look()?;
        Ok((done, Segment { new, found, stored: start.elapsed(), ..Segment::default() }))
    }

    /// Writes where the walks are after a segment.
    fn places(&self, walked: &Walked) -> Result<Done, EcdlpError> {
        let (path, (epoch, segments)) = (self.store.path(), self.position());
        let write =
            |next: &Arc<Points>| saved::write(path, &saved::name(path, self.number, epoch, segments), next);
        let points = walked.next.as_ref().map(write).transpose()?;
        Ok(Done { sizes: self.done.sizes, epoch, segments, points })
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
