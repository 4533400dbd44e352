//! Residues: moduli, conversion, quotients and powers.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::constant::shown;
use super::open::{Leaf, OpenKind, Want, of_residues};
use super::shape::Shape;
use super::{Lower, OpenModulus, Result, type_error};
use crate::op::{Op, Syntax};
use crate::program::region::{Kind, ResidueOp};
use crate::program::text::syntax::{Expression, ExpressionKind, Infix, Prefix, Span};
use crate::program::text::{ProgramError, ProgramErrorKind};
use crate::program::ty::{Element, ModulusId};

/// Most bits of a power of two that a residue is divided by without an inverse.
const FOLDED_BITS: u64 = 1 << 12;

impl Lower<'_> {
    /// The modulus that a leaf is: an integer of the top level, or an odd positive number.
    pub(super) fn modulus(&mut self, leaf: &Leaf, span: Span) -> Result<ModulusId> {
        let error =
            |expected: &str, found| ProgramError::new(ProgramErrorKind::Modulus, span, expected, found);
        match leaf {
            Leaf::Number(n) if n.is_positive() && n.bit(0) => {}
            Leaf::Number(n) => return Err(error("an odd positive modulus", shown(n))),
            Leaf::Value(value) => {
                let known = self.values[value.index()];
                if !matches!(self.element(leaf), None | Some(Element::Int(_))) || known.length.is_some() {
                    return Err(error("an integer as modulus", self.describe(leaf)));
                }
                if known.depth > 0 {
                    let error =
                        error("a modulus of the top level", "one that a loop or branch computes".into());
                    return Err(error.with_help("name it before the loop: let n = ..."));
                }
                let i64 = limbforge_limb::IntType::new(64, true);
                self.classes
                    .bind(known.class, Element::Int(i64.map_err(|e| error("a type", e.to_string()))?));
            }
        }
        let known = self.moduli.iter().position(|modulus| modulus.modulus == *leaf);
        Ok(ModulusId::new(known.unwrap_or_else(|| {
            self.moduli.push(OpenModulus { modulus: leaf.clone(), span });
            self.moduli.len() - 1
        })))
    }

    /// A value as a residue.
    pub(super) fn residue(&mut self, leaf: &Leaf, modulus: ModulusId, span: Span) -> Result<Leaf> {
        let wanted = Element::Residue(modulus);
        match self.element(leaf) {
            Some(element) if element == wanted => Ok(leaf.clone()),
            Some(Element::Residue(_)) => {
                let error = ProgramError::new(
                    ProgramErrorKind::Modulus,
                    span,
                    "a residue of this modulus or an integer",
                    "a residue of another modulus",
                );
                Err(error.with_help("int(x) is the number of a residue"))
            }
            _ => {
                let class = self.classes.of(wanted);
                // An integer whose type is open keeps it open: residues say nothing about it.
                let of = OpenKind::Fixed(Kind::Residue(ResidueOp::Of));
                self.emit(of, vec![(leaf.clone(), Want::Own)], class, span)
            }
        }
    }

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

    /// An operation of which an operand is a residue.
    pub(super) fn of_residues(&mut self, op: &Op, operands: &[Leaf], span: Span) -> Result<Leaf> {
        let class = self.meet(&operands.iter().collect::<Vec<_>>(), span)?;
        match (op, operands) {
            (Op::Div, [a, b]) => self.residue_quotient(a, b, span),
            (Op::Ne, [_, _]) => {
                let equal = self.of_residues(&Op::Eq, operands, span)?;
                let bool = self.bool_class();
                self.emit(OpenKind::Fixed(Kind::Not), vec![(equal, Want::Bool)], bool, span)
            }
            (op, operands) if of_residues(op).is_some() => {
                let result = if *op == Op::Eq { self.bool_class() } else { class };
                let args = operands.iter().map(|leaf| (leaf.clone(), Want::Class(class))).collect();
                self.emit(OpenKind::Meeting(op.clone(), class), args, result, span)
            }
            _ => {
                let found = op.row().map_or("", |row| row.name);
                let is_comparison = Self::is_order(op);
                let expected =
                    if is_comparison { "== or != of residues" } else { "+ - * / or ** of residues" };
                let error = type_error(span, expected, format!("`{found}`"));
                Err(error.with_help("int(x) is the number of a residue"))
            }
        }
    }

    fn residue_quotient(&mut self, a: &Leaf, b: &Leaf, span: Span) -> Result<Leaf> {
        let class = self.meet(&[a, b], span)?;
        let want = |leaf: &Leaf| (leaf.clone(), Want::Class(class));
        let unary = |op| OpenKind::Fixed(Kind::Residue(op));
        match b {
            Leaf::Number(two) if two.magnitude().count_ones() == 1 && two.bits() <= FOLDED_BITS => {
                let shift = two.bits() as u32 - 1;
                let half = self.emit(unary(ResidueOp::DivPower2(shift)), vec![want(a)], class, span)?;
                let negative = two.is_negative();
                if negative { self.operation(Op::Neg, &[half], span) } else { Ok(half) }
            }
            _ => {
                let inverse = self.emit(unary(ResidueOp::Inverse), vec![want(b)], class, span)?;
                match a {
                    Leaf::Number(one) if one.is_one() => Ok(inverse),
                    _ => self.operation(Op::Mul, &[a.clone(), inverse], span),
                }
            }
        }
    }

    /// A power of a residue by any integer.
    pub(super) fn residue_power(&mut self, a: &Leaf, n: &Leaf, span: Span) -> Result<Leaf> {
        let class = self.meet(&[a], span)?;
        let one = |leaf: &Leaf| vec![(leaf.clone(), Want::Class(class))];
        match n {
            Leaf::Number(n) if n.is_zero() => {
                // Of the residue, so that its failures come first.
                self.emit_power(class, a, &Leaf::Number(BigInt::ZERO), span)
            }
            Leaf::Number(n) if n.is_one() => Ok(a.clone()),
            Leaf::Number(n) if *n == BigInt::from(2) => {
                self.operation(Op::Sqr, core::slice::from_ref(a), span)
            }
            Leaf::Number(n) if n.is_negative() => {
                let inverse = OpenKind::Fixed(Kind::Residue(ResidueOp::Inverse));
                let inverse = self.emit(inverse, one(a), class, span)?;
                self.residue_power(&inverse, &Leaf::Number(-n), span)
            }
            Leaf::Value(_) if self.is_residue(n) => {
                let error = type_error(span, "an integer as exponent", "a residue");
                Err(error.with_help("int(x) is the number of a residue"))
            }
            _ => self.emit_power(class, a, n, span),
        }
    }

    fn emit_power(&mut self, class: super::class::Class, a: &Leaf, n: &Leaf, span: Span) -> Result<Leaf> {
        let args = vec![(a.clone(), Want::Class(class)), (n.clone(), Want::Own)];
        self.emit(OpenKind::Fixed(Kind::Residue(ResidueOp::Power)), args, class, span)
    }
}
