//! Uniform random numbers and batches.

use generic_array::ArrayLength;
use rand::distr::{Distribution, StandardUniform};
use rand::{Rng, RngExt};

use crate::{
    base::Base, batch::Batch, batch::Layout, error::BatchError, int::Int, int_type::IntType, uint::Uint,
};

/// A uniform random limb.
fn limb<B: Base, R: Rng + ?Sized>(rng: &mut R) -> B {
    (0..B::BITS.div_ceil(64)).fold(B::ZERO, |limb, i| limb | B::from_word(rng.random()) << (64 * i) as usize)
}

macro_rules! stamp {
    ($($Type:ident)*) => {$(
        /// Every number of the type is equally likely.
        impl<B: Base, N: ArrayLength> Distribution<$Type<B, N>> for StandardUniform {
            fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> $Type<B, N> {
                $Type::filled(|limbs| limbs.fill_with(|| limb(rng)))
            }
        }
    )*};
}

stamp!(Uint Int);

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
        batch.limbs_mut().fill_with(|| limb(rng));
        batch.truncate();
        Ok(batch)
    }
}
