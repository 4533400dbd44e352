//! Batches as columns of Apache Arrow, and columns as batches, without a copy where that is possible.
//!
//! A column is `FixedSizeBinary(w)`: each value has the w bytes of an integer, least significant first, in two's
//! complement if its type is signed. The columns of [`to_array`] have whole limbs, `w = M * B::BYTES`;
//! [`from_array`] reads any w. The extension type `limbforge.int` of a field names the [type](IntType) of its
//! integers, as in `u2048` or `i131`.
//!
//! | item | what it is |
//! | --- | --- |
//! | [`to_array`], [`to_array_of`], [`from_array`], [`Column`] | a batch as a column, a column as a batch; missing results are nulls |
//! | [`nulls_of`] | the nulls of a column, from the instances without a result |
//! | [`IntExtension`], [`field`], [`type_of`] | the type of the integers in the metadata of a field |
//! | [`export`], [`import`] | a column through Arrow's C data interface, to and from other languages |

mod c_data;
mod column;
mod error;
mod extension;
mod shared;

pub use arrow_array;
pub use arrow_buffer;
pub use arrow_schema;

pub use self::c_data::{export, import};
pub use self::column::{Column, from_array, nulls_of, to_array, to_array_of};
pub use self::error::ColumnError;
pub use self::extension::{IntExtension, field, type_of};

#[cfg(doc)]
use limbforge_limb::IntType;

/// Runs the program on the package's page as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
