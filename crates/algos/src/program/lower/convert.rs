//! Values as values of another type.

use super::class::Class;
use super::open::{Leaf, OpenKind, Want};
use super::shape::Shape;
use super::{Lower, Result, type_error};
use crate::program::region::Kind;
use crate::program::text::syntax::Span;
use crate::program::ty::Element;

impl Lower<'_> {
    /// A value of a class, with so many elements: the value itself where its type is that of the class or
    /// still open, else a conversion, which is checked when all types are known.
    pub(super) fn convert(
        &mut self,
        leaf: &Leaf,
        (class, length): (Class, Option<u32>),
        span: Span,
    ) -> Result<Leaf> {
        if self.length(leaf) != length {
            let expected = length.map_or_else(|| "no array".to_owned(), |k| format!("an array of {k}"));
            return Err(type_error(span, expected, self.describe(leaf)));
        }
        let own = self.class(leaf);
        match (own, own.and_then(|own| self.classes.known(own)), self.classes.known(class)) {
            (Some(own), None, None) => {
                self.classes.unify(own, class);
                return Ok(leaf.clone());
            }
            (Some(own), None, Some(element @ Element::Int(_))) => {
                self.classes.bind(own, element);
                return Ok(leaf.clone());
            }
            (Some(_), Some(element @ (Element::Int(_) | Element::Residue(_))), None) => {
                self.classes.bind(class, element);
                return Ok(leaf.clone());
            }
            (Some(_), Some(element), Some(wanted)) if element == wanted => return Ok(leaf.clone()),
            _ => {}
        }
        Ok(self.emit_of(OpenKind::Convert, vec![(leaf.clone(), Want::Class(class))], (class, length), span))
    }

    /// An array of so many copies.
    pub(super) fn fill(&mut self, leaf: &Leaf, class: Class, length: u32, span: Span) -> Leaf {
        let args = vec![(leaf.clone(), Want::Class(class)); length as usize];
        self.emit_of(OpenKind::Fixed(Kind::Array), args, (class, Some(length)), span)
    }

    /// A single value of a type, or the error that it is a tuple.
    pub(super) fn single(&self, shape: &Shape, span: Span) -> Result<Leaf> {
        match shape {
            Shape::Leaf(leaf) => Ok(leaf.clone()),
            tuple @ (Shape::Tuple(_) | Shape::Rows(_)) => {
                Err(type_error(span, "a single value", tuple.describe()))
            }
        }
    }

    /// A `bool`, or the error that it is none.
    pub(super) fn truth_value(&self, shape: &Shape, span: Span) -> Result<Leaf> {
        let leaf = self.single(shape, span)?;
        if self.is_bool(&leaf) {
            return Ok(leaf);
        }
        let error = type_error(span, "a bool", self.describe(&leaf));
        Err(error.with_help("compare it: x != 0"))
    }

    /// As [`truth_value`](Self::truth_value), which is no array.
    pub(super) fn condition(&self, shape: &Shape, span: Span) -> Result<Leaf> {
        let leaf = self.truth_value(shape, span)?;
        match self.length(&leaf) {
            None => Ok(leaf),
            Some(length) => Err(type_error(span, "one bool", format!("an array of {length}"))),
        }
    }
}
