//! Memory, text and the operators of a limb that is made of a primitive word.

/// Implements the traits of bytemuck and of the standard library.
#[doc(hidden)]
#[macro_export]
macro_rules! __limb_newtype_operators {
    ($Name:ident, $word:ident) => {
        // SAFETY: transparent over a primitive word, for which 0 is a value.
        #[allow(unsafe_code)]
        unsafe impl $crate::bytemuck::Zeroable for $Name {}
        // SAFETY: transparent over a primitive word: no padding, and all bit patterns are values.
        #[allow(unsafe_code)]
        unsafe impl $crate::bytemuck::Pod for $Name {}

        $crate::__limb_newtype_operators!(@text $Name: Display LowerHex);
        $crate::__limb_newtype_operators!(@binary $Name:
            Add add, Sub sub, Mul mul, Div div, Rem rem, BitAnd bitand, BitOr bitor, BitXor bitxor; Self, [.0]);
        $crate::__limb_newtype_operators!(@binary $Name: Shl shl, Shr shr; usize, []);

        impl ::core::ops::Not for $Name {
            type Output = Self;

            #[inline(always)]
            fn not(self) -> Self {
                Self(!self.0)
            }
        }

        $crate::__limb_newtype_operators!(@from $word => $Name, |word| Self(word));
        $crate::__limb_newtype_operators!(@from $Name => $word, |limb| limb.0);
    };
    (@text $Name:ident: $($Trait:ident)+) => {$(
        impl ::core::fmt::$Trait for $Name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::$Trait::fmt(&self.0, f)
            }
        }
    )+};
    (@binary $Name:ident: $($Op:ident $op:ident),+; $Rhs:ty, $word:tt) => {
        $($crate::__limb_newtype_operators!(@one $Name: $Op $op; $Rhs, $word);)+
    };
    (@one $Name:ident: $Op:ident $op:ident; $Rhs:ty, [$($word:tt)*]) => {
        impl ::core::ops::$Op<$Rhs> for $Name {
            type Output = Self;

            #[inline(always)]
            fn $op(self, rhs: $Rhs) -> Self {
                Self(::core::ops::$Op::$op(self.0, rhs $($word)*))
            }
        }
    };
    (@from $From:ty => $To:ty, |$value:ident| $result:expr) => {
        impl ::core::convert::From<$From> for $To {
            #[inline(always)]
            fn from($value: $From) -> Self {
                $result
            }
        }
    };
}
