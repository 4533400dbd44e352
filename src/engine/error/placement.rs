//! Errors of placements and prepared expressions.

use limbforge_algos::expr::Dag;
use limbforge_limb::Layout;

/// A placement and an expression, or a prepared expression and batches, that do not go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlacementError {
    /// A name that the expression does not use.
    #[error("the expression has no operand `{name}`; expected one of: {}", expected.join(", "))]
    UnknownOperand {
        /// The name.
        name: String,
        /// The expression's operands.
        expected: Vec<String>,
    },
    /// A name with two batches.
    #[error("operand `{name}` is given twice; expected one batch")]
    Twice {
        /// The name.
        name: String,
    },
    /// A batch of another layout than the one that was prepared for.
    #[error(
        "operand `{name}` lies {}; expected {}: convert it with `into_layout`, or prepare the expression for it",
        words(*found),
        words(*expected)
    )]
    Layout {
        /// The operand.
        name: String,
        /// The layout that the expression was prepared for.
        expected: Layout,
        /// The batch's layout.
        found: Layout,
    },
    /// Several instances of an operand that is one integer for all.
    #[error(
        "operand `{name}` has {found} instances; expected 1, as the expression was prepared with one integer for all instances"
    )]
    Broadcast {
        /// The operand.
        name: String,
        /// Its instances.
        found: usize,
    },
    /// Another number of instances than another operand has.
    #[error(
        "operand `{name}` has {found} instances; expected {expected} as in {first}: one integer for all instances is prepared with `with_broadcast`"
    )]
    Instances {
        /// The operand.
        name: String,
        /// The number of instances of the first operand, or of the batch for the result.
        expected: usize,
        /// Its instances.
        found: usize,
        /// The batch that sets the number.
        first: String,
    },
}

impl PlacementError {
    pub(in crate::engine) fn unknown(name: &str, dag: &Dag) -> Self {
        let expected = dag.inputs().map(ToOwned::to_owned).collect();
        Self::UnknownOperand { name: name.to_owned(), expected }
    }
}

const fn words(layout: Layout) -> &'static str {
    match layout {
        Layout::InstanceMajor => "instance by instance",
        Layout::Interleaved => "interleaved",
    }
}
