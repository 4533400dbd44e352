//! Divisions of short unsigned numbers: from their operands to their results, two at a time, without a choice
//! of the algorithm and without memory.

use limbforge_limb::Base;
use limbforge_limb::slice::div::short::{div_rem, div_rem_pair};

use super::super::class::Division;
use super::super::eight::rows;
use super::super::instances::Instances;
use super::super::memory::Memory;
use super::{by_top_limbs, value};
use crate::vector::path_of_divisions;

/// Bits of the longest numbers whose quotients are short, where the machine has vectors. Measured, and with
/// vectors, in runs of 4096: 0.078 and 0.087 microseconds at 768 bits, 0.107 and 0.100 at 1024.
const QUOTIENTS: u32 = 832;

/// The same for remainders, alone or with the quotients: 0.084 and 0.112, 0.115 and 0.135. Without vectors
/// for quotients, too: divisors of longer numbers have more than eight words, mostly.
const MOST: u32 = 1024;

/// Whether divisions are short; `wants_both` if quotients and remainders are wanted.
pub(super) fn are_short<B: Base>(op: Division, instances: &Instances<'_, B>, wants_both: bool) -> bool {
    let ty = instances.ty;
    let is_plain = !matches!(op, Division::DivExact | Division::Divisible);
    let is_long = ty.is_signed() || ty.bits() > MOST || B::as_words(&[]).is_none();
    let only_quotients = !wants_both && !op.is_remainder();
    let fits = !only_quotients || ty.bits() <= QUOTIENTS || path_of_divisions(ty.bits()).is_none();
    is_plain && !is_long && fits
}

/// Computes divisions that [are short](are_short); remainders go to `remainders`, where both are wanted.
pub(super) fn divisions<B: Base>(
    op: Division,
    mut instances: Instances<'_, B>,
    mut remainders: Option<&mut [B]>,
    memory: &mut Memory<B>,
) {
    let (count, m) = (instances.len(), instances.out_m);
    let mut next = 0;
    while next < count {
        if remainders.is_none() && by_top_limbs(op, &mut instances, next) {
            next += 1;
            continue;
        }
        let rests = remainders.as_deref_mut().map_or(&mut [][..], |rests| &mut rests[next * m..]);
        if next + 1 < count && pair(op, &mut instances, next, rests) {
            next += 2;
        } else {
            one(op, memory, &mut instances, next, rests);
            next += 1;
        }
    }
}

/// Two divisions, if their divisors have the same length.
#[inline(always)]
fn pair<B: Base>(op: Division, instances: &mut Instances<'_, B>, next: usize, rests: &mut [B]) -> bool {
    let m = instances.out_m;
    let [[a, b], [c, d]] = [next, next + 1].map(|i| instances.operands(i));
    let [out, second, ..] = rows(&mut instances.out[next * m..][..2 * m], m);
    let [rest, second_rest, ..] = rows(rests, m);
    let (quotients, rests) = if op.is_remainder() {
        ([&mut [][..], &mut []], [out, second])
    } else {
        ([out, second], [rest, second_rest])
    };
    div_rem_pair(quotients, rests, [a, c], [b, d])
}

/// A division alone, of any divisor.
fn one<B: Base>(
    op: Division,
    memory: &mut Memory<B>,
    instances: &mut Instances<'_, B>,
    instance: usize,
    rests: &mut [B],
) {
    let (ty, m) = (instances.ty, instances.out_m);
    let mut rest = rests.get_mut(..m);
    instances.try_one(instance, |out, operands: [&[B]; 2]| {
        let [a, b] = operands;
        let is_done = match &mut rest {
            Some(rest) => div_rem(out, rest, a, b),
            None if op.is_remainder() => div_rem(&mut [], out, a, b),
            None => div_rem(out, &mut [], a, b),
        };
        if is_done { Ok(()) } else { value(op, memory, ty, out, operands, rest) }
    });
}
