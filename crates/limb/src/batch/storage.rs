//! The memory of a batch: the order of its limbs, and their owner.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

use crate::{base::Base, invariant::broken_invariant};

/// The order of a batch's limbs in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Layout {
    /// The limbs of an instance are contiguous: limb j of instance i is at `i * M + j`.
    #[default]
    InstanceMajor,
    /// The j-th limbs of all instances are contiguous: limb j of instance i is at `j * N + i`. Threads with
    /// one instance each then read neighbouring addresses (Carlessi and Kashani, "coalesced").
    Interleaved,
}

impl Layout {
    /// The index of limb `j` of instance `i`, of N instances of M limbs.
    #[must_use]
    pub const fn index(self, instances: usize, limbs_per_instance: usize, i: usize, j: usize) -> usize {
        match self {
            Self::InstanceMajor => i * limbs_per_instance + j,
            Self::Interleaved => j * instances + i,
        }
    }
}

/// Side of a tile of the transposition: two tiles fit the first-level cache.
const TILE: usize = 32;

/// The columns of a `rows` x `columns` matrix as rows.
pub(super) fn transpose<B: Base>(matrix: &[B], rows: usize, columns: usize) -> Vec<B> {
    let mut out = vec![B::ZERO; matrix.len()];
    for row_tile in (0..rows).step_by(TILE) {
        for column_tile in (0..columns).step_by(TILE) {
            for row in row_tile..(row_tile + TILE).min(rows) {
                for column in column_tile..(column_tile + TILE).min(columns) {
                    out[column * rows + row] = matrix[row * columns + column];
                }
            }
        }
    }
    out
}

/// Memory that a batch reads but does not own: an Arrow buffer, a Python array, a mapped file.
///
/// `as_ref` must return the same slice with the same limbs for the lifetime of the owner.
pub type SharedLimbs<B> = Arc<dyn AsRef<[B]> + Send + Sync>;

/// Memory that a batch has for itself and writes to, such as a GPU's page-locked memory.
///
/// `as_ref` and `as_mut` must return the same slice for the lifetime of the memory, which ends with the last
/// batch that uses it.
pub trait LimbMemory<B>: AsRef<[B]> + AsMut<[B]> + Send + Sync {}

impl<B, T: AsRef<[B]> + AsMut<[B]> + Send + Sync> LimbMemory<B> for T {}

/// A range of limbs. Clones and parts share the memory; the first write to shared memory copies the range.
#[derive(Clone)]
pub(super) struct Storage<B> {
    owner: Owner<B>,
    range: Range<usize>,
}

#[derive(Clone)]
enum Owner<B> {
    Batches(Arc<Vec<B>>),
    Writable(Arc<dyn LimbMemory<B>>),
    Foreign(SharedLimbs<B>),
}

impl<B: Clone> Storage<B> {
    /// All limbs of foreign memory.
    pub(super) fn shared(limbs: SharedLimbs<B>) -> Self {
        let range = 0..(*limbs).as_ref().len();
        Self { owner: Owner::Foreign(limbs), range }
    }

    /// All limbs of memory that nobody else has.
    pub(super) fn writable(limbs: impl LimbMemory<B> + 'static) -> Self {
        let range = 0..limbs.as_ref().len();
        Self { owner: Owner::Writable(Arc::new(limbs)), range }
    }

    /// A part, without a copy.
    ///
    /// # Panics
    /// Unless the range lies within, as slicing does.
    pub(super) fn part(&self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.range.len(), "the range lies within the batch");
        let range = self.range.start + range.start..self.range.start + range.end;
        Self { owner: self.owner.clone(), range }
    }

    /// The limbs as a vector, without a copy if they are not shared.
    pub(super) fn into_vec(self) -> Vec<B> {
        match self.owner {
            Owner::Batches(limbs) if self.range == (0..limbs.len()) => Arc::unwrap_or_clone(limbs),
            owner => Self { owner, ..self }.to_vec(),
        }
    }
}

impl<B> Deref for Storage<B> {
    type Target = [B];

    #[inline]
    fn deref(&self) -> &[B] {
        let limbs = match &self.owner {
            Owner::Batches(limbs) => limbs,
            Owner::Writable(limbs) => (**limbs).as_ref(),
            Owner::Foreign(limbs) => (**limbs).as_ref(),
        };
        &limbs[self.range.clone()]
    }
}

impl<B: Clone> DerefMut for Storage<B> {
    fn deref_mut(&mut self) -> &mut [B] {
        let is_own = match &mut self.owner {
            Owner::Batches(limbs) => Arc::get_mut(limbs).is_some(),
            Owner::Writable(limbs) => Arc::get_mut(limbs).is_some(),
            Owner::Foreign(_) => false,
        };
        if !is_own {
            *self = Self::from(self.to_vec());
        }
        let limbs = match &mut self.owner {
            Owner::Batches(limbs) => Arc::get_mut(limbs).map(Vec::as_mut_slice),
            Owner::Writable(limbs) => Arc::get_mut(limbs).map(AsMut::as_mut),
            Owner::Foreign(_) => None,
        };
        match limbs {
            Some(limbs) => &mut limbs[self.range.clone()],
            None => broken_invariant("shared limbs are copied before they are written"),
        }
    }
}

impl<B> From<Vec<B>> for Storage<B> {
    fn from(limbs: Vec<B>) -> Self {
        let range = 0..limbs.len();
        Self { owner: Owner::Batches(Arc::new(limbs)), range }
    }
}

impl<B: PartialEq> PartialEq for Storage<B> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<B: Eq> Eq for Storage<B> {}

impl<B: Hash> Hash for Storage<B> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<B: fmt::Debug> fmt::Debug for Storage<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(feature = "serde")]
impl<B: serde::Serialize> serde::Serialize for Storage<B> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}
