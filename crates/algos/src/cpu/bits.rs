//! Shifts, rotations, counts and fields of bits of one instance, by amounts that may differ from instance to
//! instance.

use limbforge_limb::slice::div::LimbDivisor;
use limbforge_limb::slice::{bits, cmp, field, rotate, shift};
use limbforge_limb::{Base, IntType, convert};
use num_bigint::BigInt;

use super::kernels::sized;
use crate::expr::{Amount, Op};
use crate::invariant::broken_invariant;

const FAR: i64 = Amount::FAR;

/// A thread's memory for these.
#[derive(Clone, Debug, Default)]
pub(super) struct BitFields<B> {
    extended: Vec<B>,
    moved: Vec<B>,
}

impl<B: Base> BitFields<B> {
    /// `out = op(args)` for M limbs each, residues modulo `2^bits`; bits above are then to be cut off.
    pub(super) fn apply(&mut self, op: &Op, ty: IntType, out: &mut [B], args: &[&[B]]) {
        let width = ty.bits();
        match (op, args) {
            (Op::Popcount, [a]) => write_count(out, bits::count_ones(a)),
            (Op::Clz, [a]) => write_count(out, width - bits::bit_len(a)),
            (Op::Ctz, [a]) => write_count(out, bits::trailing_zeros(a).min(width)),
            (Op::ShlBy, [a, n]) => self.shift(ty, out, a, clamped(n, ty)),
            (Op::ShrBy, [a, n]) => self.shift(ty, out, a, -clamped(n, ty)),
            (Op::Rotl(n), [a, rest @ ..]) => rotate::rotate_left(out, a, self.turns(n, rest, ty), width),
            (Op::Rotr(n), [a, rest @ ..]) => rotate::rotate_right(out, a, self.turns(n, rest, ty), width),
            (Op::Mask(n), rest) => mask(out, Bound::next(n, &mut &*rest).near(ty), width),
            (Op::MaskHigh(n), rest) => mask(out, -Bound::next(n, &mut &*rest).near(ty), width),
            (Op::Extract { start, length }, [a, rest @ ..]) => {
                let rest = &mut &*rest;
                let (start, length) = (Bound::next(start, rest).near(ty), Bound::next(length, rest).near(ty));
                self.shift(ty, out, a, -start);
                field::keep_low(out, within(length, width));
            }
            (Op::Insert { start, length }, [a, b, rest @ ..]) => {
                let rest = &mut &*rest;
                let (start, length) = (Bound::next(start, rest), Bound::next(length, rest));
                let (first, end) = (start.near(ty), end(start, length, ty));
                let mut moved = core::mem::take(&mut self.moved);
                let replacing = sized(&mut moved, out.len());
                self.shift(ty, replacing, b, first);
                out.copy_from_slice(a);
                field::copy(out, replacing, within(first, width), within(end, width));
                self.moved = moved;
            }
            _ => broken_invariant("an operation on bits has its operands"),
        }
    }

    /// How far to rotate, below the width.
    fn turns(&mut self, amount: &Amount, rest: &[&[B]], ty: IntType) -> u32 {
        let width = ty.bits();
        let n = match Bound::next(amount, &mut &*rest) {
            Bound::Constant(n) => return Amount::turns(n, width),
            Bound::Value(n) => n,
        };
        let near = clamped(n, ty);
        if near.abs() < FAR {
            return near.rem_euclid(width.into()) as u32;
        }
        let (limbs, negative) = folded(n, ty);
        let distance = sized(&mut self.extended, n.len());
        distance.iter_mut().zip(limbs).for_each(|(distance, limb)| *distance = limb);
        let rest = remainder(distance, width);
        if negative { width - 1 - rest } else { rest }
    }

    /// `floor(a * 2^n)`.
    fn shift(&mut self, ty: IntType, out: &mut [B], a: &[B], n: i64) {
        let distance = u32::try_from(n.unsigned_abs()).unwrap_or(u32::MAX);
        if n >= 0 {
            shift::shl(out, a, distance);
        } else if ty.is_signed() {
            let extended = sized(&mut self.extended, a.len());
            extended.copy_from_slice(a);
            bits::sign_extend(extended, ty.bits());
            shift::shr_signed(out, extended, distance);
        } else {
            shift::shr(out, a, distance);
        }
    }
}

/// An amount of one instance: a constant, or the limbs of an operand.
#[derive(Clone, Copy)]
enum Bound<'a, B> {
    Constant(&'a BigInt),
    Value(&'a [B]),
}

impl<'a, B: Base> Bound<'a, B> {
    /// The amount, which is the next operand if it is no constant.
    fn next(amount: &'a Amount, rest: &mut &[&'a [B]]) -> Self {
        match amount {
            Amount::Constant(n) => Bound::Constant(n),
            Amount::Operand => {
                let Some((first, others)) = rest.split_first() else {
                    broken_invariant("an amount is an operand")
                };
                *rest = others;
                Bound::Value(first)
            }
        }
    }

    /// The number, or the end of `-FAR..=FAR` that is next to it.
    fn near(self, ty: IntType) -> i64 {
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
}

/// Where a field ends, exact within `0..FAR - MAX_BITS`.
fn end<B: Base>(start: Bound<'_, B>, length: Bound<'_, B>, ty: IntType) -> i64 {
    let (first, bits) = (start.near(ty), length.near(ty).max(0));
    if first >= i64::from(IntType::MAX_BITS) - FAR || bits == 0 {
        // A length of FAR or more reaches beyond any width.
        return first + bits;
    }
    // The start lies so far below bit 0 that the length may, too.
    Amount::near(&(start.exact(ty) + length.exact(ty)))
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

/// Where a number of bits ends within the width.
fn within(bits: i64, width: u32) -> u32 {
    bits.clamp(0, width.into()) as u32
}

/// Ones in the lowest n bits, or in the highest -n.
fn mask<B: Base>(out: &mut [B], n: i64, width: u32) {
    if n >= 0 {
        field::fill(out, 0, within(n, width));
    } else {
        field::fill(out, within(i64::from(width) + n, width), width);
    }
}

fn write_count<B: Base>(out: &mut [B], count: u32) {
    for (i, out) in out.iter_mut().enumerate() {
        *out = B::from_word(u64::from(count).checked_shr(i as u32 * B::BITS).unwrap_or(0));
    }
}
