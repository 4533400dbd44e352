//! A limb made of a primitive word.

/// Defines a limb: a `#[repr(transparent)]` struct over `u8`, `u16`, `u32`, `u64` or `u128` that implements
/// [`Base`](crate::Base) and all that it asks for.
///
/// The operators are those of the word, as are `Display`, `LowerHex`, the order and the layout in memory. `From`
/// converts both ways. Attributes are kept: `#[derive(serde::Serialize)]` gives what batches of the limb need for it.
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
/// The struct implements `bytemuck::Pod`, which is unsafe code of this macro: in a crate with
/// `#![forbid(unsafe_code)]` it does not compile, with `deny` it does.
#[macro_export]
macro_rules! limb_newtype {
    ($(#[$attribute:meta])* $vis:vis struct $Name:ident($field:vis $word:ident $(,)?);) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        $vis struct $Name($field $word);

        $crate::__limb_newtype_memory!($Name);
        $crate::__limb_newtype_operators!($Name, $word);
        $crate::__limb_newtype_numbers!($Name, $word);
        $crate::__limb_newtype_base!($Name, $word);
    };
}

/// Bytes and text.
#[doc(hidden)]
#[macro_export]
macro_rules! __limb_newtype_memory {
    ($Name:ident) => {
        // SAFETY: transparent over a primitive word, for which 0 is a value.
        #[allow(unsafe_code)]
        unsafe impl $crate::bytemuck::Zeroable for $Name {}
        // SAFETY: transparent over a primitive word: no padding, and all bit patterns are values.
        #[allow(unsafe_code)]
        unsafe impl $crate::bytemuck::Pod for $Name {}

        impl ::core::fmt::Display for $Name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(&self.0, f)
            }
        }

        impl ::core::fmt::LowerHex for $Name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::LowerHex::fmt(&self.0, f)
            }
        }
    };
}

/// The operators of the standard library.
#[doc(hidden)]
#[macro_export]
macro_rules! __limb_newtype_operators {
    ($Name:ident, $word:ident) => {
        $crate::__limb_newtype_operators!(@limbs $Name:
            Add add, Sub sub, Mul mul, Div div, Rem rem, BitAnd bitand, BitOr bitor, BitXor bitxor);
        $crate::__limb_newtype_operators!(@shifts $Name: Shl shl, Shr shr);

        impl ::core::ops::Not for $Name {
            type Output = Self;

            #[inline(always)]
            fn not(self) -> Self {
                Self(!self.0)
            }
        }

        impl ::core::convert::From<$word> for $Name {
            #[inline(always)]
            fn from(word: $word) -> Self {
                Self(word)
            }
        }

        impl ::core::convert::From<$Name> for $word {
            #[inline(always)]
            fn from(limb: $Name) -> Self {
                limb.0
            }
        }
    };
    (@limbs $Name:ident: $($Op:ident $op:ident),+) => {$(
        impl ::core::ops::$Op for $Name {
            type Output = Self;

            #[inline(always)]
            fn $op(self, rhs: Self) -> Self {
                Self(::core::ops::$Op::$op(self.0, rhs.0))
            }
        }
    )+};
    (@shifts $Name:ident: $($Op:ident $op:ident),+) => {$(
        impl ::core::ops::$Op<usize> for $Name {
            type Output = Self;

            #[inline(always)]
            fn $op(self, bits: usize) -> Self {
                Self(::core::ops::$Op::$op(self.0, bits))
            }
        }
    )+};
}

