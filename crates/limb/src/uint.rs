//! Unsigned integers of a fixed number of limbs.

use generic_array::{ArrayLength, ConstArrayLength, GenericArray};
use typenum::{U4, U8, U16, U32, U64};

use crate::base::Base;

mod arithmetic;
mod convert;
mod division;
mod order;
mod product;

/// An unsigned integer of N limbs `B`: 0 to `2^BITS - 1`, where `BITS = N * B::BITS`.
///
/// `+ - *` wrap, that is, they are exact modulo `2^BITS`; `checked_`, `overflowing_` and `saturating_` forms say
/// what happened instead, and [`wide_mul`](Uint::wide_mul) has room for every product. `/` and `%` panic on a zero
/// divisor as `std` integers do; [`div_rem`](Uint::div_rem) returns an error instead. `<<` and `>>` by `BITS` or
/// more leave 0.
///
/// N is a type of `typenum`, so that lengths are computed and checked by the compiler; [`UintM`] takes a number.
///
/// ```
/// use limbforge_limb::Uint;
/// use typenum::{U4, U8};
///
/// let a: Uint<u64, U4> = "0xffffffffffffffffffffffffffffffff".parse()?;
/// let square: Uint<u64, U8> = a.wide_square();
/// assert_eq!(square.to_string(), "115792089237316195423570985008687907852589419931798687112530834793049593217025");
/// assert_eq!(a + Uint::from(1_u8), Uint::one() << 128);
/// # Ok::<(), limbforge_limb::text::ParseError>(())
/// ```
pub struct Uint<B: Base, N: ArrayLength> {
    pub(crate) limbs: GenericArray<B, N>,
}

/// [`Uint`] of M limbs, M a number: `UintM<u64, 7>`.
pub type UintM<B, const M: usize> = Uint<B, ConstArrayLength<M>>;

/// 0 to `2^256 - 1`.
pub type U256 = Uint<u64, U4>;
/// 0 to `2^512 - 1`.
pub type U512 = Uint<u64, U8>;
/// 0 to `2^1024 - 1`.
pub type U1024 = Uint<u64, U16>;
/// 0 to `2^2048 - 1`.
pub type U2048 = Uint<u64, U32>;
/// 0 to `2^4096 - 1`.
pub type U4096 = Uint<u64, U64>;
