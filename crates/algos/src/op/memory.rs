//! Memory that is kept from instance to instance, and numbers with signs in it.

use limbforge_limb::slice::{bits, cmp, sub};
use limbforge_limb::{Base, IntType};

use super::euclid;
use super::{mulmod::ModularProducts, primality::PrimalityTests, quotients::Divisions};
use crate::integer::{Scratch, div::divide, modulus::constants::Ring, packed::as_words};
use crate::invariant::broken_invariant;
use crate::vector::{Multiplier, Neighbours, Powers};

/// A thread's memory for operations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory<B> {
    pub(crate) scratch: Scratch,
    pub(super) magnitudes: Magnitudes<B>,
    pub(super) rooms: [Vec<B>; 3],
    pub(super) modulus: Repeated,
    pub(super) powers: Powers,
    pub(super) multiplier: Multiplier,
    pub(super) neighbours: Neighbours,
    pub(super) divisions: Divisions,
    pub(super) modular_products: ModularProducts,
    pub(super) pairs: euclid::Gathered,
    pub(super) tests: PrimalityTests,
    pub(super) words: [Vec<u64>; 4],
}

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

/// A modulus that is prepared when it comes twice in a row: one for a whole batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeated {
    words: Vec<u64>,
    prepared: Option<Ring>,
}

impl Repeated {
    /// Takes a modulus that is not zero.
    pub(super) fn prepare(&mut self, m: &[u64], scratch: &mut Scratch) {
        if self.words != m {
            *self = Self { words: m.to_vec(), prepared: None };
        } else if self.prepared.is_none() {
            self.prepared = Ring::barrett(m, scratch).ok();
        }
    }

    /// x mod m, in the words of the modulus.
    pub(super) fn residue(&self, x: &[u64], scratch: &mut Scratch) -> Vec<u64> {
        if let Some(prepared) = &self.prepared {
            return prepared.enter(x, scratch);
        }
        let x = bits::significant(x);
        if x.len() >= self.words.len() {
            return divide(x, &self.words, scratch).1;
        }
        let mut rest = x.to_vec();
        rest.resize(self.words.len(), 0);
        rest
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

/// `x = -x` if `negative`.
pub(super) fn negate_if<B: Base>(negative: bool, x: &mut [B]) {
    if negative {
        sub::neg_assign(x);
    }
}

/// `residue = -residue mod m` if `negative`.
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
    let mut packed = as_words(limbs).into_owned();
    packed.resize(bits::limbs_for::<u64>(ty.bits()), 0);
    packed
}
