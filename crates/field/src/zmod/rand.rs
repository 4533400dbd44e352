//! Uniform random elements.

use rand::distr::{Distribution, StandardUniform};
use rand::{Rng, RngExt};

use super::Zmod;
use crate::field::PrimeField;
use crate::modulus::PrimeModulus;
use crate::word::Base;

/// Uniform elements, by rejection: a random word of the bit length of p is a raw form if it is below p. Fewer
/// than two words are needed on average.
impl<P: PrimeModulus> Distribution<Zmod<P>> for StandardUniform {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Zmod<P> {
        loop {
            let candidate = rng.random::<u64>() >> P::MODULUS.leading_zeros();
            if candidate < P::MODULUS {
                return Zmod::from_raw(Base::from_word(candidate));
            }
        }
    }
}
