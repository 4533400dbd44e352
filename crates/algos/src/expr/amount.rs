//! Numbers of bits that operations take: where a field starts, how far to shift or rotate.

use core::fmt;

use super::{Expr, Op};

/// A number of bits: a constant, or an operand of its own for each instance.
///
/// Expressions turn operands that are constants into [`Amount::Constant`] as they are built, so that a constant amount needs
/// to fit no type, and `-3` is three bits the other way in unsigned types too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Amount {
    /// The same number for all instances, in any type.
    Constant(i64),
    /// The value of an operand: of those of an operation, the amounts come last, in the order of its fields.
    Operand,
}

impl Amount {
    /// Starts and lengths beyond this, either way, count as this: 2^28, more than any width. Only the end of a field that starts so
    /// far below bit 0 depends on it; shifts, masks and rotations take any amount as it is.
    pub const FAR: i64 = 1 << 28;

    /// Operands that it takes.
    pub(super) const fn operands(self) -> usize {
        matches!(self, Self::Operand) as usize
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
            _ => amount,
        }
    };
    let op = match op {
        Op::ShlBy => shifted(fold(Amount::Operand, 0), Op::ShlBy, 1),
        Op::ShrBy => shifted(fold(Amount::Operand, 0), Op::ShrBy, -1),
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

/// A shift by a constant number of bits, to the left if its sign times `direction` is positive.
fn shifted(amount: Amount, by_operand: Op, direction: i64) -> Op {
    let Amount::Constant(bits) = amount else { return by_operand };
    let distance = u32::try_from(bits.unsigned_abs()).unwrap_or(u32::MAX);
    if bits * direction >= 0 { Op::Shl(distance) } else { Op::Shr(distance) }
}

/// Constant amounts count from one side.
fn backwards(op: Op) -> Op {
    match op {
        Op::Rotr(Amount::Constant(bits)) => Op::Rotl(Amount::Constant(-bits)),
        Op::MaskHigh(Amount::Constant(bits)) => Op::Mask(Amount::Constant(-bits)),
        op => op,
    }
}

/// The number that `LITERAL` or `-LITERAL` is, if its absolute value is below 2^63.
fn constant(expr: &Expr) -> Option<i64> {
    match (&expr.0.op, &*expr.0.args) {
        (Op::Literal(value), _) => i64::try_from(value).ok(),
        (Op::Neg, [Expr(negated)]) => match &negated.op {
            Op::Literal(value) => i64::try_from(value).ok().map(|value| -value),
            _ => None,
        },
        _ => None,
    }
}
