//! Expressions over integers: built with operators or parsed from text, evaluated as one unit.

mod amount;
mod build;
mod builders;
mod dag;
mod error;
mod lexer;
mod parser;
mod power;
pub mod random;
mod report;
mod suggestions;
mod text;
mod typing;

pub use build::Expr;
pub use dag::{Dag, DagNode, NodeId};
pub use error::{ParseErrorKind, ParseExprError, ParseWarning};
pub use parser::Parsed;
pub use report::Report;
pub use suggestions::suggest_operation;
pub use typing::TypeError;

pub use crate::op::{Amount, Example, Op, Operation, Outcome, Syntax, operation, operations};
