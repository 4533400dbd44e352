//! Two's complement integers of a fixed number of limbs.

use generic_array::{ArrayLength, ConstArrayLength, GenericArray};

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
/// assert_eq!([&a / 2, &a % 2, &a >> 1].map(|x| x.to_string()), ["-3", "-1", "-4"]);
/// assert_eq!(Int::<u32, U3>::min_value().checked_neg(), None);
/// assert_eq!(format!("{a} {a:x} {a:?}"), "-7 fffffffffffffffffffffff9 Int(-0x7)");
/// # Ok::<(), limbforge_limb::text::ParseError>(())
/// ```
pub struct Int<B: Base, N: ArrayLength> {
    pub(crate) limbs: GenericArray<B, N>,
}

/// [`Int`] of M limbs, M a number: `IntM<u64, 7>`.
pub type IntM<B, const M: usize> = Int<B, ConstArrayLength<M>>;

macro_rules! aliases {
    ($($name:ident = $len:ident, $top:literal;)*) => {$(
        #[doc = concat!("`-2^", $top, "` to `2^", $top, " - 1`.")]
        pub type $name = Int<u64, typenum::$len>;
    )*};
}

aliases! {
    I128 = U2, "127";
    I256 = U4, "255";
    I384 = U6, "383";
    I512 = U8, "511";
    I1024 = U16, "1023";
    I2048 = U32, "2047";
    I3072 = U48, "3071";
    I4096 = U64, "4095";
    I8192 = U128, "8191";
}
