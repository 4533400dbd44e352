//! Numbers of bits that operations take: where a field starts, how far to shift or rotate.

use core::fmt;

use num_bigint::{BigInt, Sign};
use num_traits::{Euclid, Signed, ToPrimitive};

use super::{Expr, Op};
use crate::invariant::broken_invariant;

/// A number of bits: a constant, or an operand of its own for each instance.
///
/// Expressions turn operands that are constants into [`Amount::Constant`] as they are built. A constant
/// amount is that number in any type, of any magnitude and sign: `-3` is three bits the other way in unsigned
/// types too.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Amount {
    /// The same number for all instances, in any type.
    Constant(BigInt),
    /// The value of an operand. The amounts are the last operands of an operation, in the order of its
    /// fields.
    Operand,
}

impl Amount {
    /// 2^28, more than any width. A shift, a mask or an end of a field beyond it, either way, acts like this
    /// one.
    pub const FAR: i64 = 1 << 28;

    /// Operands that it takes.
    pub(super) const fn operands(&self) -> usize {
        matches!(self, Self::Operand) as usize
    }

    /// The number, or the end of `-FAR..=FAR` next to it.
    ///
    /// ```
    /// use limbforge_algos::expr::Amount;
    /// assert_eq!(Amount::near(&i128::MIN.into()), -Amount::FAR);
    /// assert_eq!(Amount::near(&7.into()), 7);
    /// ```
    #[must_use]
    pub fn near(bits: &BigInt) -> i64 {
        let end = if bits.is_negative() { -Self::FAR } else { Self::FAR };
        bits.to_i64().map_or(end, |bits| bits.clamp(-Self::FAR, Self::FAR))
    }

    /// A rotation by the number, as one to the left by less than `width` bits.
    ///
    /// ```
    /// use limbforge_algos::expr::Amount;
    /// assert_eq!(Amount::turns(&(-1).into(), 8), 7);
    /// assert_eq!(Amount::turns(&u64::MAX.into(), 8), 7);
    /// ```
    ///
    /// # Panics
    /// If `width` is 0.
    #[must_use]
    pub fn turns(bits: &BigInt, width: u32) -> u32 {
        let turns = match bits.to_i64() {
            Some(bits) => Some(bits.rem_euclid(width.into()) as u32),
            None => bits.rem_euclid(&width.into()).to_u32(),
        };
        turns.unwrap_or_else(|| broken_invariant("a remainder is below the width"))
    }
}

/// The constant, or `_` for an operand.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(bits) => write!(f, "{bits}"),
            Self::Operand => f.write_str("_"),
        }
    }
}

impl Op {
    /// Whether it moves, counts or replaces bits by amounts: what [`Amount`] is for, and the counts.
    #[must_use]
    pub const fn is_bit_field(&self) -> bool {
        use Op::{Clz, Ctz, Extract, Insert, Mask, MaskHigh, Popcount, Rotl, Rotr, ShlBy, ShrBy};
        matches!(
            self,
            ShlBy
                | ShrBy
                | Rotl(_)
                | Rotr(_)
                | Popcount
                | Clz
                | Ctz
                | Extract { .. }
                | Insert { .. }
                | Mask(_)
                | MaskHigh(_)
        )
    }

    /// How many of the last operands are amounts.
    pub(super) const fn amounts(&self) -> usize {
        match self {
            Self::ShlBy | Self::ShrBy => 1,
            Self::Rotl(n) | Self::Rotr(n) | Self::Mask(n) | Self::MaskHigh(n) => n.operands(),
            Self::Extract { start, length } | Self::Insert { start, length } => {
                start.operands() + length.operands()
            }
            _ => 0,
        }
    }
}

/// The operation with its constant amounts inside, and the operands that are left.
pub(super) fn fold(op: Op, mut args: Vec<Expr>) -> (Op, Vec<Expr>) {
    // Amounts are the last operands.
    let mut fold = |amount: Amount, later: usize| {
        let at = args.len() - 1 - later;
        match (amount, constant(&args[at])) {
            (Amount::Operand, Some(bits)) => {
                args.remove(at);
                Amount::Constant(bits)
            }
            (amount, _) => amount,
        }
    };
    let op = match op {
        Op::ShlBy => shifted(fold(Amount::Operand, 0), Op::ShlBy, Sign::Plus),
        Op::ShrBy => shifted(fold(Amount::Operand, 0), Op::ShrBy, Sign::Minus),
        Op::Rotl(amount @ Amount::Operand) => Op::Rotl(fold(amount, 0)),
        Op::Rotr(amount @ Amount::Operand) => Op::Rotr(fold(amount, 0)),
        Op::Mask(amount @ Amount::Operand) => Op::Mask(fold(amount, 0)),
        Op::MaskHigh(amount @ Amount::Operand) => Op::MaskHigh(fold(amount, 0)),
        Op::Extract { start, length } => {
            let (start, length) = field(start, length, fold);
            Op::Extract { start, length }
        }
        Op::Insert { start, length } => {
            let (start, length) = field(start, length, fold);
            Op::Insert { start, length }
        }
        op => op,
    };
    (backwards(op), args)
}

fn field(start: Amount, length: Amount, mut fold: impl FnMut(Amount, usize) -> Amount) -> (Amount, Amount) {
    let start = if start == Amount::Operand { fold(start, length.operands()) } else { start };
    let length = if length == Amount::Operand { fold(length, 0) } else { length };
    (start, length)
}

/// A shift by a constant number of bits, to the left if it is 0 or its sign is `left`. Distances from 2^32
/// on, which no type has bits for, are 2^32 - 1.
fn shifted(amount: Amount, by_operand: Op, left: Sign) -> Op {
    let Amount::Constant(bits) = amount else { return by_operand };
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
