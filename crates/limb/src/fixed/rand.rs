//! Uniform random numbers.

use generic_array::ArrayLength;
use rand::distr::{Distribution, StandardUniform};
use rand::{Rng, RngExt};

use crate::base::Base;
use crate::int::Int;
use crate::uint::Uint;

/// A uniform random limb.
pub(crate) fn limb<B: Base, R: Rng + ?Sized>(rng: &mut R) -> B {
    (0..B::BITS.div_ceil(64)).fold(B::ZERO, |limb, i| limb | B::from_word(rng.random()) << (64 * i) as usize)
}

macro_rules! stamp {
    ($Type:ident) => {
        /// Every number of the type is equally likely.
        impl<B: Base, N: ArrayLength> Distribution<$Type<B, N>> for StandardUniform {
            fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> $Type<B, N> {
                $Type::filled(|limbs| limbs.fill_with(|| limb(rng)))
            }
        }
    };
}

stamp!(Uint);
stamp!(Int);
