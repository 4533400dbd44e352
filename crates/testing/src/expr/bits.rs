//! Shifts, rotations, counts and fields of bits, bit by bit: what the operations on them mean.

use limbforge_algos::expr::{Amount, Op};
use num_bigint::{BigInt, BigUint};
use num_traits::{Signed, ToPrimitive};

use crate::oracle::residue;

/// The value of an operation on bits, before it is reduced to the type.
pub(super) fn apply(op: &Op, args: &[&BigInt], bits: u32) -> BigInt {
    let width = i64::from(bits);
    let mut amounts = args[args.len() - operands(op)..].iter().copied();
    let mut next = |amount: &Amount| match amount {
        Amount::Constant(n) => n.clone(),
        Amount::Operand => {
            amounts.next().unwrap_or_else(|| panic!("{op} with {} operands", args.len())).clone()
        }
    };
    // The bits of a two's complement number without end; zeros below bit 0.
    let bit = |a: &BigInt, i: &BigInt| match i.to_u64() {
        Some(i) => a.bit(i),
        None => i.is_positive() && a.is_negative(),
    };
    // The number of N bits with these bits.
    let number = |bit: &dyn Fn(BigInt) -> bool| {
        let mut number = BigUint::default();
        (0..width).filter(|&i| bit(i.into())).for_each(|i| number.set_bit(i as u64, true));
        BigInt::from(number)
    };
    let turned = |a: &BigInt, n: BigInt| {
        number(&|i| bit(a, &num_traits::Euclid::rem_euclid(&(i - &n), &width.into())))
    };
    let ones = |a: &BigInt| residue(a, bits);
    let operand = Amount::Operand;
    match op {
        Op::ShlBy | Op::ShrBy => {
            let n: BigInt = next(&operand) * if *op == Op::ShlBy { 1 } else { -1 };
            number(&|i| bit(args[0], &(i - &n)))
        }
        Op::Rotl(n) => turned(args[0], next(n)),
        Op::Rotr(n) => turned(args[0], -next(n)),
        Op::Popcount => ones(args[0]).count_ones().into(),
        Op::Clz => (u64::from(bits) - ones(args[0]).bits()).into(),
        Op::Ctz => ones(args[0]).trailing_zeros().unwrap_or(bits.into()).into(),
        Op::Extract { start, length } => {
            let (start, length) = (next(start), next(length));
            number(&|i| i < length && bit(args[0], &(i + &start)))
        }
        Op::Insert { start, length } => {
            let (start, length) = (next(start), next(length));
            number(&|i| {
                let from = &i - &start;
                if !from.is_negative() && from < length { bit(args[1], &from) } else { bit(args[0], &i) }
            })
        }
        Op::Mask(n) | Op::MaskHigh(n) => {
            let n: BigInt = next(n) * if matches!(op, Op::Mask(_)) { 1 } else { -1 };
            number(&|i| if n.is_negative() { i >= &n + width } else { i < n })
        }
        op => panic!("{op} with {} operands", args.len()),
    }
}

/// How many of the operands are amounts.
fn operands(op: &Op) -> usize {
    let of = |amount: &Amount| usize::from(*amount == Amount::Operand);
    match op {
        Op::ShlBy | Op::ShrBy => 1,
        Op::Rotl(n) | Op::Rotr(n) | Op::Mask(n) | Op::MaskHigh(n) => of(n),
        Op::Extract { start, length } | Op::Insert { start, length } => of(start) + of(length),
        _ => 0,
    }
}
