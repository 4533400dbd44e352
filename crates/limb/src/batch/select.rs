//! Parts of batches, and concatenation.

use core::ops::Range;

use super::{Batch, Layout};
use crate::{base::Base, error::BatchError};

impl<B: Base> Batch<B> {
    /// The instances of a range, in the same layout. A slice of an instance-major batch shares its memory
    /// until either is written to, and keeps all of that memory alive.
    ///
    /// ```
    /// use limbforge_limb::{Batch, IntType, Layout};
    /// let batch = Batch::<u64>::from_u64s(IntType::unsigned(64)?, Layout::InstanceMajor, &[7, 8, 9])?;
    /// let slice = batch.slice(1..3);
    /// assert_eq!(slice.to_u64s()?, [8, 9]);
    /// assert_eq!(slice.limbs().as_ptr(), &raw const batch.limbs()[1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the range reaches past the batch, as slicing does.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Self {
        let (m, count) = (self.limbs_per_instance(), range.len());
        match self.layout {
            Layout::InstanceMajor => {
                let limbs = self.limbs.part(range.start * m..range.end * m);
                Self { instances: count, limbs, ..*self }
            }
            Layout::Interleaved => {
                assert!(range.end <= self.instances, "the range lies within the batch");
                let mut limbs = vec![B::ZERO; count * m];
                self.read_instances(range.start, &mut limbs);
                Self::from_residues(self.ty, limbs).into_layout(self.layout)
            }
        }
    }

    /// The instances with these indices, in this order and in the same layout. An index may repeat.
    ///
    /// ```
    /// use limbforge_limb::{Batch, IntType, Layout};
    /// let batch = Batch::<u64>::from_u64s(IntType::unsigned(64)?, Layout::InstanceMajor, &[7, 8, 9])?;
    /// assert_eq!(batch.take(&[2, 0, 2])?.to_u64s()?, [9, 7, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Index`] for the first index that is N or more, [`BatchError::TooLarge`] if the limbs
    /// cannot be addressed.
    pub fn take(&self, indices: &[usize]) -> Result<Self, BatchError> {
        let mut limbs = Self::zeros(self.ty, Layout::InstanceMajor, indices.len())?;
        for (out, &index) in limbs.limbs_mut().chunks_exact_mut(self.limbs_per_instance()).zip(indices) {
            if index >= self.instances {
                return Err(BatchError::Index { index, instances: self.instances });
            }
            self.read_instances(index, out);
        }
        Ok(limbs.into_layout(self.layout))
    }

    /// The concatenation of batches of one type, in the layout of the first.
    ///
    /// ```
    /// use limbforge_limb::{Batch, IntType, Layout};
    /// let ty = IntType::unsigned(64)?;
    /// let [a, b] = [&[7, 8][..], &[9]].map(|values| Batch::<u64>::from_u64s(ty, Layout::InstanceMajor, values));
    /// assert_eq!(Batch::concat(&[&a?, &b?])?.to_u64s()?, [7, 8, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Types`] if a type differs from the first, [`BatchError::Empty`] for no batches,
    /// [`BatchError::TooLarge`] if the limbs cannot be addressed.
    pub fn concat(batches: &[&Self]) -> Result<Self, BatchError> {
        let Some(&first) = batches.first() else { return Err(BatchError::Empty) };
        let unlike = batches.iter().position(|batch| batch.ty != first.ty);
        if let Some(batch) = unlike {
            return Err(BatchError::Types { batch, expected: first.ty, found: batches[batch].ty });
        }
        let instances = batches.iter().fold(0, |sum: usize, batch| sum.saturating_add(batch.instances));
        let mut all = Self::zeros(first.ty, Layout::InstanceMajor, instances)?;
        let mut rest = all.limbs_mut();
        for batch in batches {
            let (out, above) = rest.split_at_mut(batch.limbs().len());
            batch.read_instances(0, out);
            rest = above;
        }
        Ok(all.into_layout(first.layout))
    }
}
