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
    /// The operand to blame: the name of a variable, a constant, or the expression that computes it ([`Dag::describe`](crate::expr::Dag::describe)).
    pub operand: Arc<str>,
    /// What is wrong with it.
    pub why: Why,
}

impl Failure {
    /// What is wrong, without the instance.
    #[must_use]
    pub fn reason(&self) -> String {
        let operand = &self.operand;
        match self.why {
            Why::NegativeExponent => format!("the exponent `{operand}` is negative"),
            Why::DivisionByZero | Why::ZeroModulus => format!("division by zero: `{operand}` is 0"),
            Why::NotDivisible => format!("`{operand}` is no multiple of its divisor"),
            Why::NoInverse => format!("`{operand}` has no inverse: it has a common divisor with the modulus"),
            Why::Negative => format!("`{operand}` is negative and has no square root"),
            Why::EvenNumber => format!("`{operand}` is even and has no inverse modulo a power of two"),
            Why::EvenModulus => format!("`{operand}` is even: expected an odd number"),
            Why::LongQuotient => {
                format!("`{operand}` is not below the divisor: the quotient has more bits than its type")
            }
            Why::NoDegree => format!("the degree `{operand}` of the root is not positive"),
        }
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
    /// What failed, by instance and then in order of computation. An instance fails if any operation of the expression
    /// does, whether or not its value is used.
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
