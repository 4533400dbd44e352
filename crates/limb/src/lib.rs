//! Limbs, fixed-width integers and batches of them: the data of limbforge, and its arithmetic on one CPU thread.
//!
//! | item | what it is |
//! | --- | --- |
//! | [`Base`] | the limb: `u32`, `u64`, `u128`, or a word of yours |
//! | [`Uint`], [`Int`] | integers of a fixed number of limbs, unsigned and two's complement |
//! | [`Width`] | the number of limbs as a type: the bound of generic code |
//! | [`FixedInt`], [`Primitive`] | both types as one; the primitives that they compute with |
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
mod width;

pub use base::Base;
pub use batch::{Batch, Instances, Layout, SharedLimbs};
pub use error::{BatchError, DivisionByZero, ParseIntTypeError, RangeError, WidthError};
// The types that lengths are named with.
pub use fixed::{FixedInt, Primitive};
pub use generic_array::{self, typenum};
pub use int::{I128, I256, I384, I512, I1024, I2048, I3072, I4096, I8192, Int, IntM};
pub use int_type::IntType;
pub use uint::{U128, U256, U384, U512, U1024, U2048, U3072, U4096, U8192, Uint, UintM};
pub use wide::{Pair, Wide};

// What a limb of yours implements, and what batches are made of.
pub use width::Width;
pub use {bytemuck, num_bigint, num_traits};
