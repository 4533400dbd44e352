//! Parts of batches, concatenation, and changes of type.

use core::ops::Range;

use super::{Batch, Layout};
use crate::slice::{bits, cmp};
use crate::{base::Base, convert, error::BatchError, int_type::IntType};

impl<B: Base> Batch<B> {
    /// The instances of a range, in the same layout. A slice of an instance-major batch shares its memory
    /// until either is written to.
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
        if let Some(batch) = batches.iter().position(|batch| batch.ty != first.ty) {
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

    /// The same integers as another type.
    ///
    /// ```
    /// use limbforge_limb::{Batch, BatchError, IntType, Layout};
    /// let batch = Batch::<u64>::from_u64s(IntType::unsigned(64)?, Layout::InstanceMajor, &[7, 300])?;
    /// assert_eq!(batch.resize(IntType::signed(131)?)?.to_u64s()?, [7, 300]);
    /// let error = batch.resize(IntType::unsigned(8)?).unwrap_err();
    /// assert!(error.to_string().starts_with("instance 1: the number does not fit u8"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Value`] for the first integer that does not fit, [`BatchError::TooLarge`] if the limbs
    /// cannot be addressed.
    pub fn resize(&self, ty: IntType) -> Result<Self, BatchError> {
        self.resized(ty, true)
    }

    /// The integers modulo `2^bits` of another type.
    ///
    /// ```
    /// use limbforge_limb::{Batch, IntType, Layout};
    /// let batch = Batch::<u64>::from_u64s(IntType::unsigned(64)?, Layout::InstanceMajor, &[7, 300])?;
    /// assert_eq!(batch.wrapping_resize(IntType::unsigned(8)?)?.to_u64s()?, [7, 44]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::TooLarge`] if the limbs cannot be addressed.
    pub fn wrapping_resize(&self, ty: IntType) -> Result<Self, BatchError> {
        self.resized(ty, false)
    }

    /// The integers mod `2^bits` of `ty`; an error if one changes and `exact` is true.
    fn resized(&self, ty: IntType, exact: bool) -> Result<Self, BatchError> {
        let mut all = Self::zeros(ty, Layout::InstanceMajor, self.instances)?;
        let len = self.ty.limbs::<B>().max(ty.limbs::<B>());
        let outs = all.limbs_mut().chunks_exact_mut(ty.limbs::<B>());
        for (instance, (limbs, out)) in self.iter().zip(outs).enumerate() {
            let (value, negative) = extended(&limbs, self.ty, len);
            out.copy_from_slice(&value[..out.len()]);
            bits::truncate(out, ty.bits());
            if exact && extended(out, ty, len) != (value, negative) {
                convert::from_bigint(&convert::to_bigint(&limbs, self.ty), ty, out)
                    .map_err(|source| BatchError::Value { instance, source })?;
            }
        }
        Ok(all.into_layout(self.layout))
    }
}

/// The integer in `len` limbs of two's complement, and whether it is negative.
fn extended<B: Base>(limbs: &[B], ty: IntType, len: usize) -> (Vec<B>, bool) {
    let mut value = limbs.to_vec();
    let negative = ty.is_signed() && cmp::is_negative(limbs, ty.bits());
    if negative {
        bits::sign_extend(&mut value, ty.bits());
    }
    value.resize(len, if negative { B::HIGHEST } else { B::ZERO });
    (value, negative)
}
