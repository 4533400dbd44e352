//! Batches in memory that is not a vector of their own.

use super::storage::Storage;
use super::{Batch, Layout, LimbMemory, SharedLimbs};
use crate::{base::Base, error::BatchError, int_type::IntType, slice::bits};

impl<B: Base> Batch<B> {
    /// The batch of limbs with a foreign owner, without a copy. Writing copies them first.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use limbforge_limb::{Batch, IntType, Layout};
    ///
    /// let memory: Arc<Vec<u64>> = Arc::new(vec![1, 2, 3, 4]);
    /// let batch = Batch::from_shared(IntType::unsigned(128)?, Layout::InstanceMajor, memory.clone())?;
    /// assert_eq!(batch.limbs().as_ptr(), memory.as_ptr());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_limbs`](Batch::from_limbs).
    pub fn from_shared(ty: IntType, layout: Layout, limbs: SharedLimbs<B>) -> Result<Self, BatchError> {
        Self::from_storage(ty, layout, Storage::shared(limbs))
    }

    /// The batch in memory of a special kind, without a copy: the integers that it holds, modulo `2^bits`.
    ///
    /// The batch writes to this memory while no clone or slice shares it. The last batch that uses the memory
    /// drops it.
    ///
    /// ```
    /// use limbforge_limb::{Batch, IntType, Layout};
    ///
    /// let pages: Box<[u64]> = vec![1, 2, 3, u64::MAX].into(); // or page-locked, or a mapped file
    /// let address = pages.as_ptr();
    /// let mut batch = Batch::from_memory(IntType::unsigned(100)?, Layout::InstanceMajor, pages)?;
    /// batch.set_instance(0, &[7, 0]);
    /// assert_eq!(batch.limbs(), [7, 0, 3, (1 << 36) - 1]);
    /// assert_eq!(batch.limbs().as_ptr(), address);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Length`] unless the number of limbs is a multiple of M.
    pub fn from_memory(
        ty: IntType,
        layout: Layout,
        memory: impl LimbMemory<B> + 'static,
    ) -> Result<Self, BatchError> {
        let mut batch = Self::in_memory_to_write(ty, layout, memory)?;
        if bits::top_mask::<B>(ty.bits()) != B::HIGHEST {
            batch.truncate();
        }
        Ok(batch)
    }

    /// As [`from_memory`](Batch::from_memory), for a caller that writes all limbs before anyone reads them:
    /// bits above the width are left as they are.
    #[doc(hidden)]
    pub fn in_memory_to_write(
        ty: IntType,
        layout: Layout,
        memory: impl LimbMemory<B> + 'static,
    ) -> Result<Self, BatchError> {
        Self::whole(ty, layout, Storage::writable(memory))
    }
}
