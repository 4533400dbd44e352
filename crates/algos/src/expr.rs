//! Expressions over integers: built with operators or parsed from text, evaluated as one unit.

mod build;
mod builders;
mod constant;
mod dag;
mod error;
mod parse;
mod parser;
pub mod random;
mod suggestions;
mod text;
mod typing;

pub use build::Expr;
pub use dag::{Dag, DagNode, Dags, NodeId, Part};
pub use error::{ParseErrorKind, ParseExprError, ParseWarning, Report};
pub use parser::{Assignment, Parsed, ParsedAll};
pub(crate) use suggestions::nearest;
pub use suggestions::suggest_operation;
pub use typing::TypeError;

pub use crate::op::{Amount, Example, Op, Operation, Outcome, Syntax, operation, operations};
