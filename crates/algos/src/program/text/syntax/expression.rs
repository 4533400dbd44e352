//! Expressions.

use std::sync::Arc;

use limbforge_limb::IntType;
use num_bigint::BigUint;

use super::Block;
use super::operators::{Infix, Prefix};
use super::place::{Name, Span};

/// The type that an operand of `random` names.
pub(in crate::program) fn integer_type(operand: &Expression) -> Option<IntType> {
    match &*operand.kind {
        ExpressionKind::Name(word) => word.parse().ok(),
        _ => None,
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The expression.
    pub kind: Box<ExpressionKind>,
    /// Its place.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// A number, which has no type of its own.
    Number(BigUint),
    /// `true` or `false`.
    Truth(bool),
    /// A variable, constant or input.
    Name(Arc<str>),
    /// `(a, b)`, of at least two members.
    Tuple(Vec<Expression>),
    /// `[a, b]`, of at least one element.
    Array(Vec<Expression>),
    /// `[element for name in from .. to]`
    Each {
        /// The element.
        element: Expression,
        /// The name of the index.
        name: Name,
        /// The first index.
        from: Expression,
        /// The index after the last one.
        to: Expression,
    },
    /// `name(operands)`: a function of the program, of [`BUILT_IN`](super::BUILT_IN), of the table of operations, or a type.
    Call(Name, Vec<Expression>),
    /// `array[index]`
    Element(Expression, Expression),
    /// `-a`, `~a` or `not a`
    Prefix(Prefix, Expression),
    /// `a + b`
    Infix(Infix, Expression, Expression),
    /// `value mod modulus`
    Mod(Expression, Expression),
    /// `if condition { ... } else { ... }`
    If {
        /// The condition.
        condition: Expression,
        /// The block where it holds.
        then: Block,
        /// The block where it does not.
        otherwise: Option<Block>,
    },
}
