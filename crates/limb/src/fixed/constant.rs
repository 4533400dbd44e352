//! Numbers in constant expressions.

use generic_array::{ArrayLength, GenericArray, IntoArrayLength};
use num_traits::{ConstOne, ConstZero};
use typenum::Const;

use super::literal::{self, MAX_LIMBS};
use crate::{base::Base, int::Int, uint::Uint};

/// The lowest N of the limbs.
const fn lowest<B: Base, N: ArrayLength>(limbs: &[B; MAX_LIMBS]) -> GenericArray<B, N>
where
    N::ArrayType<B>: Copy,
{
    const { assert!(N::USIZE <= MAX_LIMBS, "constants have at most 1024 limbs") };
    *GenericArray::from_slice(limbs.split_at(N::USIZE).0)
}

/// N limbs that equal `rest`, except the one at `index`.
const fn one_limb<B: Base, N: ArrayLength>(index: usize, limb: B, rest: B) -> GenericArray<B, N>
where
    N::ArrayType<B>: Copy,
{
    let mut limbs = [rest; MAX_LIMBS];
    limbs[index] = limb;
    lowest(&limbs)
}

macro_rules! stamp {
    ($Type:ident) => {
        impl<B: Base, N: ArrayLength> $Type<B, N> {
            /// The number with these limbs, least significant first, usable in constants.
            ///
            /// ```
            /// use limbforge_limb::{Int, IntM, Uint, UintM};
            ///
            /// const P: UintM<u64, 2> = Uint::from_limbs_const([1, 1]);
            /// const Q: IntM<u64, 2> = Int::from_limbs_const([u64::MAX; 2]);
            /// assert_eq!(P, (1_u128 << 64) + 1); assert_eq!(Q, -1);
            /// ```
            #[inline]
            #[must_use]
            pub const fn from_limbs_const<const M: usize>(limbs: [B; M]) -> Self
            where
                Const<M>: IntoArrayLength<ArrayLength = N>,
            {
                Self { limbs: GenericArray::from_array(limbs) }
            }
        }

        /// Constants, for numbers of up to 1024 limbs.
        impl<B: Base, N: ArrayLength> $Type<B, N>
        where
            N::ArrayType<B>: Copy,
        {
            /// 0.
            pub const ZERO: Self = Self { limbs: lowest(&[B::ZERO; MAX_LIMBS]) };
            /// 1.
            pub const ONE: Self = Self { limbs: one_limb(0, B::ONE, B::ZERO) };
        }

        impl<B: Base, N: ArrayLength> ConstZero for $Type<B, N>
        where
            N::ArrayType<B>: Copy,
        {
            const ZERO: Self = Self::ZERO;
        }

        impl<B: Base, N: ArrayLength> ConstOne for $Type<B, N>
        where
            N::ArrayType<B>: Copy,
        {
            const ONE: Self = Self::ONE;
        }
    };
}

stamp!(Uint);
stamp!(Int);

impl<B: Base, N: ArrayLength> Uint<B, N>
where
    N::ArrayType<B>: Copy,
{
    /// The largest number, `2^BITS - 1`.
    pub const MAX: Self = Self { limbs: lowest(&[B::HIGHEST; MAX_LIMBS]) };
}

macro_rules! from_text {
    ($($limb:ty),*) => {$(
        impl<N: ArrayLength> Uint<$limb, N>
        where
            N::ArrayType<$limb>: Copy,
        {
            /// The number of a text in a constant: decimal, or hexadecimal after `0x`, with optional `_`
            /// between digits. Use `parse` for text known only at run time.
            ///
            /// ```
            #[doc = concat!("type T = limbforge_limb::UintM<", stringify!($limb), ", 8>;")]
            /// const P: T = T::from_str_const("0x7fff_ffff_ffff_ffff"); assert_eq!(P, i64::MAX);
            /// ```
            ///
            /// A text that is not a number of the type does not compile:
            ///
            /// ```compile_fail,E0080
            #[doc = concat!("type T = limbforge_limb::UintM<", stringify!($limb), ", 1>;")]
            /// const P: T = T::from_str_const("12z"); assert_eq!(P, 12);
            /// ```
            ///
            /// # Panics
            /// At run time, if the text is not a number of the type. In a constant, that is a compile error.
            #[must_use]
            pub const fn from_str_const(text: &str) -> Self {
                Self { limbs: Self::literal(text, false) }
            }

            /// The limbs of a text's number, in two's complement.
            const fn literal(text: &str, signed: bool) -> GenericArray<$limb, N> {
                const DIGITS: usize = <$limb>::BITS as usize / 32;
                let digits = literal::parse(text, signed, N::USIZE * DIGITS);
                let (mut limbs, mut i) = ([0; MAX_LIMBS], 0);
                while i < N::USIZE * DIGITS {
                    limbs[i / DIGITS] |= (digits[i] as $limb) << (32 * i as u32 % <$limb>::BITS);
                    i += 1;
                }
                lowest(&limbs)
            }
        }

        impl<N: ArrayLength> Int<$limb, N>
        where
            N::ArrayType<$limb>: Copy,
        {
            /// The smallest number, `-2^(BITS-1)`.
            pub const MIN: Self = Self { limbs: one_limb(N::USIZE - 1, 1 << (<$limb>::BITS - 1), 0) };
            /// The largest number, `2^(BITS-1) - 1`.
            pub const MAX: Self = Self { limbs: one_limb(N::USIZE - 1, <$limb>::MAX >> 1, <$limb>::MAX) };

            /// The number of a text in a constant, as [`Uint::from_str_const`], `-` before a negative one.
            ///
            /// ```
            #[doc = concat!("type T = limbforge_limb::IntM<", stringify!($limb), ", 8>;")]
            /// const D: T = T::from_str_const("-163"); assert_eq!(D, -163);
            /// ```
            ///
            /// # Panics
            /// At run time, if the text is not a number of the type. In a constant, that is a compile error.
            #[must_use]
            pub const fn from_str_const(text: &str) -> Self {
                Self { limbs: Uint::<$limb, N>::literal(text, true) }
            }
        }
    )*};
}

from_text!(u32, u64, u128);
