//! The functions of a limb that is made of a primitive word.

/// Implements [`Base`](crate::Base).
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
        $crate::__limb_newtype_operators!(@from $half => $Name, |half| Self(half.into()));
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
