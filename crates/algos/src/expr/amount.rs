//! Amounts that are constants become part of their operation.

use num_bigint::{BigInt, Sign};

use super::{Amount, Expr, Op};
use crate::invariant::broken_invariant;

/// The operation with its constant amounts inside, and the operands that are left.
pub(super) fn fold(mut op: Op, mut args: Vec<Expr>) -> (Op, Vec<Expr>) {
    if let Op::ShlBy | Op::ShrBy = op {
        let Some(bits) = args.last().and_then(constant) else { return (op, args) };
        args.pop();
        return (shifted(&bits, if op == Op::ShlBy { Sign::Plus } else { Sign::Minus }), args);
    }
    let mut amounts = op.amounts_mut();
    amounts.retain(|amount| **amount == Amount::Operand);
    let mut last = args.split_off(args.len() - amounts.len()).into_iter();
    for amount in amounts {
        let Some(arg) = last.next() else { broken_invariant("an amount is an operand") };
        match constant(&arg) {
            Some(bits) => *amount = Amount::Constant(bits),
            None => args.push(arg),
        }
    }
    (backwards(op), args)
}

/// A shift by a constant number of bits, to the left if it is 0 or its sign is `left`. Distances from 2^32
/// on, which no type has bits for, are 2^32 - 1.
fn shifted(bits: &BigInt, left: Sign) -> Op {
    let distance = u32::try_from(bits.magnitude()).unwrap_or(u32::MAX);
    let to_left = bits.sign() == Sign::NoSign || bits.sign() == left;
    if to_left { Op::Shl(distance) } else { Op::Shr(distance) }
}

/// Constant amounts count from one side.
fn backwards(op: Op) -> Op {
    match op {
        Op::Rotr(Amount::Constant(bits)) => Op::Rotl(Amount::Constant(-bits)),
        Op::MaskHigh(Amount::Constant(bits)) => Op::Mask(Amount::Constant(-bits)),
        op => op,
    }
}

/// The number that a constant is, negated any number of times.
pub(super) fn constant(expr: &Expr) -> Option<BigInt> {
    let (mut expr, mut sign) = (expr, Sign::Plus);
    while let (Op::Neg, [negated]) = (&expr.0.op, &*expr.0.args) {
        (expr, sign) = (negated, -sign);
    }
    let Op::Literal(value) = &expr.0.op else { return None };
    Some(BigInt::from_biguint(sign, value.clone()))
}
