//! Operations on integers of up to 64 bits, as scalars.

use limbforge_algos::op::{Class as OpClass, Op, class};
use limbforge_algos::program::Node;
use limbforge_limb::IntType;

use super::Lowerer;
use super::integers::reasons;
use crate::program::tape::code::{Class, Instr, Var, What};

impl Lowerer<'_> {
    /// An operation in 64 bits; `None` where it needs a number.
    pub(super) fn scalar_op(&mut self, node: &Node, op: &Op, ty: IntType) -> Option<Var> {
        let (bits, signed) = (ty.bits(), ty.is_signed());
        let less = if signed { What::ScalarLessSigned } else { What::ScalarLess };
        let args: Vec<Var> = node.args.iter().map(|&arg| self.var(arg)).collect();
        let x = args[0];
        let y = args.get(1).copied().unwrap_or(x);
        let two = |what| Instr::new(what).x(x).y(y);
        let what = match op.class() {
            OpClass::Sum(class::Sum::Add) => What::ScalarAdd,
            OpClass::Sum(class::Sum::Sub) => What::ScalarSub,
            OpClass::Sum(class::Sum::Neg) => {
                let zero = self.b.constant(0);
                return Some(self.b.scalar(Instr::new(What::ScalarSub).x(zero).y(x), bits, signed));
            }
            OpClass::Product(class::Product::Mul | class::Product::Sqr) => What::ScalarMul,
            OpClass::Bitwise(class::Bitwise::And) => What::ScalarAnd,
            OpClass::Bitwise(class::Bitwise::Or) => What::ScalarOr,
            OpClass::Bitwise(class::Bitwise::Xor) => What::ScalarXor,
            OpClass::Bitwise(class::Bitwise::Not) => {
                let ones = self.b.constant(u64::MAX);
                return Some(self.b.scalar(Instr::new(What::ScalarXor).x(x).y(ones), bits, signed));
            }
            OpClass::Comparison(class::Comparison::Eq) => {
                return Some(self.b.scalar(two(What::ScalarEq), 1, false));
            }
            OpClass::Comparison(class::Comparison::Ne) => {
                let equal = self.b.scalar(two(What::ScalarEq), 1, false);
                return Some(self.negated(equal));
            }
            OpClass::Comparison(class::Comparison::Lt) => return Some(self.b.scalar(two(less), 1, false)),
            OpClass::Comparison(class::Comparison::Le) => {
                let greater = self.b.scalar(Instr::new(less).x(y).y(x), 1, false);
                return Some(self.negated(greater));
            }
            OpClass::Choice(class::Choice::Min) => return Some(self.chosen(less, (x, y), (x, y))),
            OpClass::Choice(class::Choice::Max) => return Some(self.chosen(less, (x, y), (y, x))),
            OpClass::FixedShift(class::FixedShift::Shl(n) | class::FixedShift::Shr(n)) => {
                let left = matches!(op.class(), OpClass::FixedShift(class::FixedShift::Shl(_)));
                let n = self.b.constant(n.into());
                let shift = Instr::new(if left { What::ScalarShl } else { What::ScalarShr }).x(x).y(n);
                return Some(self.b.scalar(shift, bits, signed));
            }
            OpClass::Division(class::Division::Div) => {
                return Some(self.quotient(node, op, What::ScalarDiv, ty));
            }
            OpClass::Division(class::Division::Rem) => {
                return Some(self.quotient(node, op, What::ScalarRem, ty));
            }
            _ => return None,
        };
        Some(self.b.scalar(two(what), bits, signed))
    }

    fn quotient(&mut self, node: &Node, op: &Op, what: What, ty: IntType) -> Var {
        let (x, y) = (self.var(node.args[0]), self.var(node.args[1]));
        self.uses.insert(what);
        let place = self.place(node.span, &reasons(op));
        let high = ty.bits() | u32::from(ty.is_signed()) << 8;
        self.b.fallible(Instr::new(what).x(x).y(y).low(place).high(high), Class::Scalar)
    }

    /// One of two scalars, by the order of two.
    fn chosen(&mut self, less: What, (a, b): (Var, Var), (x, y): (Var, Var)) -> Var {
        let condition = self.b.scalar(Instr::new(less).x(a).y(b), 1, false);
        self.scalar_select(condition, x, y)
    }

    pub(super) fn scalar_select(&mut self, condition: Var, x: Var, y: Var) -> Var {
        if x == y {
            return x;
        }
        let instr = Instr::new(What::ScalarSelect).x(x).y(y).third(condition).high(64);
        self.b.pure(instr, Class::Scalar)
    }

    pub(super) fn negated(&mut self, condition: Var) -> Var {
        let one = self.b.constant(1);
        self.b.scalar(Instr::new(What::ScalarXor).x(condition).y(one), 1, false)
    }
}
