//! Arrays: their elements, and indices.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use super::constant::{constant_error, shown};
use super::open::{Leaf, OpenKind, Want};
use super::scope::Binding;
use super::shape::Shape;
use super::{Lower, Result, type_error};
use crate::program::region::Kind;
use crate::program::text::syntax::{Expression, Name, Span};

/// Most elements of an array.
const MAX_ELEMENTS: u64 = 1 << 20;

impl Lower<'_> {
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

    pub(super) fn element_of(&mut self, array: &Expression, index: &Expression, span: Span) -> Result<Shape> {
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
