//! The traits of num-traits for a limb that is made of a primitive word.

/// Implements each trait by the functions of the word.
#[doc(hidden)]
#[macro_export]
macro_rules! __limb_newtype_numbers {
    ($Name:ident, $word:ident) => {
        impl $crate::num_traits::Zero for $Name {
            $crate::__limb_newtype_numbers!(@limbs zero() = 0;);

            #[inline(always)]
            fn is_zero(&self) -> bool {
                self.0 == 0
            }
        }

        impl $crate::num_traits::One for $Name {
            $crate::__limb_newtype_numbers!(@limbs one() = 1;);
        }

        impl $crate::num_traits::ConstZero for $Name {
            const ZERO: Self = Self(0);
        }

        impl $crate::num_traits::ConstOne for $Name {
            const ONE: Self = Self(1);
        }

        impl $crate::num_traits::Bounded for $Name {
            $crate::__limb_newtype_numbers!(@limbs min_value() = <$word>::MIN; max_value() = <$word>::MAX;);
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
            $crate::__limb_newtype_numbers!(@primitives to_i64 i64, to_u64 u64, to_i128 i128, to_u128 u128);
        }

        impl $crate::num_traits::NumCast for $Name {
            #[inline(always)]
            fn from<T: $crate::num_traits::ToPrimitive>(value: T) -> ::core::option::Option<Self> {
                <$word as $crate::num_traits::NumCast>::from(value).map(Self)
            }
        }

        impl $crate::num_traits::Saturating for $Name {
            $crate::__limb_newtype_numbers!(@limbs
                saturating_add(self, rhs: Self) = <$word>::saturating_add(self.0, rhs.0);
                saturating_sub(self, rhs: Self) = <$word>::saturating_sub(self.0, rhs.0););
        }

        $crate::__limb_newtype_numbers!(@checked $Name, $word:
            CheckedAdd checked_add, CheckedSub checked_sub, CheckedMul checked_mul, CheckedDiv checked_div);

        impl $crate::num_traits::PrimInt for $Name {
            $crate::__limb_newtype_numbers!(@counts $word:
                count_ones count_zeros leading_ones leading_zeros trailing_ones trailing_zeros);
            $crate::__limb_newtype_numbers!(@words $word: swap_bytes reverse_bits to_be to_le);
            $crate::__limb_newtype_numbers!(@limbs
                from_be(image: Self) = <$word as $crate::num_traits::PrimInt>::from_be(image.0);
                from_le(image: Self) = <$word as $crate::num_traits::PrimInt>::from_le(image.0););
            $crate::__limb_newtype_numbers!(@by_bits $word:
                rotate_left rotate_right signed_shl signed_shr unsigned_shl unsigned_shr pow);
        }
    };
    (@limbs $($function:ident($($argument:tt)*) = $word:expr;)+) => {$(
        #[inline(always)]
        fn $function($($argument)*) -> Self {
            Self($word)
        }
    )+};
    (@primitives $($to:ident $primitive:ident),+) => {$(
        #[inline(always)]
        fn $to(&self) -> ::core::option::Option<$primitive> {
            $crate::num_traits::ToPrimitive::$to(&self.0)
        }
    )+};
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
    (@by_bits $word:ident: $($op:ident)+) => {$(
        #[inline(always)]
        fn $op(self, n: u32) -> Self {
            Self(<$word as $crate::num_traits::PrimInt>::$op(self.0, n))
        }
    )+};
}