/// The traits of num-traits.
#[doc(hidden)]
#[macro_export]
macro_rules! __limb_newtype_numbers {
    ($Name:ident, $word:ident) => {
        impl $crate::num_traits::Zero for $Name {
            #[inline(always)]
            fn zero() -> Self {
                Self(0)
            }

            #[inline(always)]
            fn is_zero(&self) -> bool {
                self.0 == 0
            }
        }

        impl $crate::num_traits::One for $Name {
            #[inline(always)]
            fn one() -> Self {
                Self(1)
            }
        }

        impl $crate::num_traits::ConstZero for $Name {
            const ZERO: Self = Self(0);
        }

        impl $crate::num_traits::ConstOne for $Name {
            const ONE: Self = Self(1);
        }

        impl $crate::num_traits::Bounded for $Name {
            #[inline(always)]
            fn min_value() -> Self {
                Self(<$word>::MIN)
            }

            #[inline(always)]
            fn max_value() -> Self {
                Self(<$word>::MAX)
            }
        }

        impl $crate::num_traits::Unsigned for $Name {}

        impl $crate::num_traits::Num for $Name {
            type FromStrRadixErr = <$word as $crate::num_traits::Num>::FromStrRadixErr;

            fn from_str_radix(
                text: &str,
                radix: u32,
            ) -> ::core::result::Result<Self, Self::FromStrRadixErr> {
                <$word>::from_str_radix(text, radix).map(Self)
            }
        }

        impl $crate::num_traits::ToPrimitive for $Name {
            #[inline(always)]
            fn to_i64(&self) -> ::core::option::Option<i64> {
                $crate::num_traits::ToPrimitive::to_i64(&self.0)
            }

            #[inline(always)]
            fn to_u64(&self) -> ::core::option::Option<u64> {
                $crate::num_traits::ToPrimitive::to_u64(&self.0)
            }

            #[inline(always)]
            fn to_i128(&self) -> ::core::option::Option<i128> {
                $crate::num_traits::ToPrimitive::to_i128(&self.0)
            }

            #[inline(always)]
            fn to_u128(&self) -> ::core::option::Option<u128> {
                $crate::num_traits::ToPrimitive::to_u128(&self.0)
            }
        }

        impl $crate::num_traits::NumCast for $Name {
            #[inline(always)]
            fn from<T: $crate::num_traits::ToPrimitive>(value: T) -> ::core::option::Option<Self> {
                <$word as $crate::num_traits::NumCast>::from(value).map(Self)
            }
        }

        impl $crate::num_traits::Saturating for $Name {
            #[inline(always)]
            fn saturating_add(self, rhs: Self) -> Self {
                Self(<$word>::saturating_add(self.0, rhs.0))
            }

            #[inline(always)]
            fn saturating_sub(self, rhs: Self) -> Self {
                Self(<$word>::saturating_sub(self.0, rhs.0))
            }
        }

        $crate::__limb_newtype_numbers!(@checked $Name, $word:
            CheckedAdd checked_add, CheckedSub checked_sub, CheckedMul checked_mul, CheckedDiv checked_div);

        impl $crate::num_traits::PrimInt for $Name {
            $crate::__limb_newtype_numbers!(@counts $word:
                count_ones count_zeros leading_ones leading_zeros trailing_ones trailing_zeros);
            $crate::__limb_newtype_numbers!(@words $word: swap_bytes reverse_bits to_be to_le);
            $crate::__limb_newtype_numbers!(@images $word: from_be from_le);
            $crate::__limb_newtype_numbers!(@by_bits $word:
                rotate_left rotate_right signed_shl signed_shr unsigned_shl unsigned_shr pow);
        }
    };
    (@checked $Name:ident, $word:ident: $($Op:ident $op:ident),+) => {$(
        impl $crate::num_traits::$Op for $Name {
            #[inline(always)]
            fn $op(&self, rhs: &Self) -> ::core::option::Option<Self> {
                <$word>::$op(self.0, rhs.0).map(Self)
            }
        }
    )+};
    (@counts $word:ident: $($op:ident)+) => {$(
        #[inline(always)]
        fn $op(self) -> u32 {
            <$word as $crate::num_traits::PrimInt>::$op(self.0)
        }
    )+};
    (@words $word:ident: $($op:ident)+) => {$(
        #[inline(always)]
        fn $op(self) -> Self {
            Self(<$word as $crate::num_traits::PrimInt>::$op(self.0))
        }
    )+};
    (@images $word:ident: $($op:ident)+) => {$(
        #[inline(always)]
        fn $op(image: Self) -> Self {
            Self(<$word as $crate::num_traits::PrimInt>::$op(image.0))
        }
    )+};
    (@by_bits $word:ident: $($op:ident)+) => {$(
        #[inline(always)]
        fn $op(self, n: u32) -> Self {
            Self(<$word as $crate::num_traits::PrimInt>::$op(self.0, n))
        }
    )+};
}

/// The limb itself.
#[doc(hidden)]
#[macro_export]
macro_rules! __limb_newtype_base {
    ($Name:ident, u8) => {
        $crate::__limb_newtype_base!(@base $Name, u8, half: Self {});
    };
    ($Name:ident, u16) => {
        $crate::__limb_newtype_base!(@with_half $Name, u16, u8 {});
    };
    ($Name:ident, u32) => {
        $crate::__limb_newtype_base!(@with_half $Name, u32, u16 {});
    };
    ($Name:ident, u64) => {
        $crate::__limb_newtype_base!(@with_half $Name, u64, u32 {
            #[inline(always)]
            fn as_words(limbs: &[Self]) -> ::core::option::Option<&[u64]> {
                ::core::option::Option::Some($crate::bytemuck::cast_slice(limbs))
            }

            #[inline(always)]
            fn as_words_mut(limbs: &mut [Self]) -> ::core::option::Option<&mut [u64]> {
                ::core::option::Option::Some($crate::bytemuck::cast_slice_mut(limbs))
            }
        });
    };
    ($Name:ident, u128) => {
        $crate::__limb_newtype_base!(@with_half $Name, u128, u64 {});
    };
    ($Name:ident, $word:ident) => {
        ::core::compile_error!("a limb is made of u8, u16, u32, u64 or u128");
    };
    (@with_half $Name:ident, $word:ident, $half:ident { $($words:item)* }) => {
        impl ::core::convert::From<$half> for $Name {
            #[inline(always)]
            fn from(half: $half) -> Self {
                Self(half.into())
            }
        }

        $crate::__limb_newtype_base!(@base $Name, $word, half: $half { $($words)* });
    };
    (@base $Name:ident, $word:ident, half: $half:ty { $($words:item)* }) => {
        impl $crate::Base for $Name {
            type Half = $half;
            type Wide = $crate::Pair<Self>;

            const BITS: u32 = <$word>::BITS;
            const HIGHEST: Self = Self(<$word>::MAX);
            const NAME: &'static str = ::core::stringify!($Name);

            #[inline(always)]
            fn carrying_add(self, rhs: Self, carry: bool) -> (Self, bool) {
                let (sum, carry) = <$word>::carrying_add(self.0, rhs.0, carry);
                (Self(sum), carry)
            }

            #[inline(always)]
            fn borrowing_sub(self, rhs: Self, borrow: bool) -> (Self, bool) {
                let (difference, borrow) = <$word>::borrowing_sub(self.0, rhs.0, borrow);
                (Self(difference), borrow)
            }

            #[inline(always)]
            fn carrying_mul_add(self, rhs: Self, addend: Self, carry: Self) -> (Self, Self) {
                let (low, high) = <$word>::carrying_mul_add(self.0, rhs.0, addend.0, carry.0);
                (Self(low), Self(high))
            }

            #[inline(always)]
            fn from_word(word: u64) -> Self {
                Self(word as $word)
            }

            #[inline(always)]
            #[allow(clippy::cast_lossless, reason = "lossless for some words only")]
            fn low_word(self) -> u64 {
                self.0 as u64
            }

            $($words)*
        }
    };
}
