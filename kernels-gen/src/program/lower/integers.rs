//! Operations on integers.

use limbforge_algos::expr::Amount;
use limbforge_algos::op::{Class as OpClass, Op, Why, class, operations};
use limbforge_algos::program::{Element, Node, ValueId};
use limbforge_limb::IntType;
use num_bigint::BigInt;

use super::Lowerer;
use super::shared::Style;
use super::values::{Held, bits_of, is_scalar};
use crate::program::tape::code::{Class, Instr, Var, What};
use crate::spec::SpecError;

impl Lowerer<'_> {
    pub(super) fn integer(&mut self, node: &Node, op: &Op) -> Result<(), SpecError> {
        let result = node.results[0];
        let Some(&first) = node.args.first() else {
            let ones = ones(op, self.int(result));
            let ones = ones.ok_or_else(|| self.refused(node, op.to_string(), "an operand".to_owned()))?;
            self.set(result, Held::Constant(ones));
            return Ok(());
        };
        let ty = self.int(first);
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
        if self.style != Style::Tape {
            return self.of_thread(node, op, ty);
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

fn wrap_constant(constant: &BigInt, ty: IntType) -> BigInt {
    let modulus = BigInt::from(1) << ty.bits();
    let low = ((constant % &modulus) + &modulus) % &modulus;
    if ty.is_signed() && low.bit(u64::from(ty.bits()) - 1) { low - modulus } else { low }
}

/// `mask(n)` or `mask_high(n)` for a constant n, the operations that need no operand.
fn ones(op: &Op, ty: IntType) -> Option<BigInt> {
    let n = match op {
        Op::Mask(Amount::Constant(n)) => Amount::near(n),
        Op::MaskHigh(Amount::Constant(n)) => -Amount::near(n),
        _ => return None,
    };
    let below = |bits: i64| (BigInt::from(1) << bits.clamp(0, ty.bits().into())) - 1;
    let width = i64::from(ty.bits());
    let ones = if n >= 0 { below(n) } else { below(width) - below(width + n) };
    Some(wrap_constant(&ones, ty))
}

/// The reasons for which an operation may fail.
pub(super) fn reasons(op: &Op) -> Vec<Why> {
    let row = operations().find(|row| row.op.as_ref() == Some(op));
    row.map(|row| row.failures.iter().map(|(why, _)| *why).collect()).unwrap_or_default()
}

/// Whether the result depends on the number of bits of the type beyond its value modulo 2^N.
pub(super) fn depends_on_width(op: &Op, ty: IntType) -> bool {
    match op.class() {
        OpClass::Count(class::Count::Popcount) => ty.is_signed(),
        OpClass::Count(_) | OpClass::Field(_) | OpClass::Montgomery(_) | OpClass::WideDivision(_) => true,
        OpClass::Shift(class::Shift::Rotl | class::Shift::Rotr) => true,
        OpClass::Product(class::Product::MulHigh) => true,
        _ => false,
    }
}
