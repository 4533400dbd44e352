//! Tests of primality of one instance.

use limbforge_limb::Base;

use super::class::Primality;
use super::instances::Instances;
use super::rooms::{Magnitudes, is_negative, write_bool};
use crate::integer::primality;

/// A thread's memory for these.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tests<B> {
    scratch: primality::Scratch,
    magnitudes: Magnitudes<B>,
}

impl<B: Base> Tests<B> {
    pub(crate) fn apply(&mut self, op: Primality, instances: Instances<'_, B>) {
        let (ty, Self { scratch, magnitudes }) = (instances.ty, self);
        match op {
            Primality::IsPrime => instances.each(|out, [n]| {
                write_bool(out, !is_negative(n, ty) && primality::is_prime(n, scratch));
            }),
            Primality::IsStrongProbablePrime => instances.each(|out, operands| {
                let [(n, negative), (base, _)] = magnitudes.of(ty, operands);
                // A base passes if and only if its negative does: d is odd.
                write_bool(out, !negative && primality::is_strong_probable_prime(n, base, scratch));
            }),
        }
    }
}
