//! Unsigned integers of a fixed number of limbs.

use generic_array::{ArrayLength, ConstArrayLength, GenericArray};

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
/// The other operand of an operator or comparison may be any primitive integer, which stands for its exact
/// value: `a + 1`, `2 * a`, `a % 10_u64`, `a == 5`. Comparisons have the number on the left: `5 == a` would
/// make `==` of primitives ambiguous in other code. As several types compare with a number, `a ==
/// text.parse()?` must name one: `text.parse::<U256>()?`.
///
/// A number is `Copy` wherever its length is known, as in all aliases; code that is generic over the
/// [`Width`](crate::Width) clones.
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
/// assert_eq!(a + 1, Uint::one() << 128);
/// # Ok::<(), limbforge_limb::text::ParseError>(())
/// ```
pub struct Uint<B: Base, N: ArrayLength> {
    pub(crate) limbs: GenericArray<B, N>,
}

/// [`Uint`] of M limbs, M a number: `UintM<u64, 7>`.
pub type UintM<B, const M: usize> = Uint<B, ConstArrayLength<M>>;

macro_rules! aliases {
    ($($name:ident = $len:ident, $bits:literal;)*) => {$(
        #[doc = concat!("0 to `2^", $bits, " - 1`.")]
        pub type $name = Uint<u64, typenum::$len>;
    )*};
}

aliases! {
    U128 = U2, "128";
    U256 = U4, "256";
    U384 = U6, "384";
    U512 = U8, "512";
    U1024 = U16, "1024";
    U2048 = U32, "2048";
    U3072 = U48, "3072";
    U4096 = U64, "4096";
    U8192 = U128, "8192";
}
