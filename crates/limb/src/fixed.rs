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
mod mixed;
mod num;
mod operators;
mod power;
pub(crate) mod primitive;
#[cfg(feature = "rand")]
mod rand;
#[cfg(feature = "serde")]
mod serde;
pub(crate) mod text;
mod value;

pub(crate) use arithmetic::with_scratch;
pub use integer::FixedInt;
pub(crate) use macros::unary;
pub use primitive::Primitive;
#[cfg(feature = "rand")]
pub(crate) use rand::limb as random_limb;

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
