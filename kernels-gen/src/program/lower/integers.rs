//! Operations on integers: of up to 64 bits as scalars, of more as numbers.

use limbforge_algos::op::{Class as OpClass, Op, Why, class, operations};
use limbforge_algos::program::{Element, Node, ValueId};
use limbforge_limb::IntType;

use super::Lowerer;
use super::values::{Held, bits_of, is_scalar};
use crate::program::tape::code::{Class, Instr, Var, What};
use crate::spec::SpecError;

impl Lowerer<'_> {
    pub(super) fn integer(&mut self, node: &Node, op: &Op) -> Result<(), SpecError> {
        let (result, ty) = (node.results[0], self.int(node.args[0]));
        if ty.bits() <= 64
            && let Some(var) = self.scalar_op(node, op, ty)
        {
            self.set(result, Held::Var(var));
            return Ok(());
        }
        if matches!(op, Op::MulWide | Op::SqrWide) {
            let x = self.as_number(node.args[0]);
            let y = node.args.get(1).map_or(x, |&y| self.as_number(y));
            let product = self.integer_case(&Op::Mul, false, &[x, y], None);
            self.set_number(result, product);
            return Ok(());
        }
        if depends_on_width(op, ty) && ty.bits() != 32 * self.padded {
            let what = format!("{op} of {ty}");
            let fits = format!("it in types of {} bits here, the width of this program", 32 * self.padded);
            return Err(self.refused(node, what, fits));
        }
        if op.arity() > 3 || !op.amounts().is_empty() && self.has_constant_amounts(op) {
            return Err(self.refused(node, op.to_string(), "at most three operands".to_owned()));
        }
        let args: Vec<Var> = node.args.iter().map(|&arg| self.as_number(arg)).collect();
        let place = op.may_fail(ty.is_signed()).then(|| self.place(node.span, &reasons(op)));
        let var = self.integer_case(op, ty.is_signed(), &args, place);
        match self.b.class(var) {
            Class::Scalar => self.set(result, Held::Var(var)),
            Class::Number => self.set_number(result, var),
        }
        Ok(())
    }

    fn has_constant_amounts(&self, op: &Op) -> bool {
        op.amounts().iter().any(|amount| !matches!(amount, limbforge_algos::expr::Amount::Operand))
    }

    /// The result of an operation modulo 2^(32 PADDED), as a value of the result's type.
    pub(super) fn set_number(&mut self, result: ValueId, var: Var) {
        let element = self.element(result);
        let held = if is_scalar(element) {
            let (bits, signed) = bits_of(element);
            self.uses.insert(What::ScalarLow);
            self.b.scalar(Instr::new(What::ScalarLow).x(var), bits, signed)
        } else {
            self.wrapped(var, self.int(result))
        };
        self.set(result, Held::Var(held));
    }

    /// The residue's number, which needs no more bits than the type.
    pub(super) fn set_plain(&mut self, result: ValueId, var: Var) {
        let held = if is_scalar(self.element(result)) {
            let (bits, signed) = bits_of(self.element(result));
            self.uses.insert(What::ScalarLow);
            self.b.scalar(Instr::new(What::ScalarLow).x(var), bits, signed)
        } else {
            var
        };
        self.set(result, Held::Var(held));
    }

    /// An operation in 64 bits; `None` where it needs a number.
    fn scalar_op(&mut self, node: &Node, op: &Op, ty: IntType) -> Option<Var> {
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

    /// An integer or a `bool` as another integer.
    pub(super) fn cast(&mut self, result: ValueId, x: ValueId) {
        let (from, to) = (self.element(x), self.element(result));
        if let (Some(constant), Element::Int(ty)) = (self.as_constant(x), to) {
            let wrapped = wrap_constant(&constant, ty);
            return self.set(result, Held::Constant(wrapped));
        }
        let var = match (is_scalar(from), is_scalar(to)) {
            (true, true) => {
                let (bits, signed) = bits_of(to);
                let x = self.var(x);
                // A copy that is none, as it changes the number.
                self.b.scalar(Instr::new(What::ScalarOr).x(x).y(x), bits, signed)
            }
            (false, true) => {
                let number = self.var(x);
                return self.set_number(result, number);
            }
            (_, false) => {
                let number = self.as_number(x);
                let (ty, (bits, signed)) = (self.int(result), bits_of(from));
                let same = ty.bits() >= bits && (ty.is_signed() == signed || !signed && ty.bits() > bits);
                if same { number } else { self.wrapped(number, ty) }
            }
        };
        self.set(result, Held::Var(var));
    }
}

fn wrap_constant(constant: &num_bigint::BigInt, ty: IntType) -> num_bigint::BigInt {
    let modulus = num_bigint::BigInt::from(1) << ty.bits();
    let low = ((constant % &modulus) + &modulus) % &modulus;
    if ty.is_signed() && low.bit(u64::from(ty.bits()) - 1) { low - modulus } else { low }
}

/// The reasons for which an operation may fail.
fn reasons(op: &Op) -> Vec<Why> {
    let row = operations().find(|row| row.op.as_ref() == Some(op));
    row.map(|row| row.failures.iter().map(|(why, _)| *why).collect()).unwrap_or_default()
}

/// Whether the result depends on the number of bits of the type beyond its value modulo 2^N.
fn depends_on_width(op: &Op, ty: IntType) -> bool {
    match op.class() {
        OpClass::Count(class::Count::Popcount) => ty.is_signed(),
        OpClass::Count(_) | OpClass::Field(_) | OpClass::Montgomery(_) | OpClass::WideDivision(_) => true,
        OpClass::Shift(class::Shift::Rotl | class::Shift::Rotr) => true,
        OpClass::Product(class::Product::MulHigh) => true,
        _ => false,
    }
}
