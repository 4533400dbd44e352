//! The reasons why steps are no sequence.

use super::Variable;

/// Steps that are no sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SequenceError {
    /// A variable is read that is neither given nor set by an earlier step of the round.
    #[error("step {step} reads variable {variable}, which no earlier step of its round sets")]
    Unset {
        /// The step, from 0.
        step: usize,
        /// The variable.
        variable: Variable,
    },
    /// A coefficient is 0, or larger than the largest sum.
    #[error("step {step} takes a variable {coefficient} times: expected 1 to 16 times, or that negated")]
    Coefficient {
        /// The step, from 0.
        step: usize,
        /// The coefficient.
        coefficient: i8,
    },
    /// A sum may be of more numbers than a plan has room for.
    #[error("a sum of step {step} may be of more than 16 products: multiply it by 1 first")]
    Unbounded {
        /// The step, from 0.
        step: usize,
    },
    /// A step sets the variable of the number 1.
    #[error("step {step} sets the number 1, which is variable {variable}")]
    One {
        /// The step, from 0.
        step: usize,
        /// The variable.
        variable: Variable,
    },
    /// There are too many variables.
    #[error("the steps have more than {limit} variables")]
    Large {
        /// The most variables.
        limit: Variable,
    },
    /// There is no product.
    #[error("no step is a product")]
    NoProduct,
    /// A result is no variable.
    #[error("variable {variable} is a result, but is neither given nor set")]
    Output {
        /// The variable.
        variable: Variable,
    },
}
