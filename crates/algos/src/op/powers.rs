//! Powers modulo an operand: eight at a time in vectors where the modulus is odd, else one by one.

use limbforge_limb::slice::{bits, cmp, sub};
use limbforge_limb::{Base, IntType};

use super::memory::{Magnitudes, Memory, is_negative, negate_residue_if};
use super::{Why, instances::Instances};
use crate::integer::packed::{as_words, unpack};
use crate::integer::{Scratch, powmod::powmod};
use crate::vector::{Path, Powers, WIDTH, path_of_powers};

/// `a^e mod |m|` of every instance.
pub(super) fn powers<B: Base>(instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let ty = instances.ty;
    if let Some((path, fewest)) = path_of_powers(ty.bits()) {
        return in_vectors(path, fewest, instances, memory);
    }
    let Memory { magnitudes, scratch, .. } = memory;
    instances.try_each(|out, operands| one(ty, out, operands, magnitudes, scratch));
}

fn one<B: Base>(
    ty: IntType,
    out: &mut [B],
    [a, e, m]: [&[B]; 3],
    magnitudes: &mut Magnitudes<B>,
    scratch: &mut Scratch,
) -> Result<(), Why> {
    let [(a, negative), (m, _)] = magnitudes.of(ty, [a, m]);
    if is_negative(e, ty) {
        return Err(Why::NegativeExponent);
    }
    powmod(out, a, e, m, scratch).map_err(|_| Why::ZeroModulus)?;
    // An odd power of a negative number is negative.
    negate_residue_if(negative && bits::bit(e, 0), out, m);
    Ok(())
}

/// Gathers the instances with an odd modulus and computes eight at a time; the last ones one by one if they are
/// fewer than `fewest`. All others are computed where they are found.
fn in_vectors<B: Base>(path: Path, fewest: usize, mut instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let Memory { magnitudes, scratch, powers, .. } = memory;
    let ty = instances.ty;
    // The instances that were gathered, and whether their power is negative.
    let mut gathered = Vec::with_capacity(WIDTH);
    for i in 0..instances.len() {
        let [a, e, m] = instances.operands(i);
        if is_negative(e, ty) || !bits::bit(m, 0) {
            instances.try_one(i, |out, operands| one(ty, out, operands, magnitudes, scratch));
            continue;
        }
        let [(a, negative), (m, _)] = magnitudes.of(ty, [a, m]);
        powers.push(&as_words(a), &as_words(e), &as_words(m));
        gathered.push((i, negative && bits::bit(e, 0)));
        if gathered.len() == WIDTH {
            write(path, &mut instances, &mut gathered, powers, scratch);
        }
    }
    if gathered.len() >= fewest {
        return write(path, &mut instances, &mut gathered, powers, scratch);
    }
    powers.clear();
    for (i, _) in gathered {
        instances.try_one(i, |out, operands| one(ty, out, operands, magnitudes, scratch));
    }
}

/// Computes the powers and writes them to their instances.
fn write<B: Base>(
    path: Path,
    instances: &mut Instances<'_, B>,
    gathered: &mut Vec<(usize, bool)>,
    powers: &mut Powers,
    scratch: &mut Scratch,
) {
    for ((i, negative), (power, modulus)) in gathered.drain(..).zip(powers.compute(path, scratch)) {
        let mut power = power.to_vec();
        if negative && !cmp::is_zero(&power) {
            sub::sub_from(&mut power, modulus);
        }
        unpack(instances.result(i), power);
    }
}
