//! Memory that is kept from instance to instance, and numbers with signs in it.

use limbforge_limb::slice::{bits, cmp, sub, words};
use limbforge_limb::{Base, IntType};

use crate::integer::div::{self, div_rem};
use crate::invariant::broken_invariant;

/// The first limbs of a buffer, which grows where it is too short.
pub(super) fn sized<B: Base>(buffer: &mut Vec<B>, len: usize) -> &mut [B] {
    if buffer.len() < len {
        buffer.resize(len, B::ZERO);
    }
    &mut buffer[..len]
}

/// Room for the absolute values of an instance's operands.
#[derive(Clone, Debug, Default)]
pub(super) struct Magnitudes<B>([Vec<B>; 3]);

impl<B: Base> Magnitudes<B> {
    /// |x| of each operand, and whether x is negative.
    pub(super) fn of<'a, const K: usize>(
        &'a mut self,
        ty: IntType,
        operands: [&'a [B]; K],
    ) -> [(&'a [B], bool); K] {
        let mut rooms = self.0.iter_mut();
        operands.map(|x| {
            if !is_negative(x, ty) {
                return (x, false);
            }
            let Some(room) = rooms.next() else { broken_invariant("an operation has up to three operands") };
            let magnitude = sized(room, x.len());
            sub::neg(magnitude, x);
            bits::truncate(magnitude, ty.bits());
            (&*magnitude, true)
        })
    }
}

pub(super) fn is_negative<B: Base>(x: &[B], ty: IntType) -> bool {
    ty.is_signed() && cmp::is_negative(x, ty.bits())
}

/// The number, if it is from 0 to `2^63 - 1`.
pub(super) fn small<B: Base>(x: &[B], ty: IntType) -> Option<i64> {
    let is_small = bits::bit_len(x) < u64::BITS && !is_negative(x, ty);
    let join = |word: u64, limb: &B| word << (B::BITS % u64::BITS) | limb.low_word();
    is_small.then(|| bits::significant(x).iter().rev().fold(0, join) as i64)
}

/// `x = -x` if so.
pub(super) fn negate_if<B: Base>(negative: bool, x: &mut [B]) {
    if negative {
        sub::neg_assign(x);
    }
}

/// `residue = -residue mod m` if so.
pub(super) fn negate_residue_if<B: Base>(negative: bool, residue: &mut [B], modulus: &[B]) {
    if negative && !cmp::is_zero(residue) {
        sub::sub_from(residue, modulus);
    }
}

pub(super) fn write_bool<B: Base>(out: &mut [B], value: bool) {
    out.fill(B::ZERO);
    if value {
        out[0] = B::ONE;
    }
}

/// The N bits of a number in words of 64 bits.
pub(super) fn packed<B: Base>(limbs: &[B], ty: IntType) -> Vec<u64> {
    let mut packed = vec![0; words::words_for::<B>(limbs.len())];
    words::pack(&mut packed, limbs);
    packed.resize(bits::limbs_for::<u64>(ty.bits()), 0);
    packed
}

/// `out = words`, which fit.
pub(super) fn unpack<B: Base>(out: &mut [B], mut words: Vec<u64>) {
    words.resize(words::words_for::<B>(out.len()), 0);
    words::unpack(out, &words);
}

/// Quotient and remainder by a divisor that is not zero.
pub(super) fn divide(x: &[u64], divisor: &[u64], scratch: &mut div::Scratch) -> (Vec<u64>, Vec<u64>) {
    let (mut quotient, mut rest) = (vec![0; x.len()], vec![0; divisor.len()]);
    div_rem(&mut quotient, &mut rest, x, divisor, scratch)
        .unwrap_or_else(|_| broken_invariant("the divisor is not zero"));
    (quotient, rest)
}
