//! The variables of the blocks around it that a block assigns.

use std::sync::Arc;

use limbforge_algos::program::text::syntax::{
    Block, Expression, ExpressionKind, Over, Pattern, Place, Statement, StatementKind,
};

/// The names that blocks assign and do not declare, each once.
pub(super) fn assigned<'b>(blocks: impl IntoIterator<Item = &'b Block>) -> Vec<Arc<str>> {
    let mut found = vec![];
    for block in blocks {
        of_block(block, &mut found);
    }
    let mut names: Vec<Arc<str>> = vec![];
    for name in found {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn of_block(block: &Block, found: &mut Vec<Arc<str>>) {
    let (mut inner, mut declared) = (vec![], vec![]);
    for statement in &block.statements {
        of_statement(statement, &mut inner, &mut declared);
    }
    found.extend(inner.into_iter().filter(|name| !declared.contains(name)));
}

fn of_statement(statement: &Statement, found: &mut Vec<Arc<str>>, declared: &mut Vec<Arc<str>>) {
    match &statement.kind {
        StatementKind::Declare { pattern, value, .. } => {
            of_expression(value, found);
            names_of(pattern, declared);
        }
        StatementKind::Assign { place, value } => {
            of_expression(value, found);
            of_place(place, found);
        }
        StatementKind::Repeat { count, body } => {
            of_expression(count, found);
            of_block(body, found);
        }
        StatementKind::For { over, body, .. } => {
            match over {
                Over::Range(from, to) => [from, to].into_iter().for_each(|end| of_expression(end, found)),
                Over::Values(values) => of_expression(values, found),
            }
            of_block(body, found);
        }
        StatementKind::While { condition, body, .. } => {
            of_expression(condition, found);
            of_block(body, found);
        }
        StatementKind::Require(value) | StatementKind::Value(value) => of_expression(value, found),
        StatementKind::Emit { values, condition, .. } => {
            values.iter().chain(condition).for_each(|value| of_expression(value, found));
        }
    }
}

fn names_of(pattern: &Pattern, declared: &mut Vec<Arc<str>>) {
    match pattern {
        Pattern::Name(name) => declared.push(name.text.clone()),
        Pattern::Tuple(patterns, _) => patterns.iter().for_each(|pattern| names_of(pattern, declared)),
    }
}

fn of_place(place: &Place, found: &mut Vec<Arc<str>>) {
    match place {
        Place::Name(name) => found.push(name.text.clone()),
        Place::Element(name, index) => {
            of_expression(index, found);
            found.push(name.text.clone());
        }
        Place::Tuple(places, _) => places.iter().for_each(|place| of_place(place, found)),
    }
}

/// Arms of an `if` within an expression assign, too.
fn of_expression(expression: &Expression, found: &mut Vec<Arc<str>>) {
    match &*expression.kind {
        ExpressionKind::Number(_) | ExpressionKind::Truth(_) | ExpressionKind::Name(_) => {}
        ExpressionKind::Tuple(parts) | ExpressionKind::Array(parts) | ExpressionKind::Call(_, parts) => {
            parts.iter().for_each(|part| of_expression(part, found));
        }
        ExpressionKind::Each { element, from, to, .. } => {
            [from, to, element].into_iter().for_each(|part| of_expression(part, found));
        }
        ExpressionKind::Element(a, b) | ExpressionKind::Infix(_, a, b) | ExpressionKind::Mod(a, b) => {
            [a, b].into_iter().for_each(|part| of_expression(part, found));
        }
        ExpressionKind::Prefix(_, a) => of_expression(a, found),
        ExpressionKind::If { condition, then, otherwise } => {
            of_expression(condition, found);
            of_block(then, found);
            otherwise.iter().for_each(|block| of_block(block, found));
        }
    }
}
