//! Shifts, rotations, counts and fields of bits, bit by bit: what the operations on them mean.

use limbforge_algos::expr::{Amount, Op};
use num_bigint::{BigInt, BigUint};
use num_traits::{Signed, ToPrimitive};

use crate::oracle::residue;

/// The value of an operation on bits, before it is reduced to the type.
pub(super) fn apply(op: &Op, args: &[&BigInt], bits: u32) -> BigInt {
    let width = i64::from(bits);
    let mut amounts = Amounts { args, bits };
    // The bits of a two's complement number without end; zeros below bit 0.
    let bit = |a: &BigInt, i: i64| i >= 0 && a.bit(i as u64);
    // The number of N bits with these bits.
    let number = |bit: &dyn Fn(i64) -> bool| {
        let mut number = BigUint::default();
        (0..width).filter(|&i| bit(i)).for_each(|i| number.set_bit(i as u64, true));
        BigInt::from(number)
    };
    let turned = |a: &BigInt, n: i64| number(&|i| bit(a, (i - n).rem_euclid(width)));
    let ones = |a: &BigInt| residue(a, bits);
    match op {
        Op::ShlBy | Op::ShrBy => {
            let n = amounts.next(1, Amount::Operand) * if *op == Op::ShlBy { 1 } else { -1 };
            number(&|i| bit(args[0], i - n))
        }
        Op::Rotl(n) => turned(args[0], amounts.turns(*n)),
        Op::Rotr(n) => turned(args[0], -amounts.turns(*n)),
        Op::Popcount => ones(args[0]).count_ones().into(),
        Op::Clz => (u64::from(bits) - ones(args[0]).bits()).into(),
        Op::Ctz => ones(args[0]).trailing_zeros().unwrap_or(bits.into()).into(),
        Op::Extract { start, length } => {
            let (start, length) = (amounts.next(1, *start), amounts.next(1, *length));
            number(&|i| i < length && bit(args[0], i + start))
        }
        Op::Insert { start, length } => {
            let (start, length) = (amounts.next(2, *start), amounts.next(2, *length));
            number(&|i| {
                if (0..length).contains(&(i - start)) { bit(args[1], i - start) } else { bit(args[0], i) }
            })
        }
        Op::Mask(n) | Op::MaskHigh(n) => {
            let n = amounts.next(0, *n) * if matches!(op, Op::Mask(_)) { 1 } else { -1 };
            number(&|i| if n >= 0 { i < n } else { i >= width + n })
        }
        op => panic!("{op} with {} operands", args.len()),
    }
}

/// The amounts of an operation, in order.
struct Amounts<'a> {
    args: &'a [&'a BigInt],
    bits: u32,
}

impl Amounts<'_> {
    /// The next amount, where the first one is the operand of index `first`, saturated as the definition says.
    fn next(&mut self, first: usize, amount: Amount) -> i64 {
        let far = 1_i64 << 28;
        match amount {
            Amount::Constant(n) => n.clamp(-far, far),
            Amount::Operand => {
                let n = self.args[first];
                self.args = &self.args[1..];
                n.to_i64().map_or(if n.is_negative() { -far } else { far }, |n| n.clamp(-far, far))
            }
        }
    }

    /// An amount to rotate by, which counts modulo the width however large it is.
    fn turns(&self, amount: Amount) -> i64 {
        let n = if let Amount::Constant(n) = amount { n.into() } else { self.args[1].clone() };
        num_traits::Euclid::rem_euclid(&n, &self.bits.into()).to_i64().unwrap_or_default()
    }
}
