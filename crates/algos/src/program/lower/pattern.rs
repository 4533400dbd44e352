//! Patterns: names for a value, or for the members of a tuple.

use super::class::Class;
use super::open::Leaf;
use super::scope::Binding;
use super::shape::Shape;
use super::{Lower, Result, type_error};
use crate::program::text::syntax::{Name, Pattern, Span};

impl Lower<'_> {
    /// Binds the names of a pattern.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: Shape) -> Result<()> {
        named(pattern, value, &mut |name, shape| {
            self.scopes.declare(&name.text, Binding { shape, slots: vec![] });
            Ok(())
        })
    }

    /// Declares variables: numbers get a type of their own, which is open.
    pub(super) fn variables(&mut self, pattern: &Pattern, value: Shape, span: Span) -> Result<()> {
        named(pattern, value, &mut |name, shape| {
            let mut slots = vec![];
            let shape = shape.map(&mut |leaf| {
                let leaf = self.typed(leaf, span)?;
                slots.push(self.slot(&leaf));
                Ok(leaf)
            })?;
            self.scopes.declare(&name.text, Binding { shape, slots });
            Ok(())
        })
    }

    fn slot(&mut self, leaf: &Leaf) -> (Class, Option<u32>) {
        let length = self.length(leaf);
        (self.class(leaf).unwrap_or_else(|| self.classes.open()), length)
    }

    /// A number as a value of a type that is open.
    pub(super) fn typed(&mut self, leaf: &Leaf, span: Span) -> Result<Leaf> {
        match leaf {
            Leaf::Number(_) => {
                let class = self.classes.open();
                self.convert(leaf, (class, None), span)
            }
            Leaf::Value(_) => Ok(leaf.clone()),
        }
    }
}

/// Each name of a pattern with its part of the value.
fn named(
    pattern: &Pattern,
    value: Shape,
    declare: &mut impl FnMut(&Name, Shape) -> Result<()>,
) -> Result<()> {
    match (pattern, value) {
        (Pattern::Name(name), shape) => declare(name, shape),
        (Pattern::Tuple(patterns, _), Shape::Tuple(values) | Shape::Rows(values))
            if patterns.len() == values.len() =>
        {
            patterns.iter().zip(values).try_for_each(|(pattern, value)| named(pattern, value, declare))
        }
        (Pattern::Tuple(patterns, span), value) => {
            Err(type_error(*span, format!("a tuple of {} values", patterns.len()), value.describe()))
        }
    }
}
