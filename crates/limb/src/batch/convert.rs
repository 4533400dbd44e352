//! Batches from and to num-bigint.

use num_bigint::{BigInt, BigUint};

use super::{Batch, Layout};
use crate::base::Base;
use crate::convert;
use crate::error::BatchError;
use crate::int_type::IntType;

impl<B: Base> Batch<B> {
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

    /// The batch of these values. As [`from_bigints`](Batch::from_bigints).
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
