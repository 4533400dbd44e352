//! Operations and their operands.

use num_bigint::BigInt;
use num_traits::One;

use super::{Expr, Tree};
use crate::op::{Domain, Flag, Op, Operation};

/// The operations that random expressions are made of below their result: all but wide products, each once.
/// Numbers of bits are operands, which an expression folds into the operation where they are constants.
pub fn operations() -> impl Iterator<Item = Op> {
    Op::all().filter(|op| !op.is_wide())
}

impl Tree<'_> {
    /// An operation on operands of up to so many levels.
    pub(super) fn operation(&mut self, depth: u32) -> Expr {
        let is_slow = |row: &Operation| row.has(Flag::Slow);
        let rows = operations().filter_map(|op| op.row());
        let all: Vec<&Operation> = rows.filter(|row| self.slow > 0 || !is_slow(row)).collect();
        let row = self.one_of(&all);
        self.left -= 1;
        self.slow -= u32::from(is_slow(row));
        let mut operands: Vec<Expr> = (0..row.values()).map(|_| self.value(depth)).collect();
        if self.below(8) != 0 {
            self.adjust(row, &mut operands);
        }
        operands.extend((row.values()..row.operands.len()).map(|_| self.amount(depth)));
        Expr::of_row(row, operands)
    }

    /// Changes operands so that most instances have a result: the last one first, as others depend on it.
    fn adjust(&self, row: &Operation, operands: &mut [Expr]) {
        let ones = |bits| self.constant(&((BigInt::one() << bits) - 1));
        let odd = |x: &Expr| x | &ones(1);
        let sign = self.ty.bits() - 1;
        // Of i1 the highest is 0, the one number that is not negative.
        let not_negative = |x: &Expr| if self.ty.is_signed() { x & &ones(sign) } else { x.clone() };
        for (k, domain) in row.domains.iter().enumerate().take(operands.len()).rev() {
            let (x, last) = (&operands[k], &operands[operands.len() - 1]);
            operands[k] = match domain {
                Domain::Any | Domain::Amount | Domain::Exponent => continue,
                Domain::NonZero | Domain::Odd => odd(x),
                Domain::NotNegative => not_negative(x),
                Domain::Degree => odd(&(x & &ones(sign.min(3)))),
                Domain::Multiple => x - x % last,
                // A part of the last operand's bits without the lowest one is less than it.
                Domain::Below => (x & last) & !&ones(1),
            };
        }
    }
}
