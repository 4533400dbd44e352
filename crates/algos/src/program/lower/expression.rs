//! Expressions.

use super::constant::constant_error;
use super::open::{Leaf, OpenKind, Want};
use super::shape::Shape;
use super::{Lower, MAX_DEPTH, Result, type_error};
use crate::op::{Flag, Op, Operation};
use crate::program::region::Kind;
use crate::program::text::syntax::{Expression, ExpressionKind, INSTANCE, Infix, Prefix, RANDOM, Span};
use crate::program::text::{ProgramError, ProgramErrorKind};

impl Lower<'_> {
    /// The value of an expression.
    pub(super) fn expression(&mut self, e: &Expression) -> Result<Shape> {
        self.growth.depth += 1;
        if self.growth.depth > MAX_DEPTH {
            let expected = format!("at most {MAX_DEPTH} expressions within each other, through calls");
            return Err(constant_error(e.span, expected, "more"));
        }
        let shape = self.unbounded(e);
        self.growth.depth -= 1;
        shape
    }

    fn unbounded(&mut self, e: &Expression) -> Result<Shape> {
        match &*e.kind {
            ExpressionKind::Number(number) => Ok(Shape::Leaf(Leaf::Number(number.clone().into()))),
            ExpressionKind::Truth(truth) => Ok(Shape::Leaf(self.truth(*truth, e.span))),
            ExpressionKind::Name(name) => self.name(name, e.span),
            ExpressionKind::Tuple(members) => {
                let members = members.iter().map(|member| self.expression(member));
                Ok(Shape::Tuple(members.collect::<Result<_>>()?))
            }
            ExpressionKind::Array(elements) => {
                let shapes = elements.iter().map(|element| self.expression(element));
                let shapes = shapes.collect::<Result<Vec<_>>>()?;
                self.array(&shapes, e.span)
            }
            ExpressionKind::Each { element, name, from, to } => {
                self.each(name, from, to, e.span, |this| this.expression(element))
            }
            ExpressionKind::Call(name, operands) => match &**operands {
                [ty, seed, counter] if &*name.text == RANDOM => self.random(ty, [seed, counter], e.span),
                _ => self.call(name, operands, e.span),
            },
            ExpressionKind::Element(array, index) => self.element_of(array, index, e.span),
            ExpressionKind::Prefix(prefix, a) => self.prefix(*prefix, a, e.span),
            ExpressionKind::Infix(Infix::Operation(row), a, b) => {
                let (a, b) = (self.expression(a)?, self.expression(b)?);
                self.zip(&a, &b, e.span, &mut |this, a, b| this.infix(row, a, b, e.span))
            }
            ExpressionKind::Infix(sign @ (Infix::And | Infix::Or), a, b) => self.logic(*sign, a, b, e.span),
            ExpressionKind::Mod(value, modulus) => {
                let n = self.expression(modulus)?;
                let n = self.single(&n, modulus.span)?;
                let modulus = self.modulus(&n, modulus.span)?;
                self.ring(value, modulus, e.span)
            }
            ExpressionKind::If { condition, then, otherwise } => {
                let value = self.branch(condition, then, otherwise.as_ref(), e.span)?;
                value.ok_or_else(|| type_error(e.span, "a value in both blocks", "an `if` without one"))
            }
        }
    }

    /// The value of a name.
    pub(super) fn name(&mut self, name: &str, span: Span) -> Result<Shape> {
        if let Some(shape) = self.scopes.shape(name) {
            return Ok(shape.clone());
        }
        if name == INSTANCE {
            return self.instance(span);
        }
        let found = format!("`{name}`");
        Err(ProgramError::new(ProgramErrorKind::Name, span, "a name that is known here", found))
    }

    fn infix(&mut self, row: &'static Operation, a: &Leaf, b: &Leaf, span: Span) -> Result<Leaf> {
        match &row.op {
            None => self.power(a, b, span),
            Some(Op::ShlBy) => self.shift(true, a, b, span),
            Some(Op::ShrBy) => self.shift(false, a, b, span),
            Some(op) if row.has(Flag::Swapped) => self.operation(op.clone(), &[b.clone(), a.clone()], span),
            Some(op) => self.operation(op.clone(), &[a.clone(), b.clone()], span),
        }
    }

    fn prefix(&mut self, prefix: Prefix, a: &Expression, span: Span) -> Result<Shape> {
        let shape = self.expression(a)?;
        let op = match prefix {
            Prefix::Negative => Op::Neg,
            Prefix::Flip => Op::Not,
            Prefix::Not => {
                let truth = self.truth_value(&shape, a.span)?;
                let bool = self.bool_class();
                let not = self.emit(OpenKind::Fixed(Kind::Not), vec![(truth, Want::Bool)], bool, span)?;
                return Ok(Shape::Leaf(not));
            }
        };
        shape.map(&mut |leaf| self.operation(op.clone(), core::slice::from_ref(leaf), span))
    }

    /// An operation on each pair of leaves; a single value is one for all members of a tuple.
    pub(super) fn zip(
        &mut self,
        a: &Shape,
        b: &Shape,
        span: Span,
        f: &mut impl FnMut(&mut Self, &Leaf, &Leaf) -> Result<Leaf>,
    ) -> Result<Shape> {
        Ok(match (a.members(), b.members()) {
            (Some(left), Some(right)) if left.len() == right.len() => {
                let pairs = left.iter().zip(right).map(|(a, b)| self.zip(a, b, span, f));
                a.like(pairs.collect::<Result<_>>()?)
            }
            (Some(_), Some(_)) => return Err(type_error(span, a.describe(), b.describe())),
            (Some(left), None) => {
                a.like(left.iter().map(|a| self.zip(a, b, span, f)).collect::<Result<_>>()?)
            }
            (None, Some(right)) => {
                b.like(right.iter().map(|b| self.zip(a, b, span, f)).collect::<Result<_>>()?)
            }
            (None, None) => {
                let (a, b) = (self.single(a, span)?, self.single(b, span)?);
                Shape::Leaf(f(self, &a, &b)?)
            }
        })
    }
}
