//! Batches from and to num-bigint, fixed-width integers and machine words.

use std::borrow::Cow;

use generic_array::ArrayLength;
use num_bigint::{BigInt, BigUint};

use super::{Batch, Layout};
use crate::error::{BatchError, RangeError};
use crate::slice::{bits, cmp};
use crate::{base::Base, convert, fixed::FixedInt, int::Int, int_type::IntType, uint::Uint};

/// The type of a machine word.
const WORD: IntType = match IntType::unsigned(64) {
    Ok(ty) => ty,
    Err(_) => panic!("64 bits are a width"),
};

impl<B: Base> Batch<B> {
    /// The integers as numbers of the batch's type.
    ///
    /// `collect` makes a batch of numbers, so batches combine as iterators do:
    ///
    /// ```
    /// use limbforge_limb::{Batch, U256};
    ///
    /// let a: Batch<u64> = (1_u64..4).map(U256::from).collect();
    /// let b: Batch<u64> = [10_u64, 20, 30].map(U256::from).iter().collect();
    /// let products: Batch<u64> =
    ///     a.values::<U256>()?.zip(b.values::<U256>()?).map(|(a, b)| a * b).collect();
    /// assert_eq!(products.to_u64s()?, [10, 40, 90]);
    /// # Ok::<(), limbforge_limb::BatchError>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Type`] if the batch has another type.
    pub fn values<T: FixedInt<Limb = B>>(
        &self,
    ) -> Result<impl ExactSizeIterator<Item = T> + DoubleEndedIterator, BatchError> {
        if self.ty() != T::TYPE {
            return Err(BatchError::Type { expected: T::TYPE, found: self.ty() });
        }
        Ok((0..self.instances()).map(|i| {
            let mut value = T::default();
            self.read_instances(i, value.as_limbs_mut());
            value
        }))
    }

    /// The batch of the results of `f`, in the same layout. Runs on one thread; engines use all threads.
    ///
    /// ```
    /// use limbforge_limb::{Batch, U256, U512};
    ///
    /// let batch: Batch<u64> = (1_u64..4).map(U256::from).collect();
    /// let squares: Batch<u64> = batch.map(|a: U256| -> U512 { a.wide_square() })?;
    /// assert_eq!((squares.ty().to_string(), squares.to_u64s()?), ("u512".to_owned(), vec![1, 4, 9]));
    /// # Ok::<(), limbforge_limb::BatchError>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Type`] if the batch has another type than the argument of `f`.
    pub fn map<T: FixedInt<Limb = B>, U: FixedInt>(
        &self,
        f: impl FnMut(T) -> U,
    ) -> Result<Batch<U::Limb>, BatchError> {
        let mapped: Batch<U::Limb> = self.values()?.map(f).collect();
        Ok(mapped.into_layout(self.layout()))
    }

    /// The batch of these words, as integers of type `ty`.
    ///
    /// ```
    /// use limbforge_limb::{Batch, IntType, Layout};
    /// let batch = Batch::<u32>::from_u64s(IntType::unsigned(96)?, Layout::InstanceMajor, &[7, 1 << 32])?;
    /// assert_eq!(batch.limbs(), [7, 0, 0, 0, 1, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Value`] for the first word that does not fit the type, [`BatchError::TooLarge`] if the
    /// limbs cannot be addressed.
    pub fn from_u64s(ty: IntType, layout: Layout, values: &[u64]) -> Result<Self, BatchError> {
        let mut batch = Self::zeros(ty, Layout::InstanceMajor, values.len())?;
        let m = batch.limbs_per_instance();
        for (instance, (out, value)) in batch.limbs_mut().chunks_exact_mut(m).zip(values).enumerate() {
            let needed =
                u64::from(u64::BITS - value.leading_zeros()) + u64::from(ty.is_signed() && *value > 0);
            if needed > u64::from(ty.bits()) {
                return Err(BatchError::Value { instance, source: RangeError { ty, needed } });
            }
            // It fits, as checked: only zeros lie beyond the limbs.
            _ = convert::from_le_bytes(&value.to_le_bytes(), out);
        }
        Ok(batch.into_layout(layout))
    }

