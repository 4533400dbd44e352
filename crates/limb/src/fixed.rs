//! What [`Uint`](crate::Uint) and [`Int`](crate::Int) have in common, each family stamped onto both by one macro.
//!
//! The two differ only where the sign matters: order, right shifts, overflow, division and text. That is in the
//! modules of each type; what is the same modulo `2^BITS` is here.

mod arithmetic;
mod bits;
mod bytes;
mod constant;
mod convert;
mod integer;
mod literal;
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
pub use primitive::Primitive;
#[cfg(feature = "rand")]
pub(crate) use rand::limb as random_limb;

/// The value of a division whose divisor is not zero.
///
/// # Panics
/// If the divisor was zero, as the operators of `std` do.
#[track_caller]
pub(crate) fn divided<T>(result: Result<T, crate::error::DivisionByZero>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}
