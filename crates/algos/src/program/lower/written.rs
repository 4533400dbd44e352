//! Values in the types that the text writes.

use super::class::Class;
use super::open::Leaf;
use super::shape::Shape;
use super::{Lower, Result, type_error};
use crate::program::text::syntax::{Span, Type, TypeKind};
use crate::program::ty::Element;

impl Lower<'_> {
    /// A value in a written type; a single one fills an array.
    pub(super) fn of_type(&mut self, shape: &Shape, ty: &Type, span: Span) -> Result<Shape> {
        match (&ty.kind, shape) {
            (TypeKind::Tuple(types), Shape::Tuple(values)) if types.len() == values.len() => {
                let values = types.iter().zip(values).map(|(ty, value)| self.of_type(value, ty, span));
                Ok(Shape::Tuple(values.collect::<Result<_>>()?))
            }
            (TypeKind::Tuple(types), _) => {
                Err(type_error(span, format!("a tuple of {} values", types.len()), shape.describe()))
            }
            (TypeKind::Array(element, k), _) => {
                let k = self.array_size(k)?;
                self.of_elements(shape, element, Some(k), span).map(Shape::into_rows)
            }
            _ => self.of_elements(shape, ty, None, span),
        }
    }

    fn of_elements(&mut self, shape: &Shape, ty: &Type, length: Option<u32>, span: Span) -> Result<Shape> {
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
                let Some(values) = shape.members() else {
                    return Err(type_error(
                        span,
                        format!("a tuple of {} values", types.len()),
                        shape.describe(),
                    ));
                };
                if types.len() != values.len() {
                    return Err(type_error(
                        span,
                        format!("a tuple of {} values", types.len()),
                        shape.describe(),
                    ));
                }
                let values =
                    types.iter().zip(values).map(|(ty, value)| self.of_elements(value, ty, length, span));
                return Ok(Shape::Tuple(values.collect::<Result<_>>()?));
            }
            TypeKind::Array(_, _) => {
                return Err(type_error(ty.span, "elements that are no arrays", "an array of arrays"));
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
