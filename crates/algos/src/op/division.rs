//! Divisions of one instance, from those of the absolute values.

use limbforge_limb::slice::div::LimbDivisor;
use limbforge_limb::slice::{add, bits, cmp, shift, sub};
use limbforge_limb::{Base, IntType};

use super::Why;
use super::class::{Division, WideDivision};
use super::instances::Instances;
use super::rooms::{Magnitudes, divide, negate_if, packed, sized, unpack, write_bool};
use crate::integer::div;

/// A thread's memory for divisions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Divisions<B> {
    scratch: div::Scratch,
    magnitudes: Magnitudes<B>,
    /// Of quotient and remainder, the one that is not the result.
    other: Vec<B>,
}

/// Signs of a division, and whether it leaves no remainder.
struct Divided {
    dividend_negative: bool,
    divisor_negative: bool,
    exact: bool,
}

impl<B: Base> Divisions<B> {
    pub(crate) fn apply(&mut self, op: Division, instances: Instances<'_, B>) {
        let ty = instances.ty;
        match op {
            Division::Div => instances.try_each(|out, operands| {
                let divided = self.quotient(ty, out, operands)?;
                negate_if(divided.dividend_negative != divided.divisor_negative, out);
                Ok(())
            }),
            Division::DivEuclid => instances.try_each(|out, operands| {
                let divided = self.quotient(ty, out, operands)?;
                // A negative dividend rounds away from zero to leave no negative remainder.
                add::increment(out, divided.dividend_negative && !divided.exact);
                negate_if(divided.dividend_negative != divided.divisor_negative, out);
                Ok(())
            }),
            Division::DivExact => instances.try_each(|out, operands| {
                let divided = self.quotient(ty, out, operands)?;
                negate_if(divided.dividend_negative != divided.divisor_negative, out);
                if divided.exact { Ok(()) } else { Err(Why::NotDivisible) }
            }),
            Division::Rem => instances.try_each(|out, operands| {
                let negative = self.remainder(ty, out, operands)?;
                negate_if(negative, out);
                Ok(())
            }),
            Division::RemEuclid => instances.try_each(|out, operands| self.rem_euclid(ty, out, operands)),
            Division::Divisible => instances.each(|out, operands| {
                let [(a, _), (b, _)] = self.magnitudes.of(ty, operands);
                write_bool(out, div::is_multiple(a, b, &mut self.scratch));
            }),
        }
    }

    /// `out = floor(|a| / |b|)`.
    fn quotient(&mut self, ty: IntType, out: &mut [B], operands: [&[B]; 2]) -> Result<Divided, Why> {
        let Self { scratch, magnitudes, other } = self;
        let [(a, dividend_negative), (b, divisor_negative)] = magnitudes.of(ty, operands);
        // A short divisor has a short remainder.
        let b = bits::significant(b);
        let remainder = sized(other, b.len());
        match *b {
            [divisor] => remainder[0] = limb_divisor(divisor)?.div_rem_into(out, a),
            _ => div::div_rem(out, remainder, a, b, scratch).map_err(|_| Why::DivisionByZero)?,
        }
        Ok(Divided { dividend_negative, divisor_negative, exact: cmp::is_zero(remainder) })
    }

    /// `out = |a| mod |b|`; returns whether a is negative.
    fn remainder(&mut self, ty: IntType, out: &mut [B], operands: [&[B]; 2]) -> Result<bool, Why> {
        let Self { scratch, magnitudes, other } = self;
        let [(a, negative), (b, _)] = magnitudes.of(ty, operands);
        let b = bits::significant(b);
        let (remainder, above) = out.split_at_mut(b.len());
        above.fill(B::ZERO);
        match *b {
            [divisor] => remainder[0] = limb_divisor(divisor)?.rem(a),
            _ => div::div_rem(sized(other, a.len()), remainder, a, b, scratch)
                .map_err(|_| Why::DivisionByZero)?,
        }
        Ok(negative)
    }

    /// `out = a mod |b|`.
    fn rem_euclid(&mut self, ty: IntType, out: &mut [B], operands: [&[B]; 2]) -> Result<(), Why> {
        let negative = self.remainder(ty, out, operands)?;
        if negative && !cmp::is_zero(out) {
            let [(b, _)] = self.magnitudes.of(ty, [operands[1]]);
            sub::sub_from(out, b);
        }
        Ok(())
    }
}

fn limb_divisor<B: Base>(divisor: B) -> Result<LimbDivisor<B>, Why> {
    LimbDivisor::new(divisor).map_err(|_| Why::DivisionByZero)
}

/// Divisions of `high 2^N + low`, of unsigned numbers.
pub(crate) fn wide<B: Base>(op: WideDivision, scratch: &mut div::Scratch, instances: Instances<'_, B>) {
    let ty = instances.ty;
    match op {
        WideDivision::DivWide => instances.try_each(|out, operands| {
            let [high, low, divisor] = operands.map(|operand| packed(operand, ty));
            if cmp::is_zero(&divisor) {
                return Err(Why::DivisionByZero);
            }
            if cmp::cmp(&high, &divisor).is_ge() {
                return Err(Why::LongQuotient);
            }
            unpack(out, divide(&join(&high, &low, ty), &divisor, scratch).0);
            Ok(())
        }),
        WideDivision::RemWide => instances.try_each(|out, operands| {
            let [high, low, divisor] = operands.map(|operand| packed(operand, ty));
            if cmp::is_zero(&divisor) {
                return Err(Why::DivisionByZero);
            }
            unpack(out, divide(&join(&high, &low, ty), &divisor, scratch).1);
            Ok(())
        }),
    }
}

/// `high 2^N + low`, in twice the words.
pub(super) fn join(high: &[u64], low: &[u64], ty: IntType) -> Vec<u64> {
    let (mut above, mut joined) = (high.to_vec(), vec![0; 2 * high.len()]);
    above.resize(2 * high.len(), 0);
    shift::shl(&mut joined, &above, ty.bits());
    joined.iter_mut().zip(low).for_each(|(word, low)| *word |= low);
    joined
}
