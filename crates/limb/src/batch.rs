//! Many integers of one type in one allocation.

mod access;
mod convert;
mod foreign;
mod select;
mod storage;

pub use access::Instances;
pub use storage::{Layout, LimbMemory, SharedLimbs};

use self::storage::{Storage, transpose};
use crate::{base::Base, error::BatchError, int_type::IntType, invariant::broken_invariant, slice::bits};

/// N integers of one [`IntType`], M limbs each, stored together.
///
/// Each integer is stored as its residue in `0..2^bits`: bits above the width are zero in memory, for two's
/// complement numbers too. Equality compares type, layout and values. Clones and [slices](Batch::slice) share
/// memory; writing copies it first. The memory may be foreign: with another owner
/// ([`from_shared`](Batch::from_shared)), or of another kind ([`from_memory`](Batch::from_memory)).
///
/// ```
/// use limbforge_limb::{Batch, IntType, Layout};
/// let batch = Batch::<u64>::from_limbs(IntType::unsigned(128)?, Layout::InstanceMajor, vec![1, 2, 3, 4])?;
/// assert_eq!((batch.instances(), batch.limbs_per_instance()), (2, 2));
/// assert_eq!(batch.instance(1), [3, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize))]
pub struct Batch<B> {
    ty: IntType,
    layout: Layout,
    instances: usize,
    limbs: Storage<B>,
}

impl<B: Base> Batch<B> {
    /// N zeros.
    ///
    /// # Errors
    /// [`BatchError::TooLarge`] if N * M limbs cannot be addressed.
    pub fn zeros(ty: IntType, layout: Layout, instances: usize) -> Result<Self, BatchError> {
        let limbs_per_instance = ty.limbs::<B>();
        let len = instances
            .checked_mul(limbs_per_instance)
            .filter(|len| len.checked_mul(B::BYTES).is_some_and(|bytes| isize::try_from(bytes).is_ok()))
            .ok_or(BatchError::TooLarge { instances, limbs_per_instance })?;
        Ok(Self { ty, layout, instances, limbs: vec![B::ZERO; len].into() })
    }

    /// The batch with these limbs; their number determines N.
    ///
    /// # Errors
    /// [`BatchError::Length`] unless the number of limbs is a multiple of M; [`BatchError::Range`] if an
    /// instance has bits above the width.
    pub fn from_limbs(ty: IntType, layout: Layout, limbs: Vec<B>) -> Result<Self, BatchError> {
        Self::from_storage(ty, layout, limbs.into())
    }

    fn from_storage(ty: IntType, layout: Layout, limbs: Storage<B>) -> Result<Self, BatchError> {
        let batch = Self::whole(ty, layout, limbs)?;
        let mask = bits::top_mask::<B>(ty.bits());
        if mask == B::HIGHEST {
            return Ok(batch);
        }
        let top = batch.limbs_per_instance() - 1;
        let above = |&instance: &usize| batch.limb(instance, top) & !mask != B::ZERO;
        match (0..batch.instances).find(above) {
            Some(instance) => Err(BatchError::Range { instance, ty }),
            None => Ok(batch),
        }
    }

    /// A batch of whole instances, whose bits above the width are not looked at.
    fn whole(ty: IntType, layout: Layout, limbs: Storage<B>) -> Result<Self, BatchError> {
        let limbs_per_instance = ty.limbs::<B>();
        let instances = limbs.len() / limbs_per_instance;
        let expected = instances * limbs_per_instance;
        match limbs.len() {
            found if found == expected => Ok(Self { ty, layout, instances, limbs }),
            found => Err(BatchError::Length { expected, instances, limbs_per_instance, found }),
        }
    }

    /// The instance-major batch of whole instances that have no bits above the width.
    pub(crate) fn from_residues(ty: IntType, limbs: Vec<B>) -> Self {
        let instances = limbs.len() / ty.limbs::<B>();
        if limbs.len() != instances * ty.limbs::<B>() {
            broken_invariant("limbs are whole instances");
        }
        Self { ty, layout: Layout::InstanceMajor, instances, limbs: limbs.into() }
    }

    /// The type of the integers.
    #[must_use]
    pub const fn ty(&self) -> IntType {
        self.ty
    }

    /// The order of the limbs in memory.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// N, the number of integers.
    #[must_use]
    pub const fn instances(&self) -> usize {
        self.instances
    }

    /// M, limbs per integer.
    #[must_use]
    pub const fn limbs_per_instance(&self) -> usize {
        self.ty.limbs::<B>()
    }

    /// All N * M limbs, in the batch's layout.
    #[must_use]
    pub fn limbs(&self) -> &[B] {
        &self.limbs
    }

    /// All N * M limbs for writing. Bits above the width must stay zero: [`truncate`](Batch::truncate).
    #[must_use]
    pub fn limbs_mut(&mut self) -> &mut [B] {
        &mut self.limbs
    }

    /// The limbs, in the batch's layout; a copy if they are shared.
    #[must_use]
    pub fn into_limbs(self) -> Vec<B> {
        self.limbs.into_vec()
    }

    /// The same integers in another layout.
    #[must_use]
    pub fn into_layout(self, layout: Layout) -> Self {
        if layout == self.layout {
            return self;
        }
        let m = self.limbs_per_instance();
        let limbs = match layout {
            Layout::Interleaved => transpose(&self.limbs, self.instances, m),
            Layout::InstanceMajor => transpose(&self.limbs, m, self.instances),
        };
        Self { layout, limbs: limbs.into(), ..self }
    }
}
