//! Changes of the type of the integers.

use super::{Batch, Layout};
use crate::slice::{bits, cmp};
use crate::{base::Base, convert, error::BatchError, int_type::IntType};

impl<B: Base> Batch<B> {
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
