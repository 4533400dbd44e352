//! Amounts of one instance: numbers of any size, of which only a part matters.

use limbforge_limb::slice::div::LimbDivisor;
use limbforge_limb::slice::{bits, cmp};
use limbforge_limb::{Base, IntType, convert};
use num_bigint::BigInt;

use super::Amount;
use super::rooms::sized;
use crate::invariant::broken_invariant;

const FAR: i64 = Amount::FAR;

/// An amount of one instance: a constant, or the limbs of an operand.
#[derive(Clone, Copy)]
pub(crate) enum Bound<'a, B> {
    Constant(&'a BigInt),
    Value(&'a [B]),
}

impl<B: Base> Bound<'_, B> {
    /// The number, or the end of `-FAR..=FAR` that is next to it.
    pub(super) fn near(self, ty: IntType) -> i64 {
        match self {
            Bound::Constant(n) => Amount::near(n),
            Bound::Value(n) => clamped(n, ty),
        }
    }

    fn exact(self, ty: IntType) -> BigInt {
        match self {
            Bound::Constant(n) => n.clone(),
            Bound::Value(n) => convert::to_bigint(n, ty),
        }
    }

    /// How far to rotate, below the width.
    pub(super) fn turns(self, ty: IntType, room: &mut Vec<B>) -> u32 {
        let width = ty.bits();
        let n = match self {
            Bound::Constant(n) => return Amount::turns(n, width),
            Bound::Value(n) => n,
        };
        let near = clamped(n, ty);
        if near.abs() < FAR {
            return near.rem_euclid(width.into()) as u32;
        }
        let (limbs, negative) = folded(n, ty);
        let distance = sized(room, n.len());
        distance.iter_mut().zip(limbs).for_each(|(distance, limb)| *distance = limb);
        let rest = remainder(distance, width);
        if negative { width - 1 - rest } else { rest }
    }

    /// Where a field of so many bits from here on ends, exact within `0..FAR - MAX_BITS`.
    pub(super) fn end(self, length: Self, ty: IntType) -> i64 {
        let (first, bits) = (self.near(ty), length.near(ty).max(0));
        if first >= i64::from(IntType::MAX_BITS) - FAR || bits == 0 {
            // A length of FAR or more reaches beyond any width.
            return first + bits;
        }
        // The start lies so far below bit 0 that the length may, too.
        Amount::near(&(self.exact(ty) + length.exact(ty)))
    }
}

/// The limbs of a number, or of `-1 - number` if it is negative, and whether it is.
fn folded<B: Base>(number: &[B], ty: IntType) -> (impl DoubleEndedIterator<Item = B>, bool) {
    let negative = ty.is_signed() && cmp::is_negative(number, ty.bits());
    let (flip, top) = (if negative { B::HIGHEST } else { B::ZERO }, number.len() - 1);
    let limbs = number
        .iter()
        .enumerate()
        .map(move |(i, &limb)| (limb ^ flip) & if i == top { bits::top_mask(ty.bits()) } else { B::HIGHEST });
    (limbs, negative)
}

/// A number, or the end of `-FAR..=FAR` that is next to it.
fn clamped<B: Base>(number: &[B], ty: IntType) -> i64 {
    let (limbs, negative) = folded(number, ty);
    let distance = limbs.rev().fold(0, |above: u128, limb| {
        let is_near = limb <= B::HIGHEST >> B::BITS.saturating_sub(FAR.ilog2()) as usize;
        let limb = if is_near { limb.low_word().into() } else { FAR as u128 };
        let above = if above > 0 && B::BITS > FAR.ilog2() { FAR as u128 } else { above << (B::BITS % 64) };
        (above + limb).min(FAR as u128)
    });
    let distance = distance as i64;
    if negative { (-1 - distance).max(-FAR) } else { distance }
}

/// `number mod width`.
fn remainder<B: Base>(number: &[B], width: u32) -> u32 {
    if B::BITS < 32 {
        // The width may take several limbs, two of which fit a word.
        let join = |above: u64, &limb: &B| (above << (B::BITS % 32) | limb.low_word()) % u64::from(width);
        return number.iter().rev().fold(0, join) as u32;
    }
    let divisor = LimbDivisor::new(B::from_word(width.into()))
        .unwrap_or_else(|_| broken_invariant("a width is not zero"));
    divisor.rem(number).low_word() as u32
}
