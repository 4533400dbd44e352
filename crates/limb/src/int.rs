//! Two's complement integers of a fixed number of limbs.

use generic_array::{ArrayLength, ConstArrayLength, GenericArray};
use typenum::{U4, U8, U16, U32, U64};

use crate::base::Base;

mod arithmetic;
mod convert;
mod division;
mod order;
mod product;
mod sign;

/// A two's complement integer of N limbs `B`: `-2^(BITS-1)` to `2^(BITS-1) - 1`, where `BITS = N * B::BITS`.
///
/// Operators and forms are those of [`Uint`](crate::Uint): `+ - *` and unary `-` wrap, that is, they are exact
/// modulo `2^BITS`. `/` and `%` round towards 0 and panic on a zero divisor, as `std` integers do; the smallest
/// number divided by -1 wraps to itself. `>>` copies the sign.
///
/// Widths that end within a limb, such as 131 bits, are those of an [`IntType`](crate::IntType) and its [`Batch`](crate::Batch).
///
/// ```
/// use limbforge_limb::Int;
/// use typenum::U3;
///
/// let a: Int<u32, U3> = "-7".parse()?;
/// assert_eq!((&a / Int::from(2), &a % Int::from(2), &a >> 1), ((-3).into(), (-1).into(), (-4).into()));
/// assert_eq!(Int::<u32, U3>::min_value().checked_neg(), None);
/// assert_eq!(format!("{a} {a:x} {a:?}"), "-7 fffffffffffffffffffffff9 Int(-0x7)");
/// # Ok::<(), limbforge_limb::text::ParseError>(())
/// ```
pub struct Int<B: Base, N: ArrayLength> {
    pub(crate) limbs: GenericArray<B, N>,
}

/// [`Int`] of M limbs, M a number: `IntM<u64, 7>`.
pub type IntM<B, const M: usize> = Int<B, ConstArrayLength<M>>;

/// `-2^255` to `2^255 - 1`.
pub type I256 = Int<u64, U4>;
/// `-2^511` to `2^511 - 1`.
pub type I512 = Int<u64, U8>;
/// `-2^1023` to `2^1023 - 1`.
pub type I1024 = Int<u64, U16>;
/// `-2^2047` to `2^2047 - 1`.
pub type I2048 = Int<u64, U32>;
/// `-2^4095` to `2^4095 - 1`.
pub type I4096 = Int<u64, U64>;
