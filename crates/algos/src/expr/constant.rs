//! Constant operands: amounts that become part of their operation, and powers.

use limbforge_limb::IntType;
use num_bigint::{BigInt, Sign};
use num_traits::Pow;

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
    // Constant amounts count from one side.
    let op = match op {
        Op::Rotr(Amount::Constant(bits)) => Op::Rotl(Amount::Constant(-bits)),
        Op::MaskHigh(Amount::Constant(bits)) => Op::Mask(Amount::Constant(-bits)),
        op => op,
    };
    (op, args)
}

/// A shift by a constant number of bits, to the left if it is 0 or its sign is `left`. Distances from 2^32
/// on, beyond the bits of any type, become 2^32 - 1.
fn shifted(bits: &BigInt, left: Sign) -> Op {
    let distance = u32::try_from(bits.magnitude()).unwrap_or(u32::MAX);
    let to_left = bits.sign() == Sign::NoSign || bits.sign() == left;
    if to_left { Op::Shl(distance) } else { Op::Shr(distance) }
}

/// The value of a constant, negated any number of times.
pub(super) fn constant(expr: &Expr) -> Option<BigInt> {
    let (mut expr, mut sign) = (expr, Sign::Plus);
    while let (Op::Neg, [negated]) = (&expr.0.op, &*expr.0.args) {
        (expr, sign) = (negated, -sign);
    }
    let Op::Literal(value) = &expr.0.op else { return None };
    Some(BigInt::from_biguint(sign, value.clone()))
}

/// The power of a number, if it has no more bits than a type may have.
pub(super) fn constant_power(base: &BigInt, exponent: u32) -> Option<BigInt> {
    // 2^(bits - 1) <= |base|: the power has more than (bits - 1) * exponent bits.
    let bits = base.bits().saturating_sub(1).saturating_mul(exponent.into());
    if bits >= IntType::MAX_BITS.into() {
        return None;
    }
    // Powers of 0, 1 and -1 depend on the parity of the exponent alone.
    let exponent = if base.bits() <= 1 && exponent > 2 { 2 - exponent % 2 } else { exponent };
    Some(Pow::pow(base, exponent)).filter(|power| power.bits() <= IntType::MAX_BITS.into())
}

impl Expr {
    /// `self` to this power, modulo `2^N`; `a**exponent` in text. `a**0` is 1, also for a = 0. An instance
    /// without a result has none in any power.
    ///
    /// A power takes at most 62 squares and products (the binary method); equal powers within an expression
    /// are computed once. The power of a constant is a constant, which must fit the type; only one of more
    /// than [`IntType::MAX_BITS`] bits is computed modulo `2^N`.
    ///
    /// ```
    /// # use limbforge_algos::expr::Expr;
    /// let a = Expr::input("a");
    /// assert_eq!(a.pow(3).to_dag(), Expr::parse("sqr(a) * a")?.to_dag());
    /// assert_eq!(a.pow(3).to_dag(), Expr::parse("a**3")?.to_dag());
    /// assert_eq!(Expr::literal(2).pow(10).to_dag(), Expr::parse("1024")?.to_dag());
    /// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
    /// ```
    #[must_use]
    pub fn pow(&self, exponent: u32) -> Self {
        if let Some(base) = constant(self)
            && let Some(power) = constant_power(&base, exponent)
        {
            return Self::literal(power);
        }
        if exponent == 0 {
            // Not the literal 1, which would lose the operands, their failures and the number of instances.
            return self.cmp_eq(self);
        }
        // From the bit below the highest on.
        (0..exponent.ilog2()).rev().fold(self.clone(), |power, bit| {
            let square = power.sqr();
            if exponent >> bit & 1 == 1 { square * self } else { square }
        })
    }
}
