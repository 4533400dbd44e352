//! Residues: moduli, conversion, quotients and powers.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::class::Class;
use super::constant::shown;
use super::finish::default_type;
use super::open::{Leaf, OpenKind, Want, of_residues};
use super::{Lower, OpenModulus, Result, type_error};
use crate::op::class::Comparison;
use crate::op::{Class as OpClass, Op};
use crate::program::region::{Kind, ResidueOp};
use crate::program::text::syntax::Span;
use crate::program::text::{ProgramError, ProgramErrorKind};
use crate::program::ty::{Element, ModulusId};

/// Most bits of a power of two that a residue is divided by without an inverse.
pub(super) const FOLDED_BITS: u64 = 1 << 12;

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
                self.classes.bind(known.class, Element::Int(default_type()));
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
                let expected = match op.class() {
                    OpClass::Comparison(Comparison::Lt | Comparison::Le) => "== or != of residues",
                    _ => "+ - * / or ** of residues",
                };
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

    fn emit_power(&mut self, class: Class, a: &Leaf, n: &Leaf, span: Span) -> Result<Leaf> {
        let args = vec![(a.clone(), Want::Class(class)), (n.clone(), Want::Own)];
        self.emit(OpenKind::Fixed(Kind::Residue(ResidueOp::Power)), args, class, span)
    }
}
