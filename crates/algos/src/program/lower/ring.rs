//! Expressions before `mod`.

use num_bigint::BigInt;

use super::open::Leaf;
use super::residue::FOLDED_BITS;
use super::shape::Shape;
use super::{Lower, Result};
use crate::op::{Op, Syntax};
use crate::program::text::syntax::{Expression, ExpressionKind, Infix, Prefix, Span};
use crate::program::ty::ModulusId;

impl Lower<'_> {
    /// An expression before `mod`: `+ - * / **` and signs are those of residues; what else is in it is
    /// computed as ever and then taken modulo n.
    pub(super) fn ring(&mut self, e: &Expression, modulus: ModulusId, whole: Span) -> Result<Shape> {
        match &*e.kind {
            ExpressionKind::Tuple(members) => {
                let members = members.iter().map(|member| self.ring(member, modulus, whole));
                Ok(Shape::Tuple(members.collect::<Result<_>>()?))
            }
            ExpressionKind::Array(elements) => {
                let shapes = elements.iter().map(|element| self.ring(element, modulus, whole));
                let shapes = shapes.collect::<Result<Vec<_>>>()?;
                self.array(&shapes, e.span)
            }
            ExpressionKind::Each { element, name, from, to } => {
                let lower = |this: &mut Self| this.ring(element, modulus, whole);
                self.each(name, from, to, e.span, lower)
            }
            ExpressionKind::Prefix(Prefix::Negative, a) => {
                let a = self.ring(a, modulus, whole)?;
                a.map(&mut |leaf| self.operation(Op::Neg, core::slice::from_ref(leaf), e.span))
            }
            ExpressionKind::Infix(Infix::Operation(row), a, b) if row.word == "pow" => {
                let (base, exponent) = (self.ring(a, modulus, whole)?, self.expression(b)?);
                self.zip(&base, &exponent, e.span, &mut |this, a, n| this.power(a, n, e.span))
            }
            ExpressionKind::Infix(Infix::Operation(row), a, b)
                if row.syntax == Syntax::Infix && ["+", "-", "*", "/"].contains(&row.name) =>
            {
                let Some(op) = row.op.clone() else { return self.lifted(e, modulus, whole) };
                let a = self.ring(a, modulus, whole)?;
                let b = if op == Op::Div {
                    self.divisor(b, modulus, whole)?
                } else {
                    self.ring(b, modulus, whole)?
                };
                self.zip(&a, &b, e.span, &mut |this, a, b| {
                    this.operation(op.clone(), &[a.clone(), b.clone()], e.span)
                })
            }
            _ => self.lifted(e, modulus, whole),
        }
    }

    /// The divisor of a quotient of residues: powers of two stay numbers, which cost no inverse.
    fn divisor(&mut self, e: &Expression, modulus: ModulusId, whole: Span) -> Result<Shape> {
        match self.constant_power_of_two(e) {
            Some(number) => Ok(Shape::Leaf(Leaf::Number(number))),
            None => self.ring(e, modulus, whole),
        }
    }

    fn lifted(&mut self, e: &Expression, modulus: ModulusId, whole: Span) -> Result<Shape> {
        let shape = self.expression(e)?;
        shape.map(&mut |leaf| self.residue(leaf, modulus, whole))
    }

    /// `2 ** 32`, `8`: the number, if it is written so.
    fn constant_power_of_two(&mut self, e: &Expression) -> Option<BigInt> {
        let is_plain = |e: &Expression| match &*e.kind {
            ExpressionKind::Number(_) => true,
            ExpressionKind::Name(name) => {
                matches!(self.scopes.shape(name), Some(Shape::Leaf(Leaf::Number(_))))
            }
            _ => false,
        };
        let is_plain = match &*e.kind {
            ExpressionKind::Infix(Infix::Operation(row), a, b) => {
                ["pow", "shl", "mul"].contains(&row.word) && is_plain(a) && is_plain(b)
            }
            _ => is_plain(e),
        };
        let number = if is_plain { self.number(e).ok()? } else { return None };
        (number.magnitude().count_ones() == 1 && number.bits() <= FOLDED_BITS).then_some(number)
    }
}
