//! Tests of primality of one instance.

use limbforge_limb::Base;

use super::memory::{Memory, is_negative, write_bool};
use super::{class::Primality, instances::Instances};
use crate::integer::primality::{is_prime, is_strong_probable_prime};

pub(super) fn tests<B: Base>(op: Primality, instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let (ty, Memory { scratch, magnitudes, .. }) = (instances.ty, memory);
    match op {
        Primality::IsPrime => {
            instances.each(|out, [n]| write_bool(out, !is_negative(n, ty) && is_prime(n, scratch)));
        }
        Primality::IsStrongProbablePrime => instances.each(|out, operands| {
            let [(n, negative), (base, _)] = magnitudes.of(ty, operands);
            // A base passes if and only if its negative does: d is odd.
            write_bool(out, !negative && is_strong_probable_prime(n, base, scratch));
        }),
    }
}
