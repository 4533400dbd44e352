//! Limbs, fixed-width integers, batches of them, and their arithmetic on one CPU thread.
//!
//! | item | what it is |
//! | --- | --- |
//! | [`Base`] | the limb: `u32`, `u64`, `u128`, or a word of your own |
//! | [`Uint`], [`Int`] | integers of a fixed number of limbs, unsigned and two's complement |
//! | [`Width`] | the number of limbs as a type: the bound of generic code |
//! | [`FixedInt`], [`Primitive`] | bounds for code generic over the sign; the primitives accepted as operands |
//! | [`slice`](mod@slice) | the arithmetic on limb slices that all types share |
//! | [`text`] | hexadecimal, decimal and any radix, on limb slices |
//! | [`convert`] | limb slices to and from num-bigint and bytes |
//! | [`Batch`], [`Layout`] | N integers of one type in one allocation |
//! | [`io`] | batches from and to files, in chunks |
//! | [`IntType`] | a width in bits and a signedness, as in `u4096`, `i131` |
//!
//! # Other libraries
//! `From` and `TryFrom` convert numbers of num-bigint. 64-bit words or bytes, least significant first, carry
//! the numbers of other crates.
//!
//! ```
//! use limbforge_limb::{RangeError, U256};
//! use num_bigint::BigUint;
//!
//! let a = U256::from(7_u8);
//! let big: BigUint = BigUint::from(a) << 200;
//! assert_eq!(U256::try_from(&big)?, a << 200);
//! assert_eq!(U256::from_words64(&big.to_u64_digits())?, a << 200);
//! # Ok::<(), RangeError>(())
//! ```
//!
//! | crate | to it | from it |
//! | --- | --- | --- |
//! | rug | `Integer::from_digits(&a.to_words64(), Order::Lsf)` | `U256::from_words64(&b.to_digits(Order::Lsf))` |
//! | malachite | `Natural::from_owned_limbs_asc(a.to_words64())` | `U256::from_words64(&b.to_limbs_asc())` |
//! | ruint | `ruint::aliases::U256::from_limbs_slice(&a.to_words64())` | `U256::from_words64(b.as_limbs())` |
//! | crypto-bigint | `crypto_bigint::U256::from_le_slice(&a.to_le_bytes())` | `U256::from_le_bytes(&b.to_le_bytes())` |
//!
//! The arithmetic is not constant-time: do not use it on secrets.

mod base;
mod batch;
pub mod convert;
mod error;
#[macro_use]
mod fixed;
mod int;
mod int_type;
#[doc(hidden)]
pub mod invariant;
pub mod io;
mod pair;
pub mod processor;
#[cfg(feature = "rand")]
mod random;
#[cfg(feature = "serde")]
mod serde;
pub mod slice;
pub mod text;
mod uint;
mod wide;
mod width;

pub use base::Base;
pub use batch::{Batch, Instances, Layout, LimbMemory, SharedLimbs};
pub use error::{BatchError, DivisionByZero, RangeError};
pub use fixed::{FixedInt, Primitive};
pub use int::Int;
pub use int_type::{IntType, ParseIntTypeError, WidthError};
pub use pair::Pair;
pub use uint::Uint;
pub use wide::Wide;
pub use width::{I128, I256, I384, I512, I1024, I2048, I3072, I4096, I8192, IntM, Width};
pub use width::{U128, U256, U384, U512, U1024, U2048, U3072, U4096, U8192, UintM};
// The crates that name lengths, and those whose traits a custom limb implements.
pub use generic_array::{self, typenum};
pub use {bytemuck, num_bigint, num_traits};

/// Runs the program on the package's page as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
