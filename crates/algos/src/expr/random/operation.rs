//! Operations and their operands.

use num_bigint::BigInt;
use num_traits::One;

use super::{Expr, Tree};
use crate::expr::{self, Amount, Op};

/// The operations that random expressions are made of below their result: all operators and functions of the language but wide
/// products, each once. Numbers of bits are operands, which an expression folds into the operation where they are written.
pub fn operations() -> impl Iterator<Item = Op> {
    let mut seen = vec![];
    // `>` and `<` are one operation.
    let is_new = move |op: &&Op| {
        let is_new = !seen.contains(*op);
        seen.push((*op).clone());
        is_new
    };
    expr::operations().filter_map(|row| row.op.as_ref()).filter(|op| !op.is_wide()).filter(is_new).cloned()
}

/// How many of the last operands are numbers of bits.
const fn amounts(op: &Op) -> usize {
    match op {
        Op::ShlBy | Op::ShrBy => 1,
        Op::Rotl(Amount::Operand) | Op::Rotr(Amount::Operand) => 1,
        Op::Mask(Amount::Operand) | Op::MaskHigh(Amount::Operand) => 1,
        Op::Extract { .. } | Op::Insert { .. } => 2,
        _ => 0,
    }
}

/// Whether its work grows with the cube of the width or faster.
const fn is_slow(op: &Op) -> bool {
    matches!(op, Op::PowMod | Op::IsPrime | Op::IsStrongProbablePrime | Op::IsPerfectPower)
}

impl Tree<'_> {
    /// An operation on operands of up to so many levels.
    pub(super) fn operation(&mut self, depth: u32) -> Expr {
        let all: Vec<Op> = operations().filter(|op| self.slow > 0 || !is_slow(op)).collect();
        let op = self.one_of(&all);
        self.left -= 1;
        self.slow -= u32::from(is_slow(&op));
        let values = op.arity() - amounts(&op);
        let mut operands: Vec<Expr> = (0..values).map(|_| self.value(depth)).collect();
        if self.below(8) != 0 {
            self.adjust(&op, &mut operands);
        }
        operands.extend((0..amounts(&op)).map(|_| self.amount(depth)));
        Expr::operation(op, operands)
    }

    /// Changes operands so that most instances have a result.
    fn adjust(&self, op: &Op, operands: &mut [Expr]) {
        let one = self.constant(&BigInt::one());
        // Of i1 this is 0, the one number that is not negative.
        let highest = self.constant(&((BigInt::one() << (self.ty.bits() - 1)) - 1));
        let not_negative = |x: &Expr| if self.ty.is_signed() { x & &highest } else { x.clone() };
        let odd = |x: &Expr| x | &one;
        match (op, operands) {
            (Op::Div | Op::Rem | Op::DivEuclid | Op::RemEuclid, [_, y]) => *y = odd(y),
            (Op::DivExact, [x, y]) => {
                *y = odd(y);
                *x = &*x - &*x % &*y;
            }
            (Op::AddMod | Op::SubMod | Op::MulMod | Op::RemWide, [_, _, m]) => *m = odd(m),
            (Op::ToMont | Op::FromMont | Op::Jacobi, [_, m]) => *m = odd(m),
            (Op::MontMul | Op::MontReduce, [_, _, m]) => *m = odd(m),
            (Op::DivWide, [high, _, d]) => {
                *d = odd(d);
                // A part of the divisor's bits without the lowest one is less than the divisor.
                *high = (&*high & &*d) & !&one;
            }
            (Op::PowMod, [_, e, m]) => (*e, *m) = (not_negative(e), odd(m)),
            (Op::ModInv, [x, _]) | (Op::ModInv2k | Op::IsPrime, [x]) => *x = odd(x),
            (Op::Isqrt | Op::IsqrtRem, [x]) => *x = not_negative(x),
            (Op::Root, [x, k]) => {
                let low = self.constant(&((BigInt::one() << (self.ty.bits() - 1).min(3)) - 1));
                (*x, *k) = (not_negative(x), odd(&(&*k & &low)));
            }
            _ => {}
        }
    }
}
