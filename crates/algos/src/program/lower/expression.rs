//! Expressions.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use super::constant::{constant_error, shown};
use super::open::{Leaf, OpenKind, Want};
use super::scope::Binding;
use super::shape::Shape;
use super::{Lower, MAX_DEPTH, Result, type_error};
use crate::op::{Flag, Op, Operation};
use crate::program::region::Kind;
use crate::program::text::syntax::{Expression, ExpressionKind, Infix, Name, Prefix, Span};
use crate::program::text::{ProgramError, ProgramErrorKind};

/// Most elements of an array.
const MAX_ELEMENTS: u64 = 1 << 20;

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
            ExpressionKind::Call(name, operands) => self.call(name, operands, e.span),
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

    fn name(&self, name: &str, span: Span) -> Result<Shape> {
        if let Some(shape) = self.scopes.shape(name) {
            return Ok(shape.clone());
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

    /// An array of these elements; of tuples, a tuple of arrays.
    pub(super) fn array(&mut self, elements: &[Shape], span: Span) -> Result<Shape> {
        let Some(first) = elements.first() else {
            return Err(constant_error(span, "an array of at least one element", "an empty one"));
        };
        if let Some(other) = elements.iter().find(|other| other.leaves().len() != first.leaves().len()) {
            return Err(type_error(
                span,
                format!("elements like the first one, {}", first.describe()),
                other.describe(),
            ));
        }
        let rows: Vec<Vec<Leaf>> =
            elements.iter().map(|element| element.leaves().into_iter().cloned().collect()).collect();
        let mut arrays = vec![];
        for k in 0..rows[0].len() {
            let leaves: Vec<&Leaf> = rows.iter().map(|row| &row[k]).collect();
            if let Some(array) = leaves.iter().find(|leaf| self.length(leaf).is_some()) {
                return Err(type_error(span, "elements that are no arrays", self.describe(array)));
            }
            let class = self.one_of(&leaves, span)?;
            let args = leaves.into_iter().map(|leaf| (leaf.clone(), Want::Class(class))).collect();
            let length = Some(elements.len() as u32);
            arrays.push(self.emit_of(OpenKind::Fixed(Kind::Array), args, (class, length), span));
        }
        Ok(first.with(&mut arrays.into_iter()).into_rows())
    }

    /// `[element for name in from .. to]`
    pub(super) fn each(
        &mut self,
        name: &Name,
        from: &Expression,
        to: &Expression,
        span: Span,
        mut element: impl FnMut(&mut Self) -> Result<Shape>,
    ) -> Result<Shape> {
        let (first, end) = (self.number(from)?, self.number(to)?);
        let count = (&end - &first).to_u64().filter(|count| (1..=MAX_ELEMENTS).contains(count));
        let Some(count) = count else {
            let found = if (&end - &first).is_positive() { "more" } else { "none" };
            return Err(constant_error(span, format!("1 to {MAX_ELEMENTS} elements"), found));
        };
        let mut elements = vec![];
        for i in 0..count {
            self.scopes.enter();
            let index = Shape::Leaf(Leaf::Number(&first + BigInt::from(i)));
            self.scopes.declare(&name.text, Binding { shape: index, slots: vec![] });
            let value = element(self);
            self.scopes.leave();
            elements.push(value?);
        }
        self.array(&elements, span)
    }

    fn element_of(&mut self, array: &Expression, index: &Expression, span: Span) -> Result<Shape> {
        let (shape, index_shape) = (self.expression(array)?, self.expression(index)?);
        let i = self.index(&index_shape, index.span)?;
        let element = shape.map(&mut |leaf| {
            let length = self.array_length(leaf, array.span)?;
            Self::check_index(&i, length, index.span)?;
            let Some(class) = self.class(leaf) else {
                return Err(type_error(array.span, "an array", "a number"));
            };
            let args = vec![(leaf.clone(), Want::Own), (i.clone(), Want::Own)];
            Ok(self.emit_of(OpenKind::Fixed(Kind::Index), args, (class, None), span))
        });
        element.map(Shape::into_element)
    }

    /// An index: a number, or an integer.
    pub(super) fn index(&self, shape: &Shape, span: Span) -> Result<Leaf> {
        let leaf = self.single(shape, span)?;
        if self.is_residue(&leaf) || self.is_bool(&leaf) || self.length(&leaf).is_some() {
            return Err(type_error(span, "an integer as index", self.describe(&leaf)));
        }
        Ok(leaf)
    }

    pub(super) fn array_length(&self, leaf: &Leaf, span: Span) -> Result<u32> {
        self.length(leaf).ok_or_else(|| type_error(span, "an array", self.describe(leaf)))
    }

    /// The error for a number that is an index outside an array.
    pub(super) fn check_index(index: &Leaf, length: u32, span: Span) -> Result<()> {
        match index {
            Leaf::Number(i) if i.to_u32().is_none_or(|i| i >= length) => {
                Err(constant_error(span, format!("an index from 0 to {}", length - 1), shown(i)))
            }
            _ => Ok(()),
        }
    }
}
