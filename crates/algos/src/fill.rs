//! Batches that are computed from nothing: constants, counters and random integers.
//!
//! An integer depends on its number alone, so that parts of a batch are equal to the whole. `docs/fill.md`
//! has the kernels, which give equal bits.

mod integers;
mod philox;

use core::ops::Range;

use limbforge_limb::num_bigint::BigInt;
use limbforge_limb::{Base, Batch, BatchError, IntType, Layout, RangeError, convert};

pub use self::philox::philox4x32;

/// The integers of a batch, by their number i from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fill {
    /// The same integer for each i.
    Constant(BigInt),
    /// `start + i * step` modulo `2^bits`.
    Counter {
        /// Integer 0, of the batch's type.
        start: BigInt,
        /// The difference of neighbours, any integer.
        step: BigInt,
    },
    /// Uniform random integers of the batch's type, by Philox4x32-10.
    ///
    /// Let `f = i * ceil(bits / 32) + w`. Word w of integer i, of 32 bits and with w = 0 the least
    /// significant one, is word `f mod 4` of [`philox4x32`] with the words of `f / 4`, least significant
    /// first, and `stream` as its counter, and those of `seed` as its key. Bits above the width are dropped.
    Random {
        /// The key.
        seed: u64,
        /// Different streams of one seed are independent.
        stream: u32,
    },
}

/// Integers that no batch holds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FillError {
    /// The constant or the start of a counter does not fit the type.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// The batch is too large.
    #[error(transparent)]
    Batch(#[from] BatchError),
}

impl Fill {
    /// Integers 0.
    pub const ZERO: Self = Self::Constant(BigInt::ZERO);

    /// Counters from `start` on.
    ///
    /// ```
    /// use limbforge_algos::fill::Fill;
    /// use limbforge_limb::Layout;
    ///
    /// let odd = Fill::counter(1, 2).batch::<u32>("u8".parse()?, Layout::InstanceMajor, 126..129)?;
    /// assert_eq!(odd.to_u64s()?, [253, 255, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn counter(start: impl Into<BigInt>, step: impl Into<BigInt>) -> Self {
        Self::Counter { start: start.into(), step: step.into() }
    }

    /// Random integers of a seed, stream 0.
    #[must_use]
    pub const fn random(seed: u64) -> Self {
        Self::Random { seed, stream: 0 }
    }

    /// Whether each integer is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// Whether a batch of this type can hold the integers.
    ///
    /// # Errors
    /// [`FillError::Range`] if the constant or the start of a counter does not fit the type.
    pub fn check(&self, ty: IntType) -> Result<(), FillError> {
        match self {
            Self::Constant(value) | Self::Counter { start: value, .. } => {
                // Words of 64 bits, as any limb would do.
                Ok(convert::from_bigint(value, ty, &mut vec![0_u64; ty.limbs::<u64>()])?)
            }
            Self::Random { .. } => Ok(()),
        }
    }

    /// The integers with these numbers, computed on all cores.
    ///
    /// ```
    /// use limbforge_algos::fill::Fill;
    /// use limbforge_limb::{Batch, Layout};
    ///
    /// let (fill, ty) = (Fill::random(7), "u100".parse()?);
    /// let all: Batch<u64> = fill.batch(ty, Layout::InstanceMajor, 0..1000)?;
    /// let part: Batch<u64> = fill.batch(ty, Layout::InstanceMajor, 900..1000)?;
    /// assert_eq!(all.slice(900..1000), part);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FillError::Range`] as from [`check`](Self::check), [`FillError::Batch`] if the batch is too large
    /// for this machine.
    pub fn batch<B: Base>(
        &self,
        ty: IntType,
        layout: Layout,
        numbers: Range<u64>,
    ) -> Result<Batch<B>, FillError> {
        self.check(ty)?;
        let instances = usize::try_from(numbers.end.saturating_sub(numbers.start)).unwrap_or(usize::MAX);
        let mut batch = Batch::zeros(ty, Layout::InstanceMajor, instances)?;
        integers::write(self, ty, numbers.start, batch.limbs_mut());
        Ok(batch.into_layout(layout))
    }
}

#[cfg(test)]
mod tests;
