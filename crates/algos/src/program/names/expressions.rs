//! The names in expressions and types.

use super::scopes::Use;
use super::{Checked, Names};
use crate::program::text::syntax::{Block, Expression, ExpressionKind, Span, Type, TypeKind};
use crate::program::text::{ProgramError, ProgramErrorKind};

impl<'t> Names<'t> {
    pub(super) fn expression(&mut self, expression: &'t Expression) -> Checked {
        match &*expression.kind {
            ExpressionKind::Number(_) | ExpressionKind::Truth(_) => Ok(()),
            ExpressionKind::Name(name) => self.known(name, expression.span),
            ExpressionKind::Tuple(members) | ExpressionKind::Array(members) => self.expressions(members),
            ExpressionKind::Each { element, name, from, to } => {
                self.expression(from)?;
                self.expression(to)?;
                self.within_scope(|inner| {
                    inner.declare(name, Use::Index)?;
                    inner.expression(element)
                })
            }
            ExpressionKind::Call(name, operands) => {
                self.call(name, operands.len(), expression.span, false)?;
                match operands.split_first() {
                    Some((ty, others)) if Self::is_random(name) => {
                        Self::random_type(ty)?;
                        self.expressions(others)
                    }
                    _ => self.expressions(operands),
                }
            }
            ExpressionKind::Element(a, b) | ExpressionKind::Infix(_, a, b) | ExpressionKind::Mod(a, b) => {
                self.expression(a)?;
                self.expression(b)
            }
            ExpressionKind::Prefix(_, operand) => self.expression(operand),
            ExpressionKind::If { condition, then, otherwise } => {
                self.condition(expression.span, condition, then, otherwise.as_ref(), true)
            }
        }
    }

    pub(super) fn expressions(&mut self, expressions: &'t [Expression]) -> Checked {
        expressions.iter().try_for_each(|expression| self.expression(expression))
    }

    /// An `if`, whose blocks have values if it is one.
    pub(super) fn condition(
        &mut self,
        span: Span,
        condition: &'t Expression,
        then: &'t Block,
        otherwise: Option<&'t Block>,
        is_value: bool,
    ) -> Checked {
        self.expression(condition)?;
        self.block(then, is_value)?;
        match otherwise {
            Some(otherwise) => self.block(otherwise, is_value),
            None if is_value => {
                let end = Span { start: span.end, end: span.end };
                let (expected, found) = ("`else` and a value", "an `if` without it");
                Err(ProgramError::new(ProgramErrorKind::Syntax, end, expected, found))
            }
            None => Ok(()),
        }
    }

    pub(super) fn ty(&mut self, ty: &'t Type) -> Checked {
        match &ty.kind {
            TypeKind::Bool | TypeKind::Int(_) => Ok(()),
            TypeKind::Residue(name) => self.known(&name.text, name.span),
            TypeKind::Array(element, length) => {
                self.ty(element)?;
                self.expression(length)
            }
            TypeKind::Tuple(members) => members.iter().try_for_each(|member| self.ty(member)),
        }
    }
}
