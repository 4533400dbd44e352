//! Divisions of one instance, from those of the absolute values.

mod digit;
pub(crate) mod long;
mod rounding;
pub(crate) mod short;
mod wide;

use limbforge_limb::slice::{add, bits, cmp, div::LimbDivisor};
use limbforge_limb::{Base, IntType};

use super::class::Division;
use super::memory::{Memory, negate_if, sized, write_bool};
use super::quotients::{in_vectors, sorted};
use super::{Why, instances::Instances};
use crate::integer::div::{self, div_rem, is_multiple};
use crate::vector::path_of_divisions;
pub(super) use digit::by_top_limbs;
pub(super) use rounding::Rounding;
pub(super) use wide::{join, wide_divisions};

pub(super) fn divisions<B: Base>(op: Division, mut instances: Instances<'_, B>, memory: &mut Memory<B>) {
    if short::are_sorted(op, &instances, false) {
        return sorted::all(None, op, &mut instances, None, memory);
    }
    let ty = instances.ty;
    match path_of_divisions(ty.bits()) {
        Some((path, fewest)) if op != Division::Divisible && instances.len() >= fewest => {
            in_vectors(path, fewest, op, instances, None, memory);
        }
        _ => instances.try_each(|out, operands| value(op, memory, ty, out, operands, None)),
    }
}

/// The result of a division, and its remainder in `rest` if both are wanted.
pub(super) fn value<B: Base>(
    op: Division,
    memory: &mut Memory<B>,
    ty: IntType,
    out: &mut [B],
    operands: [&[B]; 2],
    rest: Option<&mut [B]>,
) -> Result<(), Why> {
    let rounding = Rounding::of(op);
    match op {
        Division::Div | Division::DivEuclid | Division::DivFloor => {
            if rest.is_none() && quotient_alone(memory, ty, out, operands, rounding)? {
                return Ok(());
            }
            let _ = quotient(memory, ty, out, operands, rounding, rest)?;
        }
        Division::DivExact => {
            if !quotient(memory, ty, out, operands, rounding, rest)? {
                return Err(Why::NotDivisible);
            }
        }
        Division::Rem | Division::RemEuclid | Division::RemFloor => {
            remainder(memory, ty, out, operands, rounding)?;
        }
        Division::Divisible => {
            let [(a, _), (b, _)] = memory.magnitudes.of(ty, operands);
            write_bool(out, is_multiple(a, b, &mut memory.scratch));
        }
    }
    Ok(())
}

impl Division {
    /// Whether the result is a remainder.
    pub(super) const fn is_remainder(self) -> bool {
        matches!(self, Self::Rem | Self::RemEuclid | Self::RemFloor)
    }

    /// Whether the result is a quotient or a remainder, of all pairs of numbers.
    pub(super) const fn has_both(self) -> bool {
        self.is_quotient() || self.is_remainder()
    }

    /// Whether the result is a quotient, of all pairs of numbers.
    pub(super) const fn is_quotient(self) -> bool {
        matches!(self, Self::Div | Self::DivEuclid | Self::DivFloor)
    }
}

/// Quotient and remainder of each instance, in the direction of the quotient `op`; remainders go to
/// `remainders`.
pub(super) fn both<B: Base>(
    op: Division,
    mut instances: Instances<'_, B>,
    remainders: &mut [B],
    memory: &mut Memory<B>,
) {
    remainders.fill(B::ZERO);
    if short::are_sorted(op, &instances, true) {
        return sorted::all(None, op, &mut instances, Some(remainders), memory);
    }
    let ty = instances.ty;
    if let Some((path, fewest)) = path_of_divisions(ty.bits())
        && instances.len() >= fewest
    {
        return in_vectors(path, fewest, op, instances, Some(remainders), memory);
    }
    let mut rests = remainders.chunks_exact_mut(instances.out_m);
    instances.try_each(|out, operands: [&[B]; 2]| value(op, memory, ty, out, operands, rests.next()));
}

/// Writes the quotient; returns false, and does nothing, if its rounding depends on the remainder.
fn quotient_alone<B: Base>(
    memory: &mut Memory<B>,
    ty: IntType,
    out: &mut [B],
    operands: [&[B]; 2],
    rounding: Rounding,
) -> Result<bool, Why> {
    let Memory { magnitudes, rooms: [room, ..], scratch, .. } = memory;
    let [(a, a_negative), (b, b_negative)] = magnitudes.of(ty, operands);
    if rounding.is_away([a_negative, b_negative]) {
        return Ok(false);
    }
    div::quotient::quotient(out, a, b, room, scratch).map_err(|_| Why::DivisionByZero)?;
    negate_if(a_negative != b_negative, out);
    Ok(true)
}

/// Writes the quotient, and the remainder to `rest`, which is 0. Returns whether the quotient is exact.
fn quotient<B: Base>(
    memory: &mut Memory<B>,
    ty: IntType,
    out: &mut [B],
    operands: [&[B]; 2],
    rounding: Rounding,
    rest: Option<&mut [B]>,
) -> Result<bool, Why> {
    let [(a, a_negative), (b, b_negative)] = memory.magnitudes.of(ty, operands);
    // A short divisor has a short remainder.
    let (whole, b) = (b, bits::significant(b));
    let remainder = sized(&mut memory.rooms[0], b.len());
    match *b {
        [divisor] => remainder[0] = limb_divisor(divisor)?.div_rem_into(out, a),
        _ => div_rem(out, remainder, a, b, &mut memory.scratch).map_err(|_| Why::DivisionByZero)?,
    }
    let exact = cmp::is_zero(remainder);
    add::increment(out, !exact && rounding.is_away([a_negative, b_negative]));
    negate_if(a_negative != b_negative, out);
    if let Some(rest) = rest {
        rest[..b.len()].copy_from_slice(&memory.rooms[0][..b.len()]);
        rounding.sign(rest, whole, [a_negative, b_negative]);
    }
    Ok(exact)
}

fn remainder<B: Base>(
    memory: &mut Memory<B>,
    ty: IntType,
    out: &mut [B],
    operands: [&[B]; 2],
    rounding: Rounding,
) -> Result<(), Why> {
    let [(a, a_negative), (b, b_negative)] = memory.magnitudes.of(ty, operands);
    let divisor = bits::significant(b);
    let (remainder, above) = out.split_at_mut(divisor.len());
    above.fill(B::ZERO);
    match *divisor {
        [limb] => remainder[0] = limb_divisor(limb)?.rem(a),
        _ => div_rem(sized(&mut memory.rooms[0], a.len()), remainder, a, divisor, &mut memory.scratch)
            .map_err(|_| Why::DivisionByZero)?,
    }
    rounding.sign(out, b, [a_negative, b_negative]);
    Ok(())
}

fn limb_divisor<B: Base>(divisor: B) -> Result<LimbDivisor<B>, Why> {
    LimbDivisor::new(divisor).map_err(|_| Why::DivisionByZero)
}
