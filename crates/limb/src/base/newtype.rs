//! A limb made of a primitive word.

/// Defines a limb: a `#[repr(transparent)]` struct over `u8`, `u16`, `u32`, `u64` or `u128` that implements
/// [`Base`](crate::Base) and its supertraits.
///
/// The operators are those of the word, as are `Display`, `LowerHex`, the order and the layout in memory.
/// `From` converts both ways. Attributes are kept: with `#[derive(serde::Serialize)]`, batches of the limb
/// serialize, too.
///
/// ```
/// use limbforge_limb::{Base, UintM, limb_newtype};
///
/// limb_newtype! {
///     /// Half of a machine word.
///     pub struct Short(pub u16);
/// }
///
/// assert_eq!(Short(7).carrying_mul_add(Short(u16::MAX), Short(1), Short(2)), (Short(65532), Short(6)));
/// let number: UintM<Short, 5> = "0x123456789abcdef".parse()?;
/// assert_eq!((&number * &number).to_string(), "1164890894129196686288161");
/// # Ok::<(), limbforge_limb::text::ParseError>(())
/// ```
///
/// The macro contains unsafe code, the implementation of `bytemuck::Pod`: it compiles under
/// `#![deny(unsafe_code)]`, not under `forbid`.
#[macro_export]
macro_rules! limb_newtype {
    ($(#[$attribute:meta])* $vis:vis struct $Name:ident($field:vis $word:ident $(,)?);) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        $vis struct $Name($field $word);

        $crate::__limb_newtype!($Name, $word);
    };
}

/// Implements [`Base`](crate::Base) and its supertraits by the functions of the word.
#[doc(hidden)]
#[macro_export]
macro_rules! __limb_newtype {
    ($Name:ident, u8) => { $crate::__limb_newtype!(@all $Name, u8, half: Self); };
    ($Name:ident, u16) => { $crate::__limb_newtype!(@with_half $Name, u16, u8); };
    ($Name:ident, u32) => { $crate::__limb_newtype!(@with_half $Name, u32, u16); };
    ($Name:ident, u64) => {
        $crate::__limb_newtype! { @with_half $Name, u64, u32;
            fn as_words(limbs: &[Self]) -> ::core::option::Option<&[u64]> =
                ::core::option::Option::Some($crate::bytemuck::cast_slice(limbs));
            fn as_words_mut(limbs: &mut [Self]) -> ::core::option::Option<&mut [u64]> =
                ::core::option::Option::Some($crate::bytemuck::cast_slice_mut(limbs));
        }
    };
    ($Name:ident, u128) => { $crate::__limb_newtype!(@with_half $Name, u128, u64); };
    ($Name:ident, $word:ident) => {
        ::core::compile_error!("a limb is made of u8, u16, u32, u64 or u128");
    };
    (@with_half $Name:ident, $word:ident, $half:ident $(; $($functions:tt)*)?) => {
        $crate::__limb_impls!($Name: ::core::convert::From<$half> {
            fn from(half: $half) -> Self = Self(half.into());
        });
        $crate::__limb_newtype!(@all $Name, $word, half: $half $(; $($functions)*)?);
    };
    (@all $Name:ident, $word:ident, half: $half:ty $(; $($functions:tt)*)?) => {
        // SAFETY: transparent over a primitive word, for which 0 is a value.
        #[allow(unsafe_code)]
        unsafe impl $crate::bytemuck::Zeroable for $Name {}
        // SAFETY: transparent over a primitive word: no padding, and all bit patterns are values.
        #[allow(unsafe_code)]
        unsafe impl $crate::bytemuck::Pod for $Name {}

        $crate::__limb_impls!($word: ::core::convert::From<$Name> {
            fn from(limb: $Name) -> Self = limb.0;
        });
        $crate::__limb_impls!(@text $Name: Display LowerHex);
        $crate::__limb_impls!(@checked $Name:
            CheckedAdd checked_add, CheckedSub checked_sub, CheckedMul checked_mul, CheckedDiv checked_div);
        $crate::__limb_impls!(@to $Name: to_i64 i64, to_u64 u64, to_i128 i128, to_u128 u128);
        $crate::__limb_impls! { $Name:
            ::core::convert::From<$word> { fn from(word: $word) -> Self = Self(word); }
            ::core::ops::Add { type Output = Self; fn add(self, b: Self) -> Self = Self(self.0 + b.0); }
            ::core::ops::Sub { type Output = Self; fn sub(self, b: Self) -> Self = Self(self.0 - b.0); }
            ::core::ops::Mul { type Output = Self; fn mul(self, b: Self) -> Self = Self(self.0 * b.0); }
            ::core::ops::Div { type Output = Self; fn div(self, b: Self) -> Self = Self(self.0 / b.0); }
            ::core::ops::Rem { type Output = Self; fn rem(self, b: Self) -> Self = Self(self.0 % b.0); }
            ::core::ops::BitAnd { type Output = Self; fn bitand(self, b: Self) -> Self = Self(self.0 & b.0); }
            ::core::ops::BitOr { type Output = Self; fn bitor(self, b: Self) -> Self = Self(self.0 | b.0); }
            ::core::ops::BitXor { type Output = Self; fn bitxor(self, b: Self) -> Self = Self(self.0 ^ b.0); }
            ::core::ops::Shl<usize> {
                type Output = Self; fn shl(self, n: usize) -> Self = Self(self.0 << n);
            }
            ::core::ops::Shr<usize> {
                type Output = Self; fn shr(self, n: usize) -> Self = Self(self.0 >> n);
            }
            ::core::ops::Not { type Output = Self; fn not(self) -> Self = Self(!self.0); }
            $crate::num_traits::Zero {
                fn zero() -> Self = Self(0);
                fn is_zero(&self) -> bool = self.0 == 0;
            }
            $crate::num_traits::One { fn one() -> Self = Self(1); }
            $crate::num_traits::ConstZero { const ZERO: Self = Self(0); }
            $crate::num_traits::ConstOne { const ONE: Self = Self(1); }
            $crate::num_traits::Bounded {
                fn min_value() -> Self = Self(<$word>::MIN);
                fn max_value() -> Self = Self(<$word>::MAX);
            }
            $crate::num_traits::Unsigned {}
            $crate::num_traits::Num {
                type FromStrRadixErr = <$word as $crate::num_traits::Num>::FromStrRadixErr;
                fn from_str_radix(text: &str, radix: u32)
                    -> ::core::result::Result<Self, Self::FromStrRadixErr> =
                    <$word>::from_str_radix(text, radix).map(Self);
            }
            $crate::num_traits::NumCast {
                fn from<T: $crate::num_traits::ToPrimitive>(value: T) -> ::core::option::Option<Self> =
                    <$word as $crate::num_traits::NumCast>::from(value).map(Self);
            }
            $crate::num_traits::Saturating {
                fn saturating_add(self, rhs: Self) -> Self = Self(self.0.saturating_add(rhs.0));
                fn saturating_sub(self, rhs: Self) -> Self = Self(self.0.saturating_sub(rhs.0));
            }
            $crate::num_traits::PrimInt {
                fn count_ones(self) -> u32 = self.0.count_ones();
                fn count_zeros(self) -> u32 = self.0.count_zeros();
                fn leading_ones(self) -> u32 = self.0.leading_ones();
                fn leading_zeros(self) -> u32 = self.0.leading_zeros();
                fn trailing_ones(self) -> u32 = self.0.trailing_ones();
                fn trailing_zeros(self) -> u32 = self.0.trailing_zeros();
                fn swap_bytes(self) -> Self = Self(self.0.swap_bytes());
                fn reverse_bits(self) -> Self = Self(self.0.reverse_bits());
                fn to_be(self) -> Self = Self(self.0.to_be());
                fn to_le(self) -> Self = Self(self.0.to_le());
                fn from_be(image: Self) -> Self = Self(<$word>::from_be(image.0));
                fn from_le(image: Self) -> Self = Self(<$word>::from_le(image.0));
                fn rotate_left(self, n: u32) -> Self = Self(self.0.rotate_left(n));
                fn rotate_right(self, n: u32) -> Self = Self(self.0.rotate_right(n));
                fn signed_shl(self, n: u32) -> Self =
                    Self($crate::num_traits::PrimInt::signed_shl(self.0, n));
                fn signed_shr(self, n: u32) -> Self =
                    Self($crate::num_traits::PrimInt::signed_shr(self.0, n));
                fn unsigned_shl(self, n: u32) -> Self =
                    Self($crate::num_traits::PrimInt::unsigned_shl(self.0, n));
                fn unsigned_shr(self, n: u32) -> Self =
                    Self($crate::num_traits::PrimInt::unsigned_shr(self.0, n));
                fn pow(self, exponent: u32) -> Self = Self(self.0.pow(exponent));
            }
            $crate::Base {
                type Half = $half;
                type Wide = $crate::Pair<Self>;
                const BITS: u32 = <$word>::BITS;
                const HIGHEST: Self = Self(<$word>::MAX);
                const NAME: &'static str = ::core::stringify!($Name);
                fn carrying_add(self, rhs: Self, carry: bool) -> (Self, bool) = {
                    let (sum, carry) = self.0.carrying_add(rhs.0, carry);
                    (Self(sum), carry)
                };
                fn borrowing_sub(self, rhs: Self, borrow: bool) -> (Self, bool) = {
                    let (difference, borrow) = self.0.borrowing_sub(rhs.0, borrow);
                    (Self(difference), borrow)
                };
                fn carrying_mul_add(self, rhs: Self, addend: Self, carry: Self) -> (Self, Self) = {
                    let (low, high) = self.0.carrying_mul_add(rhs.0, addend.0, carry.0);
                    (Self(low), Self(high))
                };
                fn from_word(word: u64) -> Self = Self(word as $word);
                #[allow(clippy::cast_lossless, reason = "lossless for some words only")]
                fn low_word(self) -> u64 = self.0 as u64;
                $($($functions)*)?
            }
        }
    };
}
