//! Instances that have no result.

use core::fmt;
use std::sync::Arc;

use limbforge_limb::{Base, Batch};

use crate::expr::NodeId;
use crate::op::Why;

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
    /// What is wrong with it.
    pub why: Why,
}

impl Failure {
    /// What is wrong, without the instance.
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
    /// [`EvalError::Failed`](super::EvalError::Failed) otherwise.
    pub fn complete(self) -> Result<Batch<B>, super::EvalError> {
        let count = self.failures.len();
        match self.failures.into_iter().next() {
            None => Ok(self.values),
            Some(first) => Err(super::EvalError::Failed { first, count }),
        }
    }
}
