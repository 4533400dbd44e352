//! Divisions of one instance, from those of the absolute values.

use limbforge_limb::slice::div::LimbDivisor;
use limbforge_limb::slice::{add, bits, cmp, sub};
use limbforge_limb::{Base, IntType};

use super::{Why, kernels::sized};
use crate::expr::Op;
use crate::integer::div;

/// A thread's memory for divisions.
#[derive(Clone, Debug, Default)]
pub(super) struct Division<B> {
    scratch: div::Scratch,
    dividend: Vec<B>,
    divisor: Vec<B>,
    /// Of quotient and remainder, the one that is not the result.
    other: Vec<B>,
}

impl<B: Base> Division<B> {
    /// `out = a op b` for M limbs each, residues modulo `2^bits`; bits above are then to be cut off.
    pub(super) fn apply(&mut self, op: &Op, ty: IntType, out: &mut [B], a: &[B], b: &[B]) -> Result<(), Why> {
        let Self { scratch, dividend, divisor, other } = self;
        let (a, a_negative) = absolute(sized(dividend, out.len()), a, ty);
        let (b, b_negative) = absolute(sized(divisor, out.len()), b, ty);
        if matches!(op, Op::Divisible) {
            let divisible = div::is_multiple(a, b, scratch);
            out.fill(B::ZERO);
            out[0] = if divisible { B::ONE } else { B::ZERO };
            return Ok(());
        }
        // A short divisor has a short remainder.
        let b = bits::significant(b);
        let of_remainder = matches!(op, Op::Rem | Op::RemEuclid);
        let (quotient, remainder) = if of_remainder {
            let (remainder, above) = out.split_at_mut(b.len());
            above.fill(B::ZERO);
            (sized(other, a.len()), remainder)
        } else {
            (&mut *out, sized(other, b.len()))
        };
        match *b {
            [divisor] => {
                let divisor = LimbDivisor::new(divisor).map_err(|_| Why::DivisionByZero)?;
                remainder[0] = if of_remainder { divisor.rem(a) } else { divisor.div_rem_into(quotient, a) };
            }
            _ => div::div_rem(quotient, remainder, a, b, scratch).map_err(|_| Why::DivisionByZero)?,
        }
        // Of |a| = Q |b| + R: a negative dividend with a remainder rounds away from zero to leave none below it.
        let rounds = a_negative && !cmp::is_zero(remainder);
        match op {
            Op::RemEuclid if rounds => {
                sub::sub_assign(out, b, false);
                sub::neg_assign(out);
            }
            Op::Rem if a_negative => sub::neg_assign(out),
            Op::Rem | Op::RemEuclid => {}
            Op::DivExact if !cmp::is_zero(remainder) => return Err(Why::NotDivisible),
            _ => {
                add::increment(out, rounds && matches!(op, Op::DivEuclid));
                if a_negative != b_negative {
                    sub::neg_assign(out);
                }
            }
        }
        Ok(())
    }
}

/// |x| and whether x is negative; `room` holds the absolute value of a negative number.
pub(super) fn absolute<'r, B: Base>(room: &'r mut [B], x: &'r [B], ty: IntType) -> (&'r [B], bool) {
    if !ty.is_signed() || !cmp::is_negative(x, ty.bits()) {
        return (x, false);
    }
    sub::neg(room, x);
    bits::truncate(room, ty.bits());
    (room, true)
}

/// `out = +-magnitude`.
pub(super) fn with_sign<B: Base>(out: &mut [B], magnitude: &[B], negative: bool) {
    if negative {
        sub::neg(out, magnitude);
    } else {
        out.copy_from_slice(magnitude);
    }
}
