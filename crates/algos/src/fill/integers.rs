//! The integers on the CPU: parts of a batch on all cores.

use limbforge_limb::num_bigint::BigInt;
use limbforge_limb::slice::{add, bits};
use limbforge_limb::{Base, IntType, convert};
use rayon::prelude::*;

use super::{Fill, philox4x32};

/// Limbs of a part: enough work for a thread, and few parts beside a batch.
const PART_LIMBS: usize = 1 << 12;

/// Writes integers from number `first` on to limbs instance by instance, which are 0 before.
pub(super) fn write<B: Base>(fill: &Fill, ty: IntType, first: u64, limbs: &mut [B]) {
    let m = ty.limbs::<B>();
    let instances = PART_LIMBS.div_ceil(m);
    if fill.is_zero() {
        return;
    }
    // The calling thread writes a single part: waking another takes longer.
    if limbs.len() <= instances * m {
        return write_part(fill, ty, first, limbs);
    }
    let part = |(part, limbs)| write_part(fill, ty, first + (part * instances) as u64, limbs);
    limbs.par_chunks_mut(instances * m).enumerate().for_each(part);
}

fn write_part<B: Base>(fill: &Fill, ty: IntType, first: u64, limbs: &mut [B]) {
    match fill {
        Fill::Constant(value) => {
            let value = residue::<B>(value, ty);
            limbs.chunks_mut(value.len()).for_each(|instance| instance.copy_from_slice(&value));
        }
        Fill::Counter { start, step } => count(&(start + step * first), step, ty, limbs),
        Fill::Random { seed, stream } => random([*seed, (*stream).into()], ty, first, limbs),
    }
}

/// The value modulo `2^bits`.
fn residue<B: Base>(value: &BigInt, ty: IntType) -> Vec<B> {
    let mut limbs = vec![B::ZERO; ty.limbs::<B>()];
    // The residue is there even if the value itself does not fit.
    let _ = convert::from_bigint(value, ty, &mut limbs);
    limbs
}

fn count<B: Base>(start: &BigInt, step: &BigInt, ty: IntType, limbs: &mut [B]) {
    let (mut value, step) = (residue::<B>(start, ty), residue::<B>(step, ty));
    for instance in limbs.chunks_mut(value.len()) {
        instance.copy_from_slice(&value);
        // Carries out of the type are dropped.
        let _ = add::add_assign(&mut value, &step, false);
        bits::truncate(&mut value, ty.bits());
    }
}

fn random<B: Base>([seed, stream]: [u64; 2], ty: IntType, first: u64, limbs: &mut [B]) {
    let words = ty.bits().div_ceil(32) as usize;
    let key = [seed as u32, (seed >> 32) as u32];
    let mut at = u128::from(first) * words as u128;
    let block = |at: u128| {
        let number = at / 4;
        let counter = [number as u32, (number >> 32) as u32, (number >> 64) as u32, stream as u32];
        philox4x32(counter, key)
    };
    let mut four = block(at);
    let mut bytes = vec![0; 4 * words];
    for instance in limbs.chunks_mut(ty.limbs::<B>()) {
        for word in bytes.chunks_mut(4) {
            word.copy_from_slice(&four[(at % 4) as usize].to_le_bytes());
            at += 1;
            if at.is_multiple_of(4) {
                four = block(at);
            }
        }
        // Bytes above the limbs are above the width.
        let _ = convert::from_le_bytes(&bytes, instance);
        bits::truncate(instance, ty.bits());
    }
}
