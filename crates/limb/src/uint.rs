//! Unsigned integers of a fixed number of limbs.

use generic_array::{ArrayLength, GenericArray};

use crate::base::Base;

mod arithmetic;
mod convert;
mod product;

/// An unsigned integer of N limbs `B`: 0 to `2^BITS - 1`, where `BITS = N * B::BITS`.
///
/// `+ - *` wrap, that is, they are exact modulo `2^BITS`. The `checked_`, `overflowing_` and `saturating_`
/// forms report an overflow, and [`wide_mul`](Uint::wide_mul) returns the full product. `/` and `%` panic on
/// a zero divisor as `std` integers do; [`div_rem`](Uint::div_rem) returns an error instead. `<<` and `>>` by
/// `BITS` or more give 0.
///
/// The other operand of an operator or comparison may be any primitive integer, taken at its exact value:
/// `a + 1`, `2 * a`, `a % 10_u64`, `a == 5`. Comparisons have the number on the left, because `5 == a` would
/// make `==` of primitives ambiguous in other code. Several types compare with a number, so
/// `a == text.parse()?` must name one: `text.parse::<U256>()?`. `U256::from(5)` needs a suffix,
/// `U256::from(5_u32)`: a literal without one is an `i32`, which may be negative.
///
/// A number is `Copy` where its length is known, as in all aliases. Code that is generic over the
/// [`Width`](crate::Width) clones.
///
/// N is a type of `typenum`, so the compiler computes and checks lengths; [`UintM`](crate::UintM) takes a
/// number instead. Import such lengths by name: `typenum::U256` is the length 256, [`U256`](crate::U256) the
/// integer of 256 bits.
///
/// ```
/// use limbforge_limb::Uint;
/// use typenum::{U4, U8};
///
/// let a: Uint<u64, U4> = "0xffffffffffffffffffffffffffffffff".parse()?;
/// let square: Uint<u64, U8> = a.wide_square();
/// assert_eq!(square.to_string(), "115792089237316195423570985008687907852589419931798687112530834793049593217025");
/// assert_eq!(a + 1, Uint::one() << 128);
/// # Ok::<(), limbforge_limb::text::ParseError>(())
/// ```
pub struct Uint<B: Base, N: ArrayLength> {
    pub(crate) limbs: GenericArray<B, N>,
}
