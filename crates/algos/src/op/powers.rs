//! Powers modulo an operand: eight at a time in vectors where the modulus is odd, else one by one.

use limbforge_limb::slice::{bits, cmp, sub};
use limbforge_limb::{Base, IntType};

use super::memory::{Magnitudes, Memory, is_negative, negate_residue_if};
use super::{Why, instances::Instances};
use crate::integer::packed::{as_words, unpack};
use crate::integer::{Scratch, powmod::is_trivial, powmod::powmod};
use crate::vector::{PathOfPowers, Powers, WIDTH, path_of_powers};
use lengths::Lengths;

mod lengths;

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

/// Computes the instances with an odd modulus eight at a time where that is faster and they take products: sorted by their lengths,
/// so that eight that run together take about the same time. All others are computed one by one.
fn in_vectors<B: Base>(
    path: PathOfPowers,
    fewest: usize,
    mut instances: Instances<'_, B>,
    memory: &mut Memory<B>,
) {
    let Memory { magnitudes, scratch, powers, .. } = memory;
    let ty = instances.ty;
    let mut sorted = Vec::with_capacity(instances.len());
    for instance in 0..instances.len() {
        let [a, e, m] = instances.operands(instance);
        let [(a, _), (m, _)] = magnitudes.of(ty, [a, m]);
        if is_negative(e, ty) || !bits::bit(m, 0) || is_trivial(a, e, m) {
            instances.try_one(instance, |out, operands| one(ty, out, operands, magnitudes, scratch));
            continue;
        }
        sorted.push((Lengths { exponent: bits::bit_len(e), modulus: bits::bit_len(m) }, instance));
    }
    sorted.sort_unstable_by_key(|&(lengths, instance)| (lengths.key(), instance));
    let mut rest = &sorted[..];
    while let [(_, first), others @ ..] = rest {
        let group = next_group(path, rest);
        let lengths = group.iter().map(|&(lengths, _)| lengths);
        if group.len() >= fewest && Lengths::are_faster_together(path, lengths) {
            eight(path, group, &mut instances, magnitudes, powers, scratch);
            rest = &rest[group.len()..];
        } else {
            instances.try_one(*first, |out, operands| one(ty, out, operands, magnitudes, scratch));
            rest = others;
        }
    }
}

/// The instances that come next in vectors: eight, or four where two groups of four take less time. In doubles four
/// take half the time of eight, and shorter exponents do not wait for the longest one of all.
fn next_group(path: PathOfPowers, rest: &[(Lengths, usize)]) -> &[(Lengths, usize)] {
    let all = &rest[..rest.len().min(WIDTH)];
    let (first, second) = all.split_at(all.len().min(WIDTH / 2));
    let time =
        |group: &[(Lengths, usize)]| Lengths::together(path, group.iter().map(|&(lengths, _)| lengths));
    if !second.is_empty() && time(first) + time(second) < time(all) { first } else { all }
}

/// Computes up to eight powers and writes them to their instances.
fn eight<B: Base>(
    path: PathOfPowers,
    group: &[(Lengths, usize)],
    instances: &mut Instances<'_, B>,
    magnitudes: &mut Magnitudes<B>,
    powers: &mut Powers,
    scratch: &mut Scratch,
) {
    let ty = instances.ty;
    let mut negative = [false; WIDTH];
    for (&(_, instance), negative) in group.iter().zip(&mut negative) {
        let [a, e, m] = instances.operands(instance);
        let [(a, a_is_negative), (m, _)] = magnitudes.of(ty, [a, m]);
        powers.push(&as_words(a), &as_words(e), &as_words(m));
        // An odd power of a negative number is negative.
        *negative = a_is_negative && bits::bit(e, 0);
    }
    let computed = powers.compute(path, scratch);
    for ((&(_, instance), negative), (power, modulus)) in group.iter().zip(negative).zip(computed) {
        let mut power = power.to_vec();
        if negative && !cmp::is_zero(&power) {
            sub::sub_from(&mut power, modulus);
        }
        unpack(instances.result(instance), power);
    }
}

#[cfg(test)]
mod tests {
    use super::{Lengths, PathOfPowers, WIDTH, next_group};

    /// In doubles short exponents form a group of their own, in vectors of eight lanes they would gain nothing.
    #[test]
    fn groups_of_doubles_follow_the_exponents() {
        let long = Lengths { exponent: 8000, modulus: 8192 };
        let short = Lengths { exponent: 2000, ..long };
        let alike = [(long, 0); WIDTH];
        let mixed = [long, long, long, long, short, short, short, short].map(|lengths| (lengths, 0));
        for path in PathOfPowers::all() {
            assert_eq!(next_group(path, &alike).len(), WIDTH, "{}", path.name());
            let expected = if path.name() == "doubles" { WIDTH / 2 } else { WIDTH };
            assert_eq!(next_group(path, &mixed).len(), expected, "{}", path.name());
            assert_eq!(next_group(path, &mixed[..3]).len(), 3, "{}", path.name());
        }
    }
}
