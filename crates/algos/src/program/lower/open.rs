//! Nodes whose types are not all known: what lowering makes, and finishing turns into typed nodes.

use num_bigint::BigInt;

use super::class::Class;
use crate::op::Op;
use crate::program::region::{Kind, ResidueOp, Rounds};
use crate::program::text::syntax::Span;
use crate::program::ty::ValueId;

/// A value without inner structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    /// A number without a type.
    Number(BigInt),
    /// A value that is computed.
    Value(ValueId),
}

/// The type that a node wants an operand in.
#[derive(Clone, Copy, Debug)]
pub(super) enum Want {
    /// The type of this class.
    Class(Class),
    /// A `bool`.
    Bool,
    /// The type that it has; a number the least one that holds it.
    Own,
}

#[derive(Debug, Default)]
pub(super) struct OpenRegion {
    pub(super) params: Vec<ValueId>,
    pub(super) nodes: Vec<OpenNode>,
    /// Values with the types that they are yielded in.
    pub(super) yields: Vec<(Leaf, Want)>,
}

#[derive(Debug)]
pub(super) struct OpenNode {
    pub(super) kind: OpenKind,
    pub(super) args: Vec<(Leaf, Want)>,
    pub(super) results: Vec<ValueId>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum OpenKind {
    /// An operation of the table where the operands are integers; the residues' where the class is one.
    Meeting(Op, Class),
    /// A node that does not depend on types.
    Fixed(Kind),
    /// The operand itself, in the type that is wanted.
    Convert,
    For {
        over: Rounds,
        after: u64,
        body: OpenRegion,
    },
    While {
        limit: u64,
        condition: OpenRegion,
        body: OpenRegion,
    },
    If {
        then: OpenRegion,
        otherwise: OpenRegion,
    },
}

/// The operation of residues that an operation of the table is.
pub(super) fn of_residues(op: &Op) -> Option<ResidueOp> {
    Some(match op {
        Op::Add => ResidueOp::Add,
        Op::Sub => ResidueOp::Sub,
        Op::Neg => ResidueOp::Neg,
        Op::Mul => ResidueOp::Mul,
        Op::Sqr => ResidueOp::Sqr,
        Op::Eq => ResidueOp::Eq,
        _ => return None,
    })
}
