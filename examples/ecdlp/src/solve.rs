//! From walks to the logarithm.

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

/// A worker: its walks, where they are, and what it has done.
#[derive(Debug)]
pub struct Worker {
    store: Store,
    number: u32,
    walks: Walks,
    done: Done,
    at: Option<Points>,
}

/// What a segment has brought.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Steps of all walks.
    pub steps: u64,
    /// Distinguished points that are new.
    pub new: u64,
    /// The time of the walks.
    pub walked: Duration,
    /// The time of the store.
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
        Ok(Self { store, number, walks, done, at })
    }

    /// What it has done.
    #[must_use]
    pub const fn done(&self) -> &Done {
        &self.done
    }

    /// Computes a segment, and commits what it has found. An error leaves the store as it was.
    ///
    /// # Errors
    /// [`EcdlpError`] of the device or of the store.
    pub fn segment(&mut self, engine: &Engine) -> Result<Segment, EcdlpError> {
        let (sizes, start) = (self.done.sizes, Instant::now());
        let length = sizes.segment(&self.store.setting);
        let before = u64::from(self.done.segments) * length;
        let epoch = self.done.epoch;
        if self.at.is_none() {
            self.at = Some(self.walks.starts(engine, epoch)?);
        }
        let Some(at) = &self.at else { broken_invariant("walks without a place") };
        let (next, mut rows) = self.walks.advance(engine, at, (epoch, before), sizes.rounds)?;
        let (walked, start) = (start.elapsed(), Instant::now());
        let new = self.commit(next, &mut rows)?;
        Ok(Segment { steps: length * sizes.walks(), new, walked, stored: start.elapsed() })
    }

    fn commit(&mut self, next: Points, rows: &mut [Row]) -> Result<u64, EcdlpError> {
        let path = self.store.path().to_owned();
        let mut done = self.done.clone();
        done.segments += 1;
        let is_over = done.segments == done.sizes.life;
        if is_over {
            (done.epoch, done.segments, done.points) = (done.epoch + 1, 0, None);
        } else {
            let name = saved::name(&path, self.number, done.epoch, done.segments);
            done.points = Some(saved::write(&path, &name, &next)?);
        }
        let new = self.store.add(rows, Some((self.number, &done)))?;
        if let Some((name, _)) = &self.done.points {
            saved::remove(&path, name);
        }
        self.done = done;
        self.at = (!is_over).then_some(next);
        Ok(new)
    }

    /// Looks into the pairs of the store: the logarithm, verified, if one of them gives it.
    ///
    /// # Errors
    /// [`EcdlpError`] of the store.
    pub fn look(&self) -> Result<Option<BigUint>, EcdlpError> {
        look(&self.store, self.walks.table())
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
