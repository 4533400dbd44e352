//! Why an expression cannot be evaluated over the batches given.

use limbforge_limb::{BatchError, IntType};

use super::Failure;
use crate::expr::TypeError;

/// An expression and batches that do not go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// A variable without a batch.
    #[error("the expression uses `{name}`, which is not among the inputs ({})", given.join(", "))]
    UnknownVariable {
        /// The variable.
        name: String,
        /// The names that are given.
        given: Vec<String>,
    },
    /// No batch at all, so neither type nor number of instances is known.
    #[error("no inputs: give at least one batch, which sets the type and the number of instances")]
    NoInputs,
    /// Batches of different sizes; only a batch of one instance is broadcast.
    #[error(
        "input `{name}` has {found} instances; expected {expected} as in `{first}`, or 1, which is broadcast"
    )]
    CountMismatch {
        /// The batch that sets the number.
        first: String,
        /// Its number of instances.
        expected: usize,
        /// The batch that differs.
        name: String,
        /// Its number of instances.
        found: usize,
    },
    /// Batches of different types.
    #[error("input `{name}` holds {found}; expected {expected} as in `{first}`")]
    TypeMismatch {
        /// The first batch.
        first: String,
        /// Its type.
        expected: IntType,
        /// The batch that differs.
        name: String,
        /// Its type.
        found: IntType,
    },
    /// A batch of another type than the expression was checked for.
    #[error("input `{name}` holds {found}; expected {expected}, for which the expression was prepared")]
    OperandType {
        /// The operand.
        name: String,
        /// The type that the expression was checked for.
        expected: IntType,
        /// Its own type.
        found: IntType,
    },
    /// A batch for the result that does not fit the inputs.
    #[error(
        "the batch for the result holds {found_instances} instances of {found}; expected {instances} of {expected}"
    )]
    ResultMismatch {
        /// The type of the result.
        expected: IntType,
        /// The inputs' number of instances.
        instances: usize,
        /// The type of the batch for the result.
        found: IntType,
        /// Its number of instances.
        found_instances: usize,
    },
    /// Instances that have no result; see [`eval_checked`](super::eval_checked) for those that have one.
    #[error("{first}{}", others(*count))]
    Failed {
        /// The first one.
        first: Failure,
        /// How many failures there are.
        count: usize,
    },
    /// A constant that does not fit the type, or a wide product where none may stand.
    #[error(transparent)]
    Type(#[from] TypeError),
    /// The result cannot be stored.
    #[error(transparent)]
    Batch(#[from] BatchError),
}

fn others(count: usize) -> String {
    if count == 1 { String::new() } else { format!(" ({count} failures in all)") }
}
