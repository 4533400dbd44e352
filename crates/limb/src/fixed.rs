//! The common part of [`Uint`](crate::Uint) and [`Int`](crate::Int): macros implement each family of
//! functions for both.
//!
//! The types differ where the sign matters: overflow, division, full products and conversions. Their own
//! modules have those. This module has everything that is the same modulo `2^BITS`.

mod arithmetic;
mod bits;
mod bytes;
mod constant;
mod convert;
mod integer;
mod literal;
mod macros;
mod num;
mod operators;
mod primitive;
mod text;
mod value;

pub(crate) use arithmetic::with_scratch;
pub use integer::FixedInt;
#[cfg(feature = "serde")]
pub(crate) use macros::both;
pub(crate) use macros::{methods, unary};
pub use primitive::Primitive;

/// The result of a division, for operators and methods that panic.
///
/// # Panics
/// If the divisor was zero, as `std` operators do.
#[track_caller]
pub(crate) fn divided<T>(result: Result<T, crate::error::DivisionByZero>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}
