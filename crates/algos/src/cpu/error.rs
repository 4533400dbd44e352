//! Batches that an expression cannot be evaluated over, and instances that have no result.

use core::fmt;
use std::sync::Arc;

use limbforge_limb::{Base, Batch, BatchError, IntType};

use crate::expr::{NodeId, TypeError};
use crate::op::Why;

/// An expression and batches that do not match.
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
    /// No batch, so that neither type nor number of instances is known.
    #[error("no inputs: give at least one batch, which sets the type and the number of instances")]
    NoInputs,
    /// Batches of different sizes; a batch of one instance is broadcast.
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
    /// A batch whose type the expression was not checked for.
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
    /// Another number of batches for the results than of expressions.
    #[error("{found} batches for the results; expected {expected}, one for each expression")]
    ResultCount {
        /// The number of expressions.
        expected: usize,
        /// The number of batches.
        found: usize,
    },
    /// Instances that have no result; see [`eval_checked`](super::eval_checked) for those that have one.
    #[error("{first}{}", if *count == 1 { String::new() } else { format!(" ({count} failures in all)") })]
    Failed {
        /// The first one.
        first: Failure,
        /// The number of failures.
        count: usize,
    },
    /// A constant that does not fit the type, or a wide product where none may stand.
    #[error(transparent)]
    Type(#[from] TypeError),
    /// The result cannot be stored.
    #[error(transparent)]
    Batch(#[from] BatchError),
}

/// An operation that failed for one instance.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Failure {
    /// The instance, from 0.
    pub instance: usize,
    /// The operation.
    pub operation: NodeId,
    /// The operand to blame: the name of a variable, a constant, or the expression that computes it
    /// ([`Dag::describe`](crate::expr::Dag::describe)).
    pub operand: Arc<str>,
    /// The reason.
    pub why: Why,
}

impl Failure {
    /// The failure in words, without the instance.
    #[must_use]
    pub fn reason(&self) -> String {
        self.why.reason(&self.operand)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "instance {}: {}", self.instance, self.reason())
    }
}

/// The results of all instances that have one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked<B> {
    /// The results; 0 for instances that failed.
    pub values: Batch<B>,
    /// The failures by instance, and then in order of computation. An instance fails if any operation of the
    /// expression does, whether or not its value is used.
    pub failures: Vec<Failure>,
}

impl<B: Base> Checked<B> {
    /// The results, if no instance failed.
    ///
    /// # Errors
    /// [`EvalError::Failed`] otherwise.
    pub fn complete(self) -> Result<Batch<B>, EvalError> {
        none_failed(self.failures).map(|()| self.values)
    }
}

pub(super) fn none_failed(failures: Vec<Failure>) -> Result<(), EvalError> {
    let count = failures.len();
    failures.into_iter().next().map_or(Ok(()), |first| Err(EvalError::Failed { first, count }))
}
