//! Results: the places of their values.

use std::sync::Arc;

use limbforge_limb::IntType;

use super::Finish;
use crate::invariant::broken_invariant;
use crate::program::lower::interface::OpenOutput;
use crate::program::lower::open::Leaf;
use crate::program::lower::shape::Shape;
use crate::program::lower::{Result, type_error};
use crate::program::region::{Output, Part};
use crate::program::text::syntax::Span;
use crate::program::ty::{BIT, Element, ValueId};

impl Finish {
    /// A result: all its parts have one type.
    pub(super) fn output(&self, open: &OpenOutput) -> Result<Output> {
        let (mut parts, mut batch) = (vec![], None);
        let elements = self.parts(&open.shape, 0, open.span, &mut batch, &mut parts)?;
        let Some(ty) = batch else { return Err(type_error(open.span, "a value", "an empty tuple")) };
        Ok(Output { name: Arc::clone(&open.name), ty, elements, parts })
    }

    /// The parts of a result from the integer `first` on; the integer behind them. Members of a tuple lie one
    /// after the other, tuples of an array too.
    fn parts(
        &self,
        shape: &Shape,
        first: u32,
        span: Span,
        batch: &mut Option<IntType>,
        parts: &mut Vec<Part>,
    ) -> Result<u32> {
        match shape {
            Shape::Leaf(Leaf::Number(_)) => broken_invariant("numbers of results have a type"),
            Shape::Leaf(Leaf::Value(value)) => {
                let value = self.resolve(*value);
                let own = self.result_type(value);
                let batch = *batch.get_or_insert(own);
                if batch != own {
                    let error = type_error(span, format!("members of one type, {batch}"), own.to_string());
                    return Err(error.with_help("name them one by one: out x = ..., y = ..."));
                }
                parts.push(Part { value, first, stride: 1 });
                Ok(first + self.types[value.index()].length.unwrap_or(1))
            }
            Shape::Tuple(members) => {
                members.iter().try_fold(first, |first, member| self.parts(member, first, span, batch, parts))
            }
            Shape::Rows(members) => {
                let from = parts.len();
                let end = members
                    .iter()
                    .try_fold(first, |first, member| self.parts(member, first, span, batch, parts))?;
                let stride = (parts.len() - from) as u32;
                for (j, part) in parts[from..].iter_mut().enumerate() {
                    (part.first, part.stride) = (first + j as u32, stride);
                }
                Ok(end)
            }
        }
    }

    fn result_type(&self, value: ValueId) -> IntType {
        match self.types[value.index()].element {
            Element::Int(ty) => ty,
            Element::Bool => BIT,
            Element::Residue(_) => broken_invariant("residues of results are numbers"),
        }
    }
}
