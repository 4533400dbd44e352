//! Numbers in constant expressions.

use generic_array::{ArrayLength, GenericArray, IntoArrayLength};
use num_traits::{ConstOne, ConstZero};
use typenum::Const;

use super::literal::{self, MAX_LIMBS};
use crate::base::Base;
use crate::int::Int;
use crate::uint::Uint;

/// The lowest N of the limbs.
const fn lowest<B: Base, N: ArrayLength>(limbs: &[B; MAX_LIMBS]) -> GenericArray<B, N>
where
    N::ArrayType<B>: Copy,
{
    const { assert!(N::USIZE <= MAX_LIMBS, "constants have at most 1024 limbs") };
    *GenericArray::from_slice(limbs.split_at(N::USIZE).0)
}

/// 1 in limbs.
const fn one<B: Base>() -> [B; MAX_LIMBS] {
    let mut limbs = [B::ZERO; MAX_LIMBS];
    limbs[0] = B::ONE;
    limbs
}

macro_rules! stamp {
    ($Type:ident) => {
        impl<B: Base, N: ArrayLength> $Type<B, N> {
            /// The number with these limbs, least significant first, usable in constants.
            ///
            /// ```
            #[doc = concat!("use limbforge_limb::{", stringify!($Type), ", ", stringify!($Type), "M};")]
            ///
            #[doc = concat!("const P: ", stringify!($Type), "M<u64, 2> = ")]
            #[doc = concat!("    ", stringify!($Type), "::from_limbs_const([1, 1]);")]
            /// assert_eq!(P, (1_u128 << 64) + 1);
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
            pub const ONE: Self = Self { limbs: lowest(&one()) };
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
            /// The number that a text in a constant writes: decimal, or hexadecimal after `0x`, with optional
            /// `_` between digits. Use `parse` for text known only at run time.
            ///
            /// ```
            /// use limbforge_limb::UintM;
            ///
            #[doc = concat!("type T = UintM<", stringify!($limb), ", 8>;")]
            /// const P: T = T::from_str_const("0x7fff_ffff_ffff_ffff"); assert_eq!(P, i64::MAX);
            /// ```
            ///
            /// A text that is not a number of the type does not compile:
            ///
            /// ```compile_fail,E0080
            /// use limbforge_limb::UintM;
            ///
            #[doc = concat!("type T = UintM<", stringify!($limb), ", 1>;")]
            /// const P: T = T::from_str_const("12z"); assert_eq!(P, 12);
            /// ```
            ///
            /// # Panics
            /// At run time, if the text is not a number of the type. In a constant, that is a compile error.
            #[must_use]
            pub const fn from_str_const(text: &str) -> Self {
                Self { limbs: lowest(&Self::literal(text, false)) }
            }

            /// The limbs of a text's number, in two's complement.
            const fn literal(text: &str, signed: bool) -> [$limb; MAX_LIMBS] {
                const DIGITS: usize = <$limb>::BITS as usize / 32;
                let literal = literal::parse(text, signed, N::USIZE * DIGITS);
                let mut limbs = [0; MAX_LIMBS];
                let mut i = 0;
                while i < N::USIZE * DIGITS {
                    let shift = 32 * i as u32 % <$limb>::BITS;
                    limbs[i / DIGITS] |= (literal.digits[i] as $limb) << shift;
                    i += 1;
                }
                if signed { Self::with_sign(limbs, literal.negative) } else { limbs }
            }

            /// The limbs of plus or minus a number.
            const fn with_sign(mut limbs: [$limb; MAX_LIMBS], negative: bool) -> [$limb; MAX_LIMBS] {
                let (mut i, mut carry) = (0, negative);
                while i < N::USIZE {
                    if negative {
                        (limbs[i], carry) = (!limbs[i]).overflowing_add(carry as $limb);
                    }
                    i += 1;
                }
                let is_negative = limbs[N::USIZE - 1] >> (<$limb>::BITS - 1) == 1;
                // The carry leaves the top only if the magnitude is 0.
                assert!(is_negative == negative || carry, "the number does not fit its type");
                limbs
            }
        }

        impl<N: ArrayLength> Int<$limb, N>
        where
            N::ArrayType<$limb>: Copy,
        {
            /// The smallest number, `-2^(BITS-1)`.
            pub const MIN: Self = Self {
                limbs: lowest(&{
                    let mut limbs = [0; MAX_LIMBS];
                    limbs[N::USIZE - 1] = 1 << (<$limb>::BITS - 1);
                    limbs
                }),
            };
            /// The largest number, `2^(BITS-1) - 1`.
            pub const MAX: Self = Self {
                limbs: lowest(&{
                    let mut limbs = [<$limb>::MAX; MAX_LIMBS];
                    limbs[N::USIZE - 1] >>= 1;
                    limbs
                }),
            };

            /// The number that a text in a constant writes, as [`Uint::from_str_const`], with `-` before a
            /// negative one.
            ///
            /// ```
            /// use limbforge_limb::IntM;
            ///
            #[doc = concat!("type T = IntM<", stringify!($limb), ", 8>;")]
            /// const D: T = T::from_str_const("-163"); assert_eq!(D, -163);
            /// ```
            ///
            /// # Panics
            /// At run time, if the text is not a number of the type. In a constant, that is a compile error.
            #[must_use]
            pub const fn from_str_const(text: &str) -> Self {
                Self { limbs: lowest(&Uint::<$limb, N>::literal(text, true)) }
            }
        }
    )*};
}

from_text!(u32, u64, u128);
