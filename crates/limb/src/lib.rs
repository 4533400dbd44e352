//! Limbs, fixed-width integers and batches of them: the data of limbforge, and its arithmetic on one CPU thread.
//!
//! | item | what it is |
//! | --- | --- |
//! | [`Base`] | the limb: `u32`, `u64`, `u128`, or a word of yours |
//! | [`Uint`], [`Int`] | integers of a fixed number of limbs, unsigned and two's complement |
//! | [`slice`](mod@slice) | the arithmetic, once, on limb slices |
//! | [`text`] | hexadecimal, decimal and any radix, on limb slices |
//! | [`convert`] | limb slices to and from num-bigint and bytes |
//! | [`Batch`], [`Layout`] | N integers of one type in one allocation |
//! | [`io`] | batches from and to files, in chunks |
//! | [`IntType`] | a width in bits and a signedness, as in `u4096`, `i131` |
//!
//! Not constant time: do not use it on secrets.

mod base;
mod batch;
pub mod convert;
mod error;
mod fixed;
mod int;
mod int_type;
pub mod io;
pub mod slice;
pub mod text;
mod uint;
mod wide;

pub use base::Base;
pub use batch::{Batch, Layout};
pub use error::{BatchError, DivisionByZero, ParseIntTypeError, RangeError, WidthError};
// The types that lengths are named with.
pub use generic_array::{self, typenum};
pub use int::{I256, I512, I1024, I2048, I4096, Int, IntM};
pub use int_type::IntType;
pub use uint::{U256, U512, U1024, U2048, U4096, Uint, UintM};
pub use wide::{Pair, Wide};

// What a limb of yours implements, and what batches are made of.
pub use {bytemuck, num_bigint, num_traits};

/// The program on the page of the package is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
