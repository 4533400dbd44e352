//! The variables that a block or expression assigns and does not declare: what a loop carries, and a branch
//! decides.

use std::sync::Arc;

use crate::program::text::syntax::{
    Block, Expression, ExpressionKind, Over, Pattern, Place, Statement, StatementKind,
};

/// The names that blocks assign, in order of their first assignment.
pub(super) fn assigned<'b>(blocks: impl IntoIterator<Item = &'b Block>) -> Vec<Arc<str>> {
    let mut walk = Walk::default();
    blocks.into_iter().for_each(|block| walk.block(block));
    walk.found
}

/// The names that an expression assigns in the blocks of its `if`.
pub(super) fn assigned_in(e: &Expression) -> Vec<Arc<str>> {
    let mut walk = Walk::default();
    walk.expression(e);
    walk.found
}

#[derive(Default)]
struct Walk {
    /// Names declared within, which hide others.
    own: Vec<Arc<str>>,
    found: Vec<Arc<str>>,
}

impl Walk {
    fn block(&mut self, block: &Block) {
        let before = self.own.len();
        block.statements.iter().for_each(|statement| self.statement(statement));
        self.own.truncate(before);
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declare { pattern, value, .. } => {
                self.expression(value);
                self.declare(pattern);
            }
            StatementKind::Assign { place, value } => {
                self.expression(value);
                self.place(place);
            }
            StatementKind::Repeat { count, body } => {
                self.expression(count);
                self.block(body);
            }
            StatementKind::For { name, over, body, .. } => {
                match over {
                    Over::Range(from, to) => [from, to].into_iter().for_each(|e| self.expression(e)),
                    Over::Values(values) => self.expression(values),
                }
                self.own.push(Arc::clone(&name.text));
                self.block(body);
                self.own.pop();
            }
            StatementKind::While { condition, body, .. } => {
                self.expression(condition);
                self.block(body);
            }
            StatementKind::Require(condition) => self.expression(condition),
            StatementKind::Emit { values, condition, .. } => {
                values.iter().chain(condition).for_each(|value| self.expression(value));
            }
            StatementKind::Value(value) => self.expression(value),
        }
    }

    /// Blocks are in expressions as the arms of `if`.
    fn expression(&mut self, e: &Expression) {
        match &*e.kind {
            ExpressionKind::Number(_) | ExpressionKind::Truth(_) | ExpressionKind::Name(_) => {}
            ExpressionKind::Tuple(parts) | ExpressionKind::Array(parts) | ExpressionKind::Call(_, parts) => {
                parts.iter().for_each(|part| self.expression(part));
            }
            ExpressionKind::Each { element, name, .. } => {
                self.own.push(Arc::clone(&name.text));
                self.expression(element);
                self.own.pop();
            }
            ExpressionKind::Prefix(_, a) => self.expression(a),
            ExpressionKind::Element(a, b) | ExpressionKind::Infix(_, a, b) | ExpressionKind::Mod(a, b) => {
                self.expression(a);
                self.expression(b);
            }
            ExpressionKind::If { condition, then, otherwise } => {
                self.expression(condition);
                self.block(then);
                otherwise.iter().for_each(|block| self.block(block));
            }
        }
    }

    fn declare(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Name(name) => self.own.push(Arc::clone(&name.text)),
            Pattern::Tuple(patterns, _) => patterns.iter().for_each(|pattern| self.declare(pattern)),
        }
    }

    fn place(&mut self, place: &Place) {
        match place {
            Place::Name(name) => self.name(&name.text),
            Place::Element(name, index) => {
                self.expression(index);
                self.name(&name.text);
            }
            Place::Tuple(places, _) => places.iter().for_each(|place| self.place(place)),
        }
    }

    fn name(&mut self, name: &Arc<str>) {
        if !self.own.contains(name) && !self.found.contains(name) {
            self.found.push(Arc::clone(name));
        }
    }
}
