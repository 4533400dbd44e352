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
        Division::Div => {
            instances.try_each(|out, operands| quotient(memory, ty, out, operands, false).map(drop));
        }
        Division::DivEuclid => {
            instances.try_each(|out, operands| quotient(memory, ty, out, operands, true).map(drop));
        }
        Division::DivExact => instances.try_each(|out, operands| {
            if quotient(memory, ty, out, operands, false)? { Ok(()) } else { Err(Why::NotDivisible) }
        }),
        Division::Rem => instances.try_each(|out, operands| remainder(memory, ty, out, operands, false)),
        Division::RemEuclid => instances.try_each(|out, operands| remainder(memory, ty, out, operands, true)),
        Division::Divisible => instances.each(|out, operands| {
            let [(a, _), (b, _)] = memory.magnitudes.of(ty, operands);
            write_bool(out, is_multiple(a, b, &mut memory.scratch));
        }),
    }
}

/// Quotient and remainder of each instance, whose remainders go to `remainders`.
pub(super) fn both<B: Base>(
    euclid: bool,
    instances: Instances<'_, B>,
    remainders: &mut [B],
    memory: &mut Memory<B>,
) {
    let (ty, mut rest) = (instances.ty, remainders.chunks_exact_mut(instances.out_m));
    instances.try_each(|out, operands: [&[B]; 2]| {
        let Some(rest) = rest.next() else { broken_invariant("a division has as many of both results") };
        rest.fill(B::ZERO);
        quotient(memory, ty, out, operands, euclid)?;
        let [(_, negative), (divisor, _)] = memory.magnitudes.of(ty, operands);
        let len = bits::significant(divisor).len();
        rest[..len].copy_from_slice(&memory.rooms[0][..len]);
        if euclid {
            negate_residue_if(negative, rest, divisor);
        } else {
            negate_if(negative, rest);
        }
        Ok(())
    });
}

/// The quotient rounded towards 0, or to leave no negative remainder; returns whether it is exact.
fn quotient<B: Base>(
    memory: &mut Memory<B>,
    ty: IntType,
    out: &mut [B],
    operands: [&[B]; 2],
    euclid: bool,
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
    // A negative dividend then rounds away from zero.
    add::increment(out, euclid && a_negative && !exact);
    negate_if(a_negative != b_negative, out);
    Ok(exact)
}

/// The remainder with the dividend's sign, or in `0..|b|`.
fn remainder<B: Base>(
    memory: &mut Memory<B>,
    ty: IntType,
    out: &mut [B],
    operands: [&[B]; 2],
    euclid: bool,
) -> Result<(), Why> {
    let [(a, negative), (b, _)] = memory.magnitudes.of(ty, operands);
    let divisor = bits::significant(b);
    let (remainder, above) = out.split_at_mut(divisor.len());
    above.fill(B::ZERO);
    match *divisor {
        [limb] => remainder[0] = limb_divisor(limb)?.rem(a),
        _ => div_rem(sized(&mut memory.rooms[0], a.len()), remainder, a, divisor, &mut memory.scratch)
            .map_err(|_| Why::DivisionByZero)?,
    }
    if euclid {
        negate_residue_if(negative, out, b);
    } else {
        negate_if(negative, out);
    }
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
