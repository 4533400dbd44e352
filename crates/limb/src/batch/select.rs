//! Parts of batches, batches of parts, and other types of integers.

use core::ops::Range;
use std::borrow::Cow;

use super::{Batch, Layout};
use crate::base::Base;
use crate::convert;
use crate::error::BatchError;
use crate::int_type::IntType;
use crate::slice::{bits, cmp};

impl<B: Base> Batch<B> {
    /// The limbs of instance `i`, least significant first, or `None` from N on. Those of an instance-major
    /// batch are borrowed.
    ///
    /// ```
    /// use limbforge_limb::{Batch, IntType, Layout};
    /// let batch = Batch::<u64>::from_u64s(IntType::unsigned(128)?, Layout::InstanceMajor, &[7, 8])?;
    /// assert_eq!(batch.get(1).as_deref(), Some(&[8, 0][..]));
    /// assert_eq!(batch.get(2), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get(&self, i: usize) -> Option<Cow<'_, [B]>> {
        (i < self.instances()).then(|| self.at(i))
    }

    /// The limbs of an instance that there is.
    fn at(&self, i: usize) -> Cow<'_, [B]> {
        let m = self.limbs_per_instance();
        match self.layout() {
            Layout::InstanceMajor => Cow::Borrowed(&self.limbs()[i * m..(i + 1) * m]),
            Layout::Interleaved => Cow::Owned(self.instance(i)),
        }
    }

    /// The limbs of each instance, as [`get`](Batch::get) gives them. [`values`](Batch::values) gives
    /// numbers.
    ///
    /// ```
    /// use limbforge_limb::{Batch, IntType, Layout};
    /// let batch = Batch::<u64>::from_u64s(IntType::unsigned(64)?, Layout::Interleaved, &[7, 8, 9])?;
    /// assert_eq!(batch.iter().map(|limbs| limbs[0]).sum::<u64>(), 24);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> Instances<'_, B> {
        Instances { batch: self, range: 0..self.instances() }
    }

    /// The instances of a range, in the same layout. Those of an instance-major batch are shared and not
    /// copied, until one of the two is written to; all memory of the batch is kept as long as the slice is.
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

    /// The instances of these indices, in their order, in the same layout; an index may come again.
    ///
    /// ```
    /// use limbforge_limb::{Batch, IntType, Layout};
    /// let batch = Batch::<u64>::from_u64s(IntType::unsigned(64)?, Layout::InstanceMajor, &[7, 8, 9])?;
    /// assert_eq!(batch.take(&[2, 0, 2])?.to_u64s()?, [9, 7, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Index`] for the first index of no instance, [`BatchError::TooLarge`] if there are more
    /// than can be addressed.
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

    /// The instances of several batches of one type, one after another, in the layout of the first.
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
    /// [`BatchError::TooLarge`] if there are more instances than can be addressed.
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

    /// The same integers in another type, which must hold them all.
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
        self.resized(ty, |instance, limbs| {
            let (value, mut out) = (convert::to_bigint(limbs, self.ty), vec![B::ZERO; ty.limbs::<B>()]);
            convert::from_bigint(&value, ty, &mut out)
                .map_err(|source| BatchError::Value { instance, source })
        })
    }

    /// The same integers modulo `2^bits` of another type, of the range of that type.
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
        self.resized(ty, |_, _| Ok(()))
    }

    /// The integers mod `2^bits`; `changed` judges those whose value that changes.
    fn resized(
        &self,
        ty: IntType,
        changed: impl Fn(usize, &[B]) -> Result<(), BatchError>,
    ) -> Result<Self, BatchError> {
        let mut all = Self::zeros(ty, Layout::InstanceMajor, self.instances)?;
        let len = self.ty.limbs::<B>().max(ty.limbs::<B>());
        let outs = all.limbs_mut().chunks_exact_mut(ty.limbs::<B>());
        for (instance, (limbs, out)) in self.iter().zip(outs).enumerate() {
            let (value, negative) = extended(&limbs, self.ty, len);
            out.copy_from_slice(&value[..out.len()]);
            bits::truncate(out, ty.bits());
            if extended(out, ty, len) != (value, negative) {
                changed(instance, &limbs)?;
            }
        }
        Ok(all.into_layout(self.layout))
    }
}

/// The integer in so many limbs of two's complement, and whether it is negative.
fn extended<B: Base>(limbs: &[B], ty: IntType, len: usize) -> (Vec<B>, bool) {
    let mut value = limbs.to_vec();
    let negative = ty.is_signed() && cmp::is_negative(limbs, ty.bits());
    if negative {
        bits::sign_extend(&mut value, ty.bits());
    }
    value.resize(len, if negative { B::HIGHEST } else { B::ZERO });
    (value, negative)
}

/// The limbs of each instance of a batch: [`Batch::iter`].
#[derive(Clone, Debug)]
pub struct Instances<'b, B> {
    batch: &'b Batch<B>,
    range: Range<usize>,
}

impl<'b, B: Base> Iterator for Instances<'b, B> {
    type Item = Cow<'b, [B]>;

    fn next(&mut self) -> Option<Self::Item> {
        self.range.next().map(|i| self.batch.at(i))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.range.nth(n).map(|i| self.batch.at(i))
    }
}

impl<B: Base> DoubleEndedIterator for Instances<'_, B> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.range.next_back().map(|i| self.batch.at(i))
    }
}

impl<B: Base> ExactSizeIterator for Instances<'_, B> {}

impl<'b, B: Base> IntoIterator for &'b Batch<B> {
    type Item = Cow<'b, [B]>;
    type IntoIter = Instances<'b, B>;

    fn into_iter(self) -> Instances<'b, B> {
        self.iter()
    }
}
