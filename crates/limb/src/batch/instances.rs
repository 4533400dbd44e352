//! Iteration over the limbs of each instance.

use core::ops::Range;
use std::borrow::Cow;

use super::{Batch, Layout};
use crate::base::Base;

impl<B: Base> Batch<B> {
    /// The limbs of instance `i`, least significant first, or `None` if `i >= N`. An instance-major batch
    /// lends them.
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

    /// The limbs of instance `i < N`.
    fn at(&self, i: usize) -> Cow<'_, [B]> {
        let m = self.limbs_per_instance();
        match self.layout() {
            Layout::InstanceMajor => Cow::Borrowed(&self.limbs()[i * m..(i + 1) * m]),
            Layout::Interleaved => Cow::Owned(self.instance(i)),
        }
    }

    /// The limbs of each instance, as from [`get`](Batch::get). [`values`](Batch::values) iterates over
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
}

/// Iterator over the limbs of each instance: [`Batch::iter`].
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
