//! Values in the types that the text writes.

use super::class::Class;
use super::open::Leaf;
use super::shape::Shape;
use super::{Lower, Result, type_error};
use crate::program::text::syntax::{Span, Type, TypeKind};
use crate::program::ty::Element;

impl Lower<'_> {
    /// A value in a written type, or as an array of `length` elements of it; a single one fills an array.
    pub(super) fn of_type(
        &mut self,
        shape: &Shape,
        ty: &Type,
        length: Option<u32>,
        span: Span,
    ) -> Result<Shape> {
        let class = match &ty.kind {
            TypeKind::Bool => self.bool_class(),
            TypeKind::Int(ty) => self.classes.of(Element::Int(*ty)),
            TypeKind::Residue(name) => {
                let modulus = self.named_modulus(name)?;
                let shape = shape.map(&mut |leaf| self.residue(leaf, modulus, span))?;
                let class = self.classes.of(Element::Residue(modulus));
                return shape.map(&mut |leaf| self.sized(leaf, class, length, span));
            }
            TypeKind::Tuple(types) => {
                let members = match shape {
                    Shape::Tuple(members) => Some(members),
                    Shape::Rows(members) if length.is_some() => Some(members),
                    _ => None,
                };
                let Some(members) = members.filter(|members| members.len() == types.len()) else {
                    let expected = format!("a tuple of {} values", types.len());
                    return Err(type_error(span, expected, shape.describe()));
                };
                let values =
                    types.iter().zip(members).map(|(ty, value)| self.of_type(value, ty, length, span));
                return Ok(Shape::Tuple(values.collect::<Result<_>>()?));
            }
            TypeKind::Array(_, _) if length.is_some() => {
                return Err(type_error(ty.span, "elements that are no arrays", "an array of arrays"));
            }
            TypeKind::Array(element, k) => {
                let k = self.array_size(k)?;
                return self.of_type(shape, element, Some(k), span).map(Shape::into_rows);
            }
        };
        let leaf = self.single(shape, span)?;
        self.sized(&leaf, class, length, span).map(Shape::Leaf)
    }

    fn sized(&mut self, leaf: &Leaf, class: Class, length: Option<u32>, span: Span) -> Result<Leaf> {
        match length {
            Some(k) if self.length(leaf).is_none() => Ok(self.fill(leaf, class, k, span)),
            _ => self.convert(leaf, (class, length), span),
        }
    }
}
