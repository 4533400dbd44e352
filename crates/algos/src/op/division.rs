//! Divisions of one instance, from those of the absolute values.

use limbforge_limb::slice::{add, bits, cmp, div::LimbDivisor, shift};
use limbforge_limb::{Base, IntType};

use super::class::{Division, WideDivision};
use super::memory::{Memory, negate_if, negate_residue_if, packed, sized, write_bool};
use super::{Why, instances::Instances};
use crate::integer::div::{div_rem, divide, is_multiple};
use crate::integer::packed::unpack;
use crate::invariant::broken_invariant;

pub(super) fn divisions<B: Base>(op: Division, instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let ty = instances.ty;
    match op {
        Division::Div => quotients(instances, memory, Rounding::TowardsZero),
        Division::DivEuclid => quotients(instances, memory, Rounding::Euclidean),
        Division::DivFloor => quotients(instances, memory, Rounding::Down),
        Division::DivExact => instances.try_each(|out, operands| {
            let is_exact = quotient(memory, ty, out, operands, Rounding::TowardsZero)?;
            if is_exact { Ok(()) } else { Err(Why::NotDivisible) }
        }),
        Division::Rem => remainders(instances, memory, Rounding::TowardsZero),
        Division::RemEuclid => remainders(instances, memory, Rounding::Euclidean),
        Division::RemFloor => remainders(instances, memory, Rounding::Down),
        Division::Divisible => instances.each(|out, operands| {
            let [(a, _), (b, _)] = memory.magnitudes.of(ty, operands);
            write_bool(out, is_multiple(a, b, &mut memory.scratch));
        }),
    }
}

/// The direction in which a quotient that is not exact is rounded.
#[derive(Clone, Copy, PartialEq)]
enum Rounding {
    TowardsZero,
    /// To a remainder that is not negative.
    Euclidean,
    /// To a remainder with the sign of the divisor.
    Down,
}

impl Rounding {
    /// Whether the quotient of these signs is rounded away from 0.
    const fn is_away(self, a_negative: bool, b_negative: bool) -> bool {
        match self {
            Self::TowardsZero => false,
            Self::Euclidean => a_negative,
            Self::Down => a_negative != b_negative,
        }
    }

    /// Turns the remainder of absolute values into that of operands with these signs, the second |b|.
    fn sign<B: Base>(self, remainder: &mut [B], b: &[B], [a_negative, b_negative]: [bool; 2]) {
        negate_residue_if(self.is_away(a_negative, b_negative), remainder, b);
        negate_if(
            match self {
                Self::TowardsZero => a_negative,
                Self::Euclidean => false,
                Self::Down => b_negative,
            },
            remainder,
        );
    }
}

fn quotients<B: Base>(instances: Instances<'_, B>, memory: &mut Memory<B>, rounding: Rounding) {
    let ty = instances.ty;
    instances.try_each(|out, operands| quotient(memory, ty, out, operands, rounding).map(drop));
}

fn remainders<B: Base>(instances: Instances<'_, B>, memory: &mut Memory<B>, rounding: Rounding) {
    let ty = instances.ty;
    instances.try_each(|out, operands| remainder(memory, ty, out, operands, rounding));
}

/// Quotient and remainder of each instance, in the direction of the quotient `op`; remainders go to
/// `remainders`.
pub(super) fn both<B: Base>(
    op: Division,
    instances: Instances<'_, B>,
    remainders: &mut [B],
    memory: &mut Memory<B>,
) {
    let rounding = match op {
        Division::DivEuclid => Rounding::Euclidean,
        Division::DivFloor => Rounding::Down,
        _ => Rounding::TowardsZero,
    };
    let (ty, mut rest) = (instances.ty, remainders.chunks_exact_mut(instances.out_m));
    instances.try_each(|out, operands: [&[B]; 2]| {
        let Some(rest) = rest.next() else { broken_invariant("a division has as many of both results") };
        rest.fill(B::ZERO);
        quotient(memory, ty, out, operands, rounding)?;
        let [(_, a_negative), (b, b_negative)] = memory.magnitudes.of(ty, operands);
        let len = bits::significant(b).len();
        rest[..len].copy_from_slice(&memory.rooms[0][..len]);
        rounding.sign(rest, b, [a_negative, b_negative]);
        Ok(())
    });
}

/// Returns whether the quotient is exact.
fn quotient<B: Base>(
    memory: &mut Memory<B>,
    ty: IntType,
    out: &mut [B],
    operands: [&[B]; 2],
    rounding: Rounding,
) -> Result<bool, Why> {
    let [(a, a_negative), (b, b_negative)] = memory.magnitudes.of(ty, operands);
    // A short divisor has a short remainder.
    let b = bits::significant(b);
    let remainder = sized(&mut memory.rooms[0], b.len());
    match *b {
        [divisor] => remainder[0] = limb_divisor(divisor)?.div_rem_into(out, a),
        _ => div_rem(out, remainder, a, b, &mut memory.scratch).map_err(|_| Why::DivisionByZero)?,
    }
    let exact = cmp::is_zero(remainder);
    add::increment(out, !exact && rounding.is_away(a_negative, b_negative));
    negate_if(a_negative != b_negative, out);
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

/// Divisions of `high 2^N + low`, of unsigned numbers.
pub(super) fn wide_divisions<B: Base>(op: WideDivision, instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let ty = instances.ty;
    instances.try_each(|out, operands| {
        let [high, low, divisor] = operands.map(|operand| packed(operand, ty));
        if cmp::is_zero(&divisor) {
            return Err(Why::DivisionByZero);
        }
        if op == WideDivision::DivWide && cmp::cmp(&high, &divisor).is_ge() {
            return Err(Why::LongQuotient);
        }
        let (quotient, rest) = divide(&join(&high, &low, ty), &divisor, &mut memory.scratch);
        unpack(
            out,
            match op {
                WideDivision::DivWide => quotient,
                WideDivision::RemWide => rest,
            },
        );
        Ok(())
    });
}

/// `high 2^N + low`, in twice the words.
pub(super) fn join(high: &[u64], low: &[u64], ty: IntType) -> Vec<u64> {
    let (mut above, mut joined) = (high.to_vec(), vec![0; 2 * high.len()]);
    above.resize(2 * high.len(), 0);
    shift::shl(&mut joined, &above, ty.bits());
    joined.iter_mut().zip(low).for_each(|(word, low)| *word |= low);
    joined
}
