//! What can go wrong with integers and batches. Each message says what was expected, what was found, what to do.

use crate::int_type::IntType;

/// The divisor is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("division by zero: the divisor must not be 0")]
pub struct DivisionByZero;

/// A width outside what limbforge handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("width of {bits} bits: expected 1 to {} bits", IntType::MAX_BITS)]
pub struct WidthError {
    /// The width that was asked for.
    pub bits: u64,
}

/// A text that is not an [`IntType`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not an integer type: expected `u` or `i` and a width from 1 to {} bits, as in u131 or i4096",
    IntType::MAX_BITS
)]
pub struct ParseIntTypeError {
    /// The text that was found.
    pub text: String,
}

/// A number that does not fit the width it is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the number does not fit {ty}: it {}; expected {} to {}", self.reason(), ty.min_text(), ty.max_text())]
pub struct RangeError {
    /// The type that the number was converted to.
    pub ty: IntType,
    /// Bits that the number needs in that type's signedness.
    pub needed: u64,
}

impl RangeError {
    /// A number within the width does not fit only if it is negative and the type unsigned.
    fn reason(&self) -> String {
        match self.needed {
            needed if needed <= u64::from(self.ty.bits()) => "is negative".to_owned(),
            needed => format!("needs {needed} bits"),
        }
    }
}

/// A batch that cannot be made or read as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// The limbs given are not N times M.
    #[error("expected {expected} limbs ({instances} instances of {limbs_per_instance}), found {found}")]
    Length {
        /// N * M.
        expected: usize,
        /// N.
        instances: usize,
        /// M.
        limbs_per_instance: usize,
        /// The limbs given.
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
    /// The batch's width is not that of the fixed-width integer.
    #[error("the batch holds {found}, the fixed-width integer {expected}")]
    Type {
        /// The fixed-width integer as a type.
        expected: IntType,
        /// The batch's type.
        found: IntType,
    },
    /// Batches of several types.
    #[error(
        "batch {batch} holds {found}: expected {expected}, the type of the first; `resize` changes types"
    )]
    Types {
        /// Index of the first batch of another type.
        batch: usize,
        /// The first batch's type.
        expected: IntType,
        /// That batch's type.
        found: IntType,
    },
    /// No batches, which have no type.
    #[error("expected at least one batch, found none: an empty batch has a type, too")]
    Empty,
    /// An index of no instance.
    #[error("index {index}: expected one below {instances}, the number of instances")]
    Index {
        /// The index.
        index: usize,
        /// N.
        instances: usize,
    },
    /// More limbs than this machine can address.
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
