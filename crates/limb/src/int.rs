//! Two's complement integers of a fixed number of limbs.

use generic_array::{ArrayLength, GenericArray};

use crate::base::Base;

mod arithmetic;
mod convert;
mod product;
mod sign;

/// A two's complement integer of N limbs `B`: `-2^(BITS-1)` to `2^(BITS-1) - 1`, where `BITS = N * B::BITS`.
///
/// It has the operators and methods of [`Uint`](crate::Uint): `+ - *` and unary `-` wrap, that is, they are
/// exact modulo `2^BITS`. `/` and `%` round towards 0 and panic on a zero divisor, as `std` integers do; the
/// smallest number divided by -1 wraps to itself. `>>` is arithmetic: it copies the sign.
///
/// For a width that ends within a limb, such as 131 bits, use [`IntType`](crate::IntType) and
/// [`Batch`](crate::Batch).
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
