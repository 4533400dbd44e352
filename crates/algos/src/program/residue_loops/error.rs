//! The reasons why a loop is no sequence of products of sums.

use crate::program::text::syntax::Span;
use crate::program::ty::Ty;
use crate::sequence::SequenceError;

/// Why a loop is not computed in a residue number system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotResidues {
    /// A `while`.
    #[error("it is a `while`, and residues are not compared")]
    While,
    /// A loop over digits or elements.
    #[error("it goes over digits or elements, which choose among arrays")]
    Elements,
    /// It carries nothing.
    #[error("it carries no residues")]
    Nothing,
    /// It carries residues of several moduli.
    #[error("it carries residues of several moduli")]
    Moduli,
    /// It carries a value that is no residue.
    #[error("it carries {ty}, not only residues")]
    Carried {
        /// The type of the value.
        ty: Ty,
    },
    /// It has an operation that residue number systems lack.
    #[error(
        "its rounds have `{operation}`: expected sums, products and choices by the bits of `for bit in bits(k)`"
    )]
    Operation {
        /// The operation.
        operation: String,
        /// Its place.
        span: Span,
    },
    /// It has too many steps.
    #[error("its rounds have too many products")]
    Long,
    /// Its steps are no sequence.
    #[error(transparent)]
    Sequence(#[from] SequenceError),
}
