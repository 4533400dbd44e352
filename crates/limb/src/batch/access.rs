//! Reading and writing of single instances, and iteration over them.

use core::ops::Range;
use std::borrow::Cow;

use super::{Batch, Layout};
use crate::{base::Base, slice::bits};

impl<B: Base> Batch<B> {
    /// Limb `j` of instance `i`.
    ///
    /// # Panics
    /// If `i >= N` or `j >= M`, as indexing does.
    #[must_use]
    pub fn limb(&self, i: usize, j: usize) -> B {
        // An index past its row may be a valid index of another limb.
        assert!(i < self.instances && j < self.limbs_per_instance(), "the batch has this limb");
        self.limbs[self.layout.index(self.instances, self.limbs_per_instance(), i, j)]
    }

    /// A copy of instance `i`, least significant limb first.
    ///
    /// # Panics
    /// If `i >= N`, as indexing does.
    #[must_use]
    pub fn instance(&self, i: usize) -> Vec<B> {
        let mut out = vec![B::ZERO; self.limbs_per_instance()];
        self.read_instances(i, &mut out);
        out
    }

    /// Copies instances `first..` to `out`, instance-major, as many as `out` holds.
    ///
    /// # Panics
    /// If they reach past the batch, or the length of `out` is not a multiple of M.
    pub fn read_instances(&self, first: usize, out: &mut [B]) {
        let m = self.limbs_per_instance();
        let limbs = self.limbs();
        match self.layout {
            Layout::InstanceMajor => out.copy_from_slice(&limbs[first * m..first * m + out.len()]),
            Layout::Interleaved => {
                for (i, out) in out.chunks_exact_mut(m).enumerate() {
                    assert!(first + i < self.instances, "the batch has these instances");
                    for (j, out) in out.iter_mut().enumerate() {
                        *out = limbs[self.layout.index(self.instances, m, first + i, j)];
                    }
                }
            }
        }
    }

    /// Stores `limbs`, M of them, as instance `i`, modulo `2^bits`.
    ///
    /// # Panics
    /// If `i >= N` or `limbs` are not M.
    pub fn set_instance(&mut self, i: usize, limbs: &[B]) {
        let m = self.limbs_per_instance();
        assert_eq!(limbs.len(), m, "an instance has M limbs");
        let (layout, instances) = (self.layout, self.instances);
        assert!(i < instances, "the batch has this instance");
        let mask = bits::top_mask::<B>(self.ty.bits());
        let out = self.limbs_mut();
        for (j, &limb) in limbs.iter().enumerate() {
            out[layout.index(instances, m, i, j)] = if j + 1 == m { limb & mask } else { limb };
        }
    }

    /// Clears all bits above the width, so that every instance is its residue modulo `2^bits`.
    pub fn truncate(&mut self) {
        let (m, mask) = (self.limbs_per_instance(), bits::top_mask::<B>(self.ty.bits()));
        let (layout, instances) = (self.layout, self.instances);
        let limbs = self.limbs_mut();
        for i in 0..instances {
            let top = layout.index(instances, m, i, m - 1);
            limbs[top] = limbs[top] & mask;
        }
    }

    /// The limbs of instance `i`, or `None` if `i >= N`. An instance-major batch lends them.
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

    /// The limbs of each instance. [`values`](Batch::values) iterates over numbers.
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