    /// The integers as words.
    ///
    /// ```
    /// use limbforge_limb::{Batch, IntType, Layout};
    /// let batch = Batch::<u64>::from_limbs(IntType::unsigned(128)?, Layout::InstanceMajor, vec![7, 0, 8, 1])?;
    /// assert_eq!(batch.slice(0..1).to_u64s()?, [7]);
    /// assert!(batch.to_u64s().unwrap_err().to_string().starts_with("instance 1: the number does not fit u64"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Value`] for the first integer that is negative or needs more than 64 bits.
    pub fn to_u64s(&self) -> Result<Vec<u64>, BatchError> {
        let word = |(instance, limbs): (usize, Cow<'_, [B]>)| {
            let negative = self.ty().is_signed() && cmp::is_negative(&limbs, self.ty().bits());
            if negative || bits::bit_len(&limbs) > u64::BITS {
                let needed = convert::needed_bits(&convert::to_bigint(&limbs, self.ty()), false);
                return Err(BatchError::Value { instance, source: RangeError { ty: WORD, needed } });
            }
            let mut image = [0; 8];
            convert::to_le_bytes(&limbs, &mut image);
            Ok(u64::from_le_bytes(image))
        };
        self.iter().enumerate().map(word).collect()
    }

    /// The batch of these values.
    ///
    /// # Errors
    /// [`BatchError::Value`] for the first value that does not fit the type, [`BatchError::TooLarge`] if the
    /// limbs cannot be addressed.
    pub fn from_bigints(ty: IntType, layout: Layout, values: &[BigInt]) -> Result<Self, BatchError> {
        let mut batch = Self::zeros(ty, layout, values.len())?;
        let mut limbs = vec![B::ZERO; batch.limbs_per_instance()];
        for (instance, value) in values.iter().enumerate() {
            convert::from_bigint(value, ty, &mut limbs)
                .map_err(|source| BatchError::Value { instance, source })?;
            batch.set_instance(instance, &limbs);
        }
        Ok(batch)
    }

    /// The batch of these values.
    ///
    /// # Errors
    /// As [`from_bigints`](Batch::from_bigints).
    pub fn from_biguints(ty: IntType, layout: Layout, values: &[BigUint]) -> Result<Self, BatchError> {
        let values: Vec<BigInt> = values.iter().cloned().map(BigInt::from).collect();
        Self::from_bigints(ty, layout, &values)
    }

    /// The values, negative ones only if the type is signed.
    #[must_use]
    pub fn to_bigints(&self) -> Vec<BigInt> {
        (0..self.instances()).map(|i| convert::to_bigint(&self.instance(i), self.ty())).collect()
    }

    /// The residues modulo `2^bits`, in `0..2^bits`.
    #[must_use]
    pub fn to_biguints(&self) -> Vec<BigUint> {
        (0..self.instances()).map(|i| convert::to_biguint(&self.instance(i))).collect()
    }
}

/// The numbers as an instance-major batch of their type.
impl<B: Base, T: FixedInt<Limb = B>> FromIterator<T> for Batch<B> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let values = values.into_iter();
        let mut limbs = Vec::with_capacity(values.size_hint().0.saturating_mul(T::TYPE.limbs::<B>()));
        for value in values {
            limbs.extend_from_slice(value.as_limbs());
        }
        Self::from_residues(T::TYPE, limbs)
    }
}

macro_rules! from_references {
    ($($Type:ident)*) => {$(
        /// The numbers as an instance-major batch of their type.
        impl<'v, B: Base, N: ArrayLength> FromIterator<&'v $Type<B, N>> for Batch<B> {
            fn from_iter<I: IntoIterator<Item = &'v $Type<B, N>>>(values: I) -> Self {
                values.into_iter().cloned().collect()
            }
        }
    )*};
}

from_references!(Uint Int);
