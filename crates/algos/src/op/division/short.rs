//! Divisions of short unsigned numbers: from their operands to their results, two at a time, without a choice
//! of the algorithm and without memory.

use limbforge_limb::Base;
use limbforge_limb::slice::div::quotient_with;
use limbforge_limb::slice::div::short::{div_rem, div_rem_trimmed};

use super::super::class::Division;
use super::super::instances::Instances;
use super::super::quotients::Lengths;
use crate::integer::Scratch;
use crate::vector::path_of_divisions;

/// Bits of the longest numbers whose quotients are short, where the machine has vectors. Measured, and with
/// vectors, in runs of 4096: 0.078 and 0.087 microseconds at 768 bits, 0.107 and 0.100 at 1024.
const QUOTIENTS: u32 = 832;

/// The same for remainders, alone or with the quotients: 0.084 and 0.112, 0.115 and 0.135. Without vectors
/// for quotients, too: divisors of longer numbers have more than eight words, mostly.
const MOST: u32 = 1024;

/// Bits of the longest numbers that are sorted by their lengths where they are divided one by one.
pub(crate) const SORTED: u32 = 4096;

/// Whether divisions are sorted by their lengths and computed without vectors; `wants_both` if quotients and
/// remainders are wanted.
pub(super) fn are_sorted<B: Base>(op: Division, instances: &Instances<'_, B>, wants_both: bool) -> bool {
    let ty = instances.ty;
    if ty.is_signed() || B::as_words(&[]).is_none() {
        return false;
    }
    let is_plain = !matches!(op, Division::DivExact | Division::Divisible);
    let only_quotients = !wants_both && !op.is_remainder();
    let most = if is_plain && !only_quotients { MOST } else { QUOTIENTS };
    let vectors = op != Division::Divisible && path_of_divisions(ty.bits()).is_some();
    ty.bits() <= if vectors { most } else { SORTED }
}

/// Two divisions, by divisors of one length, up to eight limbs, of dividends of at most so many. Remainders of all
/// instances go to `remainders`, where both results are wanted.
#[inline(always)]
pub(in crate::op) fn pair<B: Base>(
    op: Division,
    instances: &mut Instances<'_, B>,
    [first, second]: [usize; 2],
    [most, divisor]: [usize; 2],
    remainders: Option<&mut [B]>,
) -> bool {
    let m = instances.out_m;
    if matches!(op, Division::DivExact | Division::Divisible) {
        return false;
    }
    let ([a, b], [c, d]) = (instances.operands(first), instances.operands(second));
    let (a, b, c, d) = (&a[..most], &b[..divisor], &c[..most], &d[..divisor]);
    let out = two(instances.out, m, first, second);
    match remainders {
        None if op.is_remainder() => div_rem_trimmed([&mut [], &mut []], out, [a, c], [b, d]),
        None => div_rem_trimmed(out, [&mut [], &mut []], [a, c], [b, d]),
        Some(rests) => div_rem_trimmed(out, two(rests, m, first, second), [a, c], [b, d]),
    }
}

/// A quotient alone of numbers of so many words up to [`SORTED`], if it is one: longer ones have other algorithms.
#[inline]
pub(in crate::op) fn long<B: Base>(
    op: Division,
    out: &mut [B],
    [a, b]: [&[B]; 2],
    lengths: Lengths,
    scratch: &mut Scratch,
) -> bool {
    if !matches!(op, Division::Div | Division::DivEuclid | Division::DivFloor) {
        return false;
    }
    if lengths.quotient == 0 {
        out.fill(B::ZERO);
        return true;
    }
    let (out, above) = out.split_at_mut(lengths.dividend());
    above.fill(B::ZERO);
    let (a, b) = (&a[..lengths.dividend()], &b[..lengths.divisor]);
    quotient_with(out, a, b, &mut scratch.schoolbook).is_ok()
}

/// Two numbers of m limbs.
#[inline(always)]
fn two<B: Base>(limbs: &mut [B], m: usize, first: usize, second: usize) -> [&mut [B]; 2] {
    let (low, high) = limbs.split_at_mut(first.max(second) * m);
    let (low, high) = (&mut low[first.min(second) * m..][..m], &mut high[..m]);
    if first < second { [low, high] } else { [high, low] }
}

/// A division alone, by a divisor of up to eight limbs, if it is one.
#[inline]
pub(in crate::op) fn one<B: Base>(
    op: Division,
    out: &mut [B],
    [a, b]: [&[B]; 2],
    rest: Option<&mut [B]>,
) -> bool {
    match rest {
        _ if matches!(op, Division::DivExact | Division::Divisible) => false,
        Some(rest) => div_rem(out, rest, a, b),
        None if op.is_remainder() => div_rem(&mut [], out, a, b),
        None => div_rem(out, &mut [], a, b),
    }
}
