//! The names in statements and blocks.

use super::scopes::Use;
use super::{Checked, Names};
use crate::program::text::syntax::{
    Block, Expression, ExpressionKind, Infix, Name, Over, Pattern, Place, Span, Statement, StatementKind,
};
use crate::program::text::{ProgramError, ProgramErrorKind};

/// The names of a pattern.
pub(super) fn names(pattern: &Pattern) -> Vec<&Name> {
    match pattern {
        Pattern::Name(name) => vec![name],
        Pattern::Tuple(members, _) => members.iter().flat_map(names).collect(),
    }
}

impl<'t> Names<'t> {
    /// A block, which has a value if one is used.
    pub(super) fn block(&mut self, block: &'t Block, is_value: bool) -> Checked {
        let Some((last, others)) = block.statements.split_last() else { return has_value(block, is_value) };
        self.within_scope(|inner| {
            others.iter().try_for_each(|statement| inner.statement(statement, false))?;
            inner.statement(last, is_value)
        })?;
        has_value(block, is_value)
    }

    /// A statement, which is the value of its block if that is used.
    pub(super) fn statement(&mut self, statement: &'t Statement, is_value: bool) -> Checked {
        match &statement.kind {
            StatementKind::Declare { is_variable, pattern, ty, value } => {
                self.expression(value)?;
                ty.as_ref().map_or(Ok(()), |ty| self.ty(ty))?;
                let as_what = if *is_variable { Use::Variable } else { Use::Let };
                names(pattern).into_iter().try_for_each(|name| self.declare(name, as_what))
            }
            StatementKind::Assign { place, value } => {
                self.expression(value)?;
                self.place(place)
            }
            StatementKind::Repeat { count, body } => {
                self.expression(count)?;
                self.block(body, false)
            }
            StatementKind::For { name, over, after, body } => {
                self.over(over)?;
                after.as_ref().map_or(Ok(()), |after| self.expression(after))?;
                self.within_scope(|inner| {
                    inner.declare(name, Use::Index)?;
                    inner.block(body, false)
                })
            }
            StatementKind::While { condition, limit, body } => {
                self.expression(condition)?;
                self.expression(limit)?;
                self.block(body, false)
            }
            StatementKind::Require(condition) => self.expression(condition),
            StatementKind::Emit { list, values, condition } => {
                self.emit(list, values, condition.as_ref(), statement.span)
            }
            StatementKind::Value(value) => match &*value.kind {
                ExpressionKind::If { condition, then, otherwise } => {
                    self.condition(value.span, condition, then, otherwise.as_ref(), is_value)
                }
                _ if is_value => self.expression(value),
                _ => {
                    self.expression(value)?;
                    Err(unused(value))
                }
            },
        }
    }

    fn over(&mut self, over: &'t Over) -> Checked {
        match over {
            Over::Range(from, to) => {
                self.expression(from)?;
                self.expression(to)
            }
            Over::Values(values) => match &*values.kind {
                ExpressionKind::Call(name, operands) => {
                    self.call(name, operands.len(), values.span, true)?;
                    self.expressions(operands)
                }
                _ => self.expression(values),
            },
        }
    }

    fn place(&mut self, place: &'t Place) -> Checked {
        match place {
            Place::Name(name) => self.assigned(name),
            Place::Element(name, index) => {
                self.assigned(name)?;
                self.expression(index)
            }
            Place::Tuple(members, _) => members.iter().try_for_each(|member| self.place(member)),
        }
    }
}

/// Checks that a block whose value is used ends with one.
fn has_value(block: &Block, is_value: bool) -> Checked {
    let last = block.statements.last().map(|statement| &statement.kind);
    if !is_value || matches!(last, Some(StatementKind::Value(_))) {
        return Ok(());
    }
    let span = Span { start: block.span.end.saturating_sub(1), end: block.span.end };
    Err(ProgramError::new(ProgramErrorKind::Syntax, span, "a value at the end of the block", "`}`"))
}

/// The error of an expression that is no statement.
fn unused(value: &Expression) -> ProgramError {
    let error = ProgramError::new(
        ProgramErrorKind::Syntax,
        value.span,
        "an assignment, a declaration, a loop or `if`",
        "a value that is not used",
    );
    error.with_help(match &*value.kind {
        ExpressionKind::Infix(Infix::Operation(row), ..) if row.name == "==" => "`=` assigns, `==` compares",
        _ => "`let x = ...` names it, `out x = ...` makes it a result",
    })
}
