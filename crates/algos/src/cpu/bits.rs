//! Shifts, rotations, counts and fields of bits of one instance, by amounts that may differ from instance to instance.

use limbforge_limb::slice::div::LimbDivisor;
use limbforge_limb::slice::{bits, cmp, field, rotate, shift};
use limbforge_limb::{Base, IntType};

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
            (Op::Rotl(n), [a, rest @ ..]) => rotate::rotate_left(out, a, self.turns(*n, rest, ty), width),
            (Op::Rotr(n), [a, rest @ ..]) => rotate::rotate_right(out, a, self.turns(*n, rest, ty), width),
            (Op::Mask(n), rest) => mask(out, Amounts { rest, ty }.next(*n), width),
            (Op::MaskHigh(n), rest) => mask(out, -Amounts { rest, ty }.next(*n), width),
            (Op::Extract { start, length }, [a, rest @ ..]) => {
                let mut amounts = Amounts { rest, ty };
                let (start, length) = (amounts.next(*start), amounts.next(*length));
                self.shift(ty, out, a, -start);
                field::keep_low(out, within(length, width));
            }
            (Op::Insert { start, length }, [a, b, rest @ ..]) => {
                let mut amounts = Amounts { rest, ty };
                let (start, length) = (amounts.next(*start), amounts.next(*length).max(0));
                let mut moved = core::mem::take(&mut self.moved);
                let replacing = sized(&mut moved, out.len());
                self.shift(ty, replacing, b, start);
                out.copy_from_slice(a);
                field::copy(out, replacing, within(start, width), within(start + length, width));
                self.moved = moved;
            }
            _ => broken_invariant("an operation on bits has its operands"),
        }
    }

    /// How far to rotate, below the width.
    fn turns(&mut self, amount: Amount, rest: &[&[B]], ty: IntType) -> u32 {
        let width = ty.bits();
        let (Amount::Operand, [n]) = (amount, rest) else {
            let Amount::Constant(n) = amount else { broken_invariant("an amount is an operand") };
            return n.rem_euclid(width.into()) as u32;
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

/// The amounts of an operation: constants, and the operands that are left for the others.
struct Amounts<'a, 'b, B> {
    rest: &'b [&'a [B]],
    ty: IntType,
}

impl<B: Base> Amounts<'_, '_, B> {
    fn next(&mut self, amount: Amount) -> i64 {
        match (amount, self.rest) {
            (Amount::Constant(n), _) => n.clamp(-FAR, FAR),
            (Amount::Operand, [first, rest @ ..]) => {
                self.rest = rest;
                clamped(first, self.ty)
            }
            (Amount::Operand, []) => broken_invariant("an amount is an operand"),
        }
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
