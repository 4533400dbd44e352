//! Batches of uniform random integers.

use rand::Rng;

use super::{Batch, Layout};
use crate::base::Base;
use crate::error::BatchError;
use crate::fixed::random_limb;
use crate::int_type::IntType;

impl<B: Base> Batch<B> {
    /// N uniform random integers of the type.
    ///
    /// ```
    /// use limbforge_limb::{Batch, IntType, Layout};
    /// use rand::SeedableRng;
    /// use rand::rngs::StdRng;
    ///
    /// let (ty, mut rng) = (IntType::signed(131)?, StdRng::seed_from_u64(1));
    /// let batch = Batch::<u64>::random(ty, Layout::Interleaved, 1000, &mut rng)?;
    /// assert_eq!((batch.ty(), batch.instances()), (ty, 1000));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::TooLarge`] if N * M limbs cannot be addressed.
    pub fn random<R: Rng + ?Sized>(
        ty: IntType,
        layout: Layout,
        instances: usize,
        rng: &mut R,
    ) -> Result<Self, BatchError> {
        let mut batch = Self::zeros(ty, layout, instances)?;
        batch.limbs_mut().fill_with(|| random_limb(rng));
        batch.truncate();
        Ok(batch)
    }
}
