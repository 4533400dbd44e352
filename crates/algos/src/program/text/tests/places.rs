//! Trees without the places of their nodes.

use crate::program::text::syntax::*;

/// Sets all places to the default.
pub(super) fn forget_places(tree: &mut Tree) {
    for item in &mut tree.items {
        match item {
            Item::Const { name, value } => (name.span = Span::default(), expression(value)).1,
            Item::Inputs(inputs) => inputs.iter_mut().for_each(|(name, kind)| {
                name.span = Span::default();
                kind.iter_mut().for_each(ty);
            }),
            Item::Function(function) => {
                function.name.span = Span::default();
                function.parameters.iter_mut().for_each(pattern);
                block(&mut function.body);
            }
            Item::Outputs(outputs) => outputs.iter_mut().for_each(|(name, value)| {
                name.span = Span::default();
                value.iter_mut().for_each(expression);
            }),
            Item::List(list) => {
                list.name.span = Span::default();
                ty(&mut list.ty);
                expression(&mut list.most);
            }
            Item::Statement(inner) => statement(inner),
        }
    }
}

fn ty(ty_: &mut Type) {
    ty_.span = Span::default();
    match &mut ty_.kind {
        TypeKind::Bool | TypeKind::Int(_) => {}
        TypeKind::Residue(name) => name.span = Span::default(),
        TypeKind::Array(element, length) => {
            ty(element);
            expression(length);
        }
        TypeKind::Tuple(members) => members.iter_mut().for_each(ty),
    }
}

fn pattern(inner: &mut Pattern) {
    match inner {
        Pattern::Name(name) => name.span = Span::default(),
        Pattern::Tuple(members, span) => {
            *span = Span::default();
            members.iter_mut().for_each(pattern);
        }
    }
}

fn place(inner: &mut Place) {
    match inner {
        Place::Name(name) => name.span = Span::default(),
        Place::Element(name, index) => {
            name.span = Span::default();
            expression(index);
        }
        Place::Tuple(members, span) => {
            *span = Span::default();
            members.iter_mut().for_each(place);
        }
    }
}

fn block(inner: &mut Block) {
    inner.span = Span::default();
    inner.statements.iter_mut().for_each(statement);
}

fn statement(inner: &mut Statement) {
    inner.span = Span::default();
    match &mut inner.kind {
        StatementKind::Declare { pattern: names, ty: kind, value, .. } => {
            pattern(names);
            kind.iter_mut().for_each(ty);
            expression(value);
        }
        StatementKind::Assign { place: places, value } => {
            place(places);
            expression(value);
        }
        StatementKind::Repeat { count, body } => {
            expression(count);
            block(body);
        }
        StatementKind::For { name, over, after, body } => {
            name.span = Span::default();
            match over {
                Over::Range(from, to) => [from, to].into_iter().for_each(expression),
                Over::Values(values) => expression(values),
            }
            after.iter_mut().for_each(expression);
            block(body);
        }
        StatementKind::While { condition, limit, body } => {
            [condition, limit].into_iter().for_each(expression);
            block(body);
        }
        StatementKind::Emit { list, values, condition } => {
            list.span = Span::default();
            values.iter_mut().chain(condition).for_each(expression);
        }
        StatementKind::Require(value) | StatementKind::Value(value) => expression(value),
    }
}

fn expression(inner: &mut Expression) {
    inner.span = Span::default();
    match &mut *inner.kind {
        ExpressionKind::Number(_) | ExpressionKind::Truth(_) | ExpressionKind::Name(_) => {}
        ExpressionKind::Tuple(members) | ExpressionKind::Array(members) => {
            members.iter_mut().for_each(expression);
        }
        ExpressionKind::Each { element, name, from, to } => {
            name.span = Span::default();
            [element, from, to].into_iter().for_each(expression);
        }
        ExpressionKind::Call(name, operands) => {
            name.span = Span::default();
            operands.iter_mut().for_each(expression);
        }
        ExpressionKind::Element(a, b) | ExpressionKind::Infix(_, a, b) | ExpressionKind::Mod(a, b) => {
            [a, b].into_iter().for_each(expression);
        }
        ExpressionKind::Prefix(_, operand) => expression(operand),
        ExpressionKind::If { condition, then, otherwise } => {
            expression(condition);
            block(then);
            otherwise.iter_mut().for_each(block);
        }
    }
}
