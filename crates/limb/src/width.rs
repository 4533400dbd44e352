//! Lengths as types, the names of the usual widths, and compile-time checks of the widths of limbs.

use core::ops::Add;

use generic_array::{ArrayLength, ConstArrayLength};
use typenum::Sum;

use crate::{base::Base, int::Int, uint::Uint};

/// The number of limbs of a [`Uint`] or [`Int`], as a type.
///
/// Every `typenum` length implements it, so generic code needs no other bound.
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
    /// The length of twice as many limbs: the width of a full product.
    type Double: ArrayLength;
}

impl<N> Width for N
where
    N: ArrayLength + Add<N>,
    Sum<N, N>: ArrayLength,
{
    type Double = Sum<N, N>;
}

/// [`Uint`] of M limbs, M a number: `UintM<u64, 7>`.
pub type UintM<B, const M: usize> = Uint<B, ConstArrayLength<M>>;

/// [`Int`] of M limbs, M a number: `IntM<u64, 7>`.
pub type IntM<B, const M: usize> = Int<B, ConstArrayLength<M>>;

macro_rules! aliases {
    ($($Unsigned:ident $Signed:ident = $Limbs:ident, $bits:literal, $top:literal;)*) => {$(
        #[doc = concat!("0 to `2^", $bits, " - 1`.")]
        pub type $Unsigned = Uint<u64, typenum::$Limbs>;
        #[doc = concat!("`-2^", $top, "` to `2^", $top, " - 1`.")]
        pub type $Signed = Int<u64, typenum::$Limbs>;
    )*};
}

aliases! {
    U128 I128 = U2, "128", "127";
    U256 I256 = U4, "256", "255";
    U384 I384 = U6, "384", "383";
    U512 I512 = U8, "512", "511";
    U1024 I1024 = U16, "1024", "1023";
    U2048 I2048 = U32, "2048", "2047";
    U3072 I3072 = U48, "3072", "3071";
    U4096 I4096 = U64, "4096", "4095";
    U8192 I8192 = U128, "8192", "8191";
}

/// Checks that limbs of `B` can be repacked into machine words, as the slice functions require.
pub(crate) const fn packed<B: Base>() {
    assert!(
        (B::BITS >= 1 && B::BITS <= 64) || B::BITS.is_multiple_of(64),
        "a limb has 1 to 64 bits, or a multiple of 64: see the documentation of limbforge_limb::Base"
    );
}

/// The width of a limb whose bits fill its memory. Storage, text and GPUs require such limbs.
pub(crate) const fn whole_bits<B: Base>() -> u32 {
    assert!(
        matches!(B::BITS, 8 | 16 | 32 | 64 | 128),
        "a limb of a batch, a Uint or an Int has 8, 16, 32, 64 or 128 bits: \
         see the documentation of limbforge_limb::Base"
    );
    assert!(
        size_of::<B>() * 8 == B::BITS as usize && B::BYTES == size_of::<B>(),
        "a limb of a batch, a Uint or an Int has BITS = 8 * size_of and BYTES = size_of: \
         see the documentation of limbforge_limb::Base"
    );
    assert!(
        2 * size_of::<B::Half>() >= size_of::<B>() && size_of::<B::Wide>() >= 2 * size_of::<B>(),
        "Half has at least half of the limb's bytes, Wide at least twice as many: \
         see the documentation of limbforge_limb::Base"
    );
    B::BITS
}
