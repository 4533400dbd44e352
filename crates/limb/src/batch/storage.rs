//! The memory of a batch: a vector, or memory with a foreign owner.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

/// Memory that a batch reads but does not own: an Arrow buffer, a Python array, a mapped file.
///
/// `as_ref` must return the same slice with the same limbs for the lifetime of the owner.
pub type SharedLimbs<B> = Arc<dyn AsRef<[B]> + Send + Sync>;

/// A range of limbs. Clones and parts share the memory; the first write to shared memory copies the range.
pub(super) struct Storage<B> {
    owner: Owner<B>,
    range: Range<usize>,
}

enum Owner<B> {
    Batches(Arc<Vec<B>>),
    Foreign(SharedLimbs<B>),
}

impl<B> Storage<B> {
    /// All limbs of foreign memory.
    pub(super) fn shared(limbs: SharedLimbs<B>) -> Self {
        let range = 0..(*limbs).as_ref().len();
        Self { owner: Owner::Foreign(limbs), range }
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
}

impl<B: Clone> Storage<B> {
    /// The limbs as a vector, without a copy if they are not shared.
    pub(super) fn into_vec(self) -> Vec<B> {
        let Self { owner, range } = self;
        match owner {
            Owner::Batches(limbs) if range == (0..limbs.len()) => Arc::unwrap_or_clone(limbs),
            owner => Self { owner, range }.to_vec(),
        }
    }
}

impl<B> Deref for Storage<B> {
    type Target = [B];

    #[inline]
    fn deref(&self) -> &[B] {
        let limbs = match &self.owner {
            Owner::Batches(limbs) => limbs,
            Owner::Foreign(limbs) => (**limbs).as_ref(),
        };
        &limbs[self.range.clone()]
    }
}

impl<B: Clone> DerefMut for Storage<B> {
    fn deref_mut(&mut self) -> &mut [B] {
        let is_own = match &mut self.owner {
            Owner::Batches(limbs) => Arc::get_mut(limbs).is_some(),
            Owner::Foreign(_) => false,
        };
        if !is_own {
            *self = Self::from(self.to_vec());
        }
        match &mut self.owner {
            Owner::Batches(limbs) => &mut Arc::make_mut(limbs)[self.range.clone()],
            Owner::Foreign(_) => unreachable!("foreign limbs were copied"),
        }
    }
}

impl<B> From<Vec<B>> for Storage<B> {
    fn from(limbs: Vec<B>) -> Self {
        let range = 0..limbs.len();
        Self { owner: Owner::Batches(Arc::new(limbs)), range }
    }
}

impl<B> Clone for Owner<B> {
    fn clone(&self) -> Self {
        match self {
            Self::Batches(limbs) => Self::Batches(Arc::clone(limbs)),
            Self::Foreign(limbs) => Self::Foreign(Arc::clone(limbs)),
        }
    }
}

impl<B> Clone for Storage<B> {
    fn clone(&self) -> Self {
        Self { owner: self.owner.clone(), range: self.range.clone() }
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
