//! Shifts, rotations, counts and fields of bits, bit by bit: the definitions of their operations.

use limbforge_algos::op::class::{Count, Field, FixedShift, Shift};
use limbforge_algos::op::{Amount, Op};
use num_bigint::{BigInt, BigUint};
use num_traits::{Euclid, Signed, ToPrimitive};

use crate::oracle::residue;

pub(super) fn count(op: Count, [x]: [&BigInt; 1], bits: u32) -> BigInt {
    let ones = residue(x, bits);
    match op {
        Count::Popcount => ones.count_ones().into(),
        Count::Clz => (u64::from(bits) - ones.bits()).into(),
        Count::Ctz => ones.trailing_zeros().unwrap_or(bits.into()).into(),
    }
}

/// From the width on all bits have left the number, which then need not grow.
pub(super) fn fixed_shift(op: FixedShift, [x]: [&BigInt; 1], bits: u32) -> BigInt {
    match op {
        FixedShift::Shl(n) => x << n.min(bits),
        FixedShift::Shr(n) => x >> n.min(bits),
    }
}

pub(super) fn shift(shift: Shift, op: &Op, args: &[&BigInt], bits: u32) -> BigInt {
    let [n] = amounts(op, args);
    let moved = |n: BigInt| number(bits, |i| bit(args[0], &(i - &n)));
    let turned = |n: BigInt| number(bits, |i| bit(args[0], &Euclid::rem_euclid(&(i - &n), &bits.into())));
    match shift {
        Shift::ShlBy => moved(n),
        Shift::ShrBy => moved(-n),
        Shift::Rotl => turned(n),
        Shift::Rotr => turned(-n),
    }
}

pub(super) fn field(field: Field, op: &Op, args: &[&BigInt], bits: u32) -> BigInt {
    let mask = |n: &BigInt| number(bits, |i| if n.is_negative() { i >= n + bits } else { i < *n });
    match field {
        Field::Extract => {
            let [start, length] = amounts(op, args);
            number(bits, |i| i < length && bit(args[0], &(i + &start)))
        }
        Field::Insert => {
            let [start, length] = amounts(op, args);
            number(bits, |i| {
                let from = &i - &start;
                if !from.is_negative() && from < length { bit(args[1], &from) } else { bit(args[0], &i) }
            })
        }
        Field::Mask => mask(&amounts::<1>(op, args)[0]),
        Field::MaskHigh => mask(&-&amounts::<1>(op, args)[0]),
    }
}

/// The amounts of an operation: constants in it, or its last operands.
fn amounts<const K: usize>(op: &Op, args: &[&BigInt]) -> [BigInt; K] {
    let mut held = op.amounts().into_iter();
    let constants: [Option<&BigInt>; K] = core::array::from_fn(|_| match held.next() {
        Some(Amount::Constant(n)) => Some(n),
        Some(Amount::Operand) | None => None,
    });
    let operands = constants.iter().filter(|constant| constant.is_none()).count();
    let mut last = args[args.len() - operands..].iter();
    constants.map(|constant| {
        let amount = constant.or_else(|| last.next().copied());
        amount.unwrap_or_else(|| panic!("{op} with {} operands", args.len())).clone()
    })
}

/// A bit of a two's complement number without end; zeros below bit 0.
fn bit(a: &BigInt, i: &BigInt) -> bool {
    match i.to_u64() {
        Some(i) => a.bit(i),
        None => i.is_positive() && a.is_negative(),
    }
}

/// The number of N bits with these bits.
fn number(bits: u32, bit: impl Fn(BigInt) -> bool) -> BigInt {
    let mut number = BigUint::default();
    (0..bits).filter(|&i| bit(i.into())).for_each(|i| number.set_bit(i.into(), true));
    number.into()
}
