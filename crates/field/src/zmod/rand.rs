//! Uniform random elements.

use rand::distr::{Distribution, StandardUniform};
use rand::{Rng, RngExt};

use super::Zmod;
use crate::field::PrimeField;
use crate::modulus::PrimeModulus;
use crate::word::Base;

/// Every element is equally likely: words of as many bits as p has are drawn until one is below p, at most two on average.
/// It is taken as a raw form, of which there is one for each element.
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
