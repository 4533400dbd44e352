//! Errors of integers and batches. Each message names the expected value, the value found and the remedy.

use crate::int_type::IntType;

/// The divisor is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("division by zero: the divisor must not be 0")]
pub struct DivisionByZero;

/// A number does not fit its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the number does not fit {ty}: it {}; expected {} to {}", self.reason(), ty.min_text(), ty.max_text())]
pub struct RangeError {
    /// The target type.
    pub ty: IntType,
    /// Bits that the number needs, counted in the signedness of `ty`.
    pub needed: u64,
}

impl RangeError {
    /// A number that is narrow enough fails to fit only if it is negative and the type unsigned.
    fn reason(&self) -> String {
        let is_narrow = self.needed <= u64::from(self.ty.bits());
        if is_narrow { "is negative".to_owned() } else { format!("needs {} bits", self.needed) }
    }
}

/// A batch cannot be made or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// The number of limbs is not N times M.
    #[error("expected {expected} limbs ({instances} instances of {limbs_per_instance}), found {found}")]
    Length {
        /// N * M.
        expected: usize,
        /// N.
        instances: usize,
        /// M.
        limbs_per_instance: usize,
        /// Number of limbs found.
        found: usize,
    },
    /// An instance has bits above the width.
    #[error("instance {instance} has bits above its width: expected {ty}")]
    Range {
        /// Index of the first such instance.
        instance: usize,
        /// The batch's type.
        ty: IntType,
    },
    /// An instance's value does not fit the width.
    #[error("instance {instance}: {source}")]
    Value {
        /// Index of the first such instance.
        instance: usize,
        /// Why it does not fit.
        source: RangeError,
    },
    /// The batch and the fixed-width integer have different types.
    #[error("the batch holds {found}, the fixed-width integer {expected}")]
    Type {
        /// Type of the fixed-width integer.
        expected: IntType,
        /// The batch's type.
        found: IntType,
    },
    /// The batches have different types.
    #[error(
        "batch {batch} holds {found}: expected {expected}, the type of the first; `resize` changes types"
    )]
    Types {
        /// Index of the first batch of another type.
        batch: usize,
        /// Type of the first batch.
        expected: IntType,
        /// Type of that batch.
        found: IntType,
    },
    /// There are no batches, and so there is no type.
    #[error("expected at least one batch, found none: an empty batch has a type, too")]
    Empty,
    /// The index is N or more.
    #[error("index {index}: expected one below {instances}, the number of instances")]
    Index {
        /// The index.
        index: usize,
        /// N.
        instances: usize,
    },
    /// The limbs are more than this machine can address.
    #[error(
        "{instances} instances of {limbs_per_instance} limbs are more than this machine can address: use smaller batches"
    )]
    TooLarge {
        /// N.
        instances: usize,
        /// M.
        limbs_per_instance: usize,
    },
}
