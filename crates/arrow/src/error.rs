//! Errors of columns.

use arrow_schema::{ArrowError, DataType};
use limbforge_limb::{BatchError, IntType, RangeError};

/// A column is no batch, or a batch no column.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnError {
    /// The column holds other data.
    #[error("expected a column of FixedSizeBinary, found {found}: `cast` the column")]
    Kind {
        /// The type of the column's data.
        found: DataType,
    },
    /// A field has the extension type of integers, but names no type of integers.
    #[error("expected a type such as u2048 or i131 in the metadata of limbforge.int, found {found:?}")]
    Metadata {
        /// The metadata, empty if there are none.
        found: String,
    },
    /// An integer is not of the type.
    #[error("row {row}: {source}")]
    Value {
        /// The first such row, from 0.
        row: usize,
        /// The reason.
        source: RangeError,
    },
    /// The nulls are those of another number of rows.
    #[error("expected nulls for {expected} rows, found {found}")]
    Nulls {
        /// N.
        expected: usize,
        /// Rows of the nulls.
        found: usize,
    },
    /// Values are wider than Arrow's columns allow.
    #[error("{ty} has {bytes} bytes per value, expected at most {}: split the integers", i32::MAX)]
    TooWide {
        /// The type of the integers.
        ty: IntType,
        /// Bytes of a value.
        bytes: usize,
    },
    /// Nothing says which integers the values are.
    #[error("expected a column of limbforge.int or a type, found FixedSizeBinary of {bytes} bytes alone")]
    Untyped {
        /// Bytes of a value.
        bytes: u32,
    },
    /// The limbs are no batch.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// Arrow refuses the column.
    #[error(transparent)]
    Arrow(#[from] ArrowError),
}
