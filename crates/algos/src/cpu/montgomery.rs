//! Divisions of a number of two operands, and arithmetic in Montgomery's form, of one instance.
//!
//! R = 2^N for N bits, whether or not limbs end there: [`reduce`] divides by a power of the limb's base that is 2^s R, so that
//! what it divides is shifted by s first.

use limbforge_limb::slice::{bits, cmp, shift, words};
use limbforge_limb::{Base, IntType};

use super::Why;
use crate::expr::Op;
use crate::integer::div::{self, div_rem};
use crate::integer::modulus;
use crate::integer::montgomery::{negated_inverse, reduce};
use crate::invariant::broken_invariant;

/// A thread's memory for these.
#[derive(Clone, Debug, Default)]
pub(super) struct Montgomery {
    division: div::Scratch,
    products: modulus::Scratch,
}

impl Montgomery {
    /// `out = op of the operands`, all of M limbs.
    pub(super) fn apply<B: Base>(
        &mut self,
        op: &Op,
        ty: IntType,
        out: &mut [B],
        operands: &[&[B]],
    ) -> Result<(), Why> {
        let n = bits::limbs_for::<u64>(ty.bits());
        let packed = operands.iter().map(|limbs| {
            let mut packed = vec![0; words::words_for::<B>(limbs.len())];
            words::pack(&mut packed, limbs);
            packed.resize(n, 0);
            packed
        });
        let packed: Vec<Vec<u64>> = packed.collect();
        let mut result = match (op, &*packed) {
            (Op::DivWide | Op::RemWide, [_, _, d]) if cmp::is_zero(d) => return Err(Why::DivisionByZero),
            (Op::DivWide, [high, _, d]) if cmp::cmp(high, d).is_ge() => return Err(Why::LongQuotient),
            (Op::DivWide, [high, low, d]) => self.divide(&join(high, low, ty), d).0,
            (Op::RemWide, [high, low, d]) => self.divide(&join(high, low, ty), d).1,
            (_, [.., m]) if !bits::bit(m, 0) => return Err(Why::EvenModulus),
            (Op::ToMont, [a, m]) => self.divide(&join(a, &vec![0; n], ty), m).1,
            (Op::FromMont, [a, m]) => {
                let mut residue = self.divide(a, m).1;
                residue.resize(2 * n, 0);
                reduced(&residue, m, ty)
            }
            (Op::MontMul, [a, b, m]) => {
                let (a, b) = (self.divide(a, m).1, self.divide(b, m).1);
                reduced(&self.products.product(&a, &b), m, ty)
            }
            (Op::MontReduce, [high, low, m]) => reduced(&join(&self.divide(high, m).1, low, ty), m, ty),
            _ => broken_invariant("an operation in Montgomery's form has its operands"),
        };
        result.resize(words::words_for::<B>(out.len()), 0);
        words::unpack(out, &result);
        Ok(())
    }

    /// Quotient and remainder by a divisor that is not zero.
    fn divide(&mut self, x: &[u64], divisor: &[u64]) -> (Vec<u64>, Vec<u64>) {
        let (mut quotient, mut rest) = (vec![0; x.len()], vec![0; divisor.len()]);
        div_rem(&mut quotient, &mut rest, x, divisor, &mut self.division)
            .unwrap_or_else(|_| broken_invariant("the divisor is not zero"));
        (quotient, rest)
    }
}

/// `high 2^N + low`, in twice the words.
fn join(high: &[u64], low: &[u64], ty: IntType) -> Vec<u64> {
    let (mut above, mut joined) = (high.to_vec(), vec![0; 2 * high.len()]);
    above.resize(2 * high.len(), 0);
    shift::shl(&mut joined, &above, ty.bits());
    joined.iter_mut().zip(low).for_each(|(word, low)| *word |= low);
    joined
}

/// `x / 2^N mod m` for odd m and `x < m 2^N`, of twice the words of m.
fn reduced(x: &[u64], m: &[u64], ty: IntType) -> Vec<u64> {
    let (mut shifted, mut out) = (vec![0; x.len()], vec![0; m.len()]);
    shift::shl(&mut shifted, x, u64::BITS * m.len() as u32 - ty.bits());
    reduce(&mut out, &mut shifted, m, negated_inverse(m[0]));
    out
}
