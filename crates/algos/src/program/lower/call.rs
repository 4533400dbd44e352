//! Calls: functions of the program, casts, functions of the language.

use limbforge_limb::IntType;
use num_bigint::BigInt;

use super::class::Class;
use super::constant::constant_error;
use super::open::{Leaf, OpenKind, Want};
use super::shape::Shape;
use super::{Lower, MAX_SIZE, Result, type_error};
use crate::op::{self, Op};
use crate::program::region::{Kind, ResidueOp};
use crate::program::text::syntax::{Expression, Name, Span};
use crate::program::text::{ProgramError, ProgramErrorKind};
use crate::program::ty::Element;

/// Expressions whose stack a call takes.
const CALL_DEPTH: usize = 3;

impl Lower<'_> {
    pub(super) fn call(&mut self, name: &Name, operands: &[Expression], span: Span) -> Result<Shape> {
        let values = operands.iter().map(|operand| self.expression(operand)).collect::<Result<Vec<_>>>()?;
        if let Some(function) = self.functions.get(&name.text).copied() {
            Self::count_operands(name, function.parameters.len(), operands.len())?;
            self.enter_call(span)?;
            self.growth.depth += CALL_DEPTH;
            let before = self.scopes.enter_function();
            let bound = function.parameters.iter().zip(values);
            let bound = bound.map(|(pattern, value)| self.bind(pattern, value)).collect::<Result<Vec<()>>>();
            let value = bound.and_then(|_| self.block(&function.body));
            self.scopes.leave_function(before);
            self.growth.depth -= CALL_DEPTH;
            return value?.ok_or_else(|| {
                type_error(span, "a function with a value", format!("`{}`, whose block has none", name.text))
            });
        }
        match (&*name.text, &*values) {
            ("swap", [condition, p, q]) => {
                let condition = self.condition(condition, operands[0].span)?;
                let choose = |this: &mut Self, a: &Shape, b: &Shape| {
                    this.zip(a, b, span, &mut |this, a, b| this.select(&condition, [b, a], span))
                };
                Ok(Shape::Tuple(vec![choose(self, p, q)?, choose(self, q, p)?]))
            }
            ("select", [condition, then, otherwise]) => {
                let condition = self.single(condition, operands[0].span)?;
                let condition = self.is_not_zero(&condition, span)?;
                self.zip(then, otherwise, span, &mut |this, a, b| this.select(&condition, [a, b], span))
            }
            ("bits" | "digits", _) => {
                let found = format!("`{}` elsewhere", name.text);
                Err(ProgramError::new(ProgramErrorKind::Loop, span, "it after `in` of a `for`", found))
            }
            (_, [value]) if let Ok(ty) = name.text.parse::<IntType>() => {
                value.map(&mut |leaf| self.cast(leaf, ty, span))
            }
            _ => self.function(name, &values, span),
        }
    }

    /// Bounds what is inlined: a function that calls another twice doubles it.
    fn enter_call(&mut self, span: Span) -> Result<()> {
        self.growth.calls += 1;
        if self.growth.calls > MAX_SIZE || self.values.len() > MAX_SIZE {
            let expected = format!("at most {MAX_SIZE} operations, with all functions inlined");
            let error = constant_error(span, expected, "more");
            return Err(error.with_help("a loop computes the same round after round"));
        }
        Ok(())
    }

    fn count_operands(name: &Name, expected: usize, found: usize) -> Result<()> {
        if expected == found {
            return Ok(());
        }
        let expected = format!("{expected} operands of `{}`", name.text);
        Err(ProgramError::new(ProgramErrorKind::Operands, name.span, expected, found.to_string()))
    }

    /// A function of the language on each member of tuples.
    fn function(&mut self, name: &Name, values: &[Shape], span: Span) -> Result<Shape> {
        if let [tuple @ (Shape::Tuple(members) | Shape::Rows(members))] = values {
            let members =
                members.iter().map(|member| self.function(name, core::slice::from_ref(member), span));
            return Ok(tuple.like(members.collect::<Result<_>>()?));
        }
        let leaves = values.iter().map(|shape| self.single(shape, span)).collect::<Result<Vec<_>>>()?;
        let leaf = match (&*name.text, &*leaves) {
            ("int", [x]) => self.int(x, span)?,
            ("key", [x]) => self.number_of(x, ResidueOp::Key, span)?,
            ("bit", [k, i]) => {
                for operand in [k, i] {
                    self.want_integer(operand, span)?;
                }
                let bool = self.bool_class();
                let args = vec![(k.clone(), Want::Own), (i.clone(), Want::Own)];
                self.emit(OpenKind::Fixed(Kind::Bit), args, bool, span)?
            }
            ("bit_length", [Leaf::Number(k)]) => Leaf::Number(BigInt::from(k.bits())),
            ("bit_length", [k]) => {
                self.want_integer(k, span)?;
                let class = self.int_class(32, false, span)?;
                self.emit(OpenKind::Fixed(Kind::BitLength), vec![(k.clone(), Want::Own)], class, span)?
            }
            ("jacobi", [x]) => {
                if !self.is_residue(x) {
                    let error = type_error(span, "a residue", self.describe(x));
                    return Err(error.with_help("write jacobi(x mod n), or jacobi(a, n) of integers"));
                }
                let class = self.int_class(64, true, span)?;
                let jacobi = OpenKind::Fixed(Kind::Residue(ResidueOp::Jacobi));
                self.emit(jacobi, vec![(x.clone(), Want::Own)], class, span)?
            }
            _ => {
                let row = op::function(&name.text).and_then(|row| Some((row, row.op.clone()?)));
                let Some((row, op)) = row else {
                    let found = format!("`{}`", name.text);
                    return Err(ProgramError::new(ProgramErrorKind::Name, name.span, "a function", found));
                };
                Self::count_operands(name, row.operands.len(), leaves.len())?;
                match op {
                    Op::ShlBy | Op::ShrBy => self.shift(op == Op::ShlBy, &leaves[0], &leaves[1], span)?,
                    op => self.operation(op, &leaves, span)?,
                }
            }
        };
        Ok(Shape::Leaf(leaf))
    }

    /// The number of a residue.
    pub(super) fn int(&mut self, x: &Leaf, span: Span) -> Result<Leaf> {
        self.number_of(x, ResidueOp::Int, span)
    }

    /// A number that stands for a residue, of the type of its modulus.
    fn number_of(&mut self, x: &Leaf, op: ResidueOp, span: Span) -> Result<Leaf> {
        let Some(Element::Residue(modulus)) = self.element(x) else {
            let error = type_error(span, "a residue", self.describe(x));
            return Err(error.with_help("write int(x mod n)"));
        };
        let modulus = self.moduli[modulus.index()].modulus.clone();
        let class = match &modulus {
            Leaf::Number(n) => self.int_class(n.bits(), false, span)?,
            Leaf::Value(value) => self.values[value.index()].class,
        };
        self.emit(OpenKind::Fixed(Kind::Residue(op)), vec![(x.clone(), Want::Own)], class, span)
    }

    /// A value modulo 2^N.
    pub(super) fn cast(&mut self, leaf: &Leaf, ty: IntType, span: Span) -> Result<Leaf> {
        let class = self.classes.of(Element::Int(ty));
        let leaf = match leaf {
            Leaf::Number(number) => {
                let modulus = BigInt::from(1) << ty.bits();
                let low = ((number % &modulus) + &modulus) % &modulus;
                let is_negative = ty.is_signed() && low.bit(u64::from(ty.bits()) - 1);
                let value = OpenKind::Fixed(Kind::Constant(if is_negative { low - modulus } else { low }));
                return self.emit(value, vec![], class, span);
            }
            leaf if self.is_residue(leaf) => self.int(leaf, span)?,
            leaf => leaf.clone(),
        };
        self.emit(OpenKind::Fixed(Kind::Cast), vec![(leaf, Want::Own)], class, span)
    }

    pub(super) fn want_integer(&self, leaf: &Leaf, span: Span) -> Result<()> {
        if self.is_residue(leaf) || self.is_bool(leaf) {
            return Err(type_error(span, "an integer", self.describe(leaf)));
        }
        Ok(())
    }

    pub(super) fn int_class(&mut self, bits: u64, signed: bool, span: Span) -> Result<Class> {
        let ty = IntType::new(bits, signed);
        let ty =
            ty.map_err(|error| constant_error(span, "a type of at most 2^24 bits", error.to_string()))?;
        Ok(self.classes.of(Element::Int(ty)))
    }
}
