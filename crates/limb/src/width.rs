//! The bound of code that is generic over lengths.

use core::ops::Add;

use generic_array::ArrayLength;
use typenum::Sum;

/// The number of limbs of a [`Uint`](crate::Uint) or [`Int`](crate::Int), as a type.
///
/// Every `typenum` length implements it, so generic code needs no other bound. [`Double`](Width::Double) is
/// the width of a full product.
///
/// ```
/// use limbforge_limb::{Base, U256, U512, Uint, Width};
///
/// fn norm<B: Base, N: Width>(re: &Uint<B, N>, im: &Uint<B, N>) -> Uint<B, N::Double> {
///     re.wide_square() + im.wide_square()
/// }
///
/// let norm: U512 = norm(&U256::from(3_u8), &U256::from(4_u8));
/// assert_eq!(norm, 25);
/// ```
pub trait Width: ArrayLength {
    /// The length of twice as many limbs.
    type Double: ArrayLength;
}

impl<N> Width for N
where
    N: ArrayLength + Add<N>,
    Sum<N, N>: ArrayLength,
{
    type Double = Sum<N, N>;
}
