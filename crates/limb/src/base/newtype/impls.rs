//! Traits of limbs, one line a function.

/// Implements traits, `Trait { fn name(arguments) -> Output = value; .. }`.
#[doc(hidden)]
#[macro_export]
macro_rules! __limb_impls {
    (@text $Name:ident: $($Trait:ident)+) => {$(
        $crate::__limb_impls!($Name: ::core::fmt::$Trait {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result =
                ::core::fmt::$Trait::fmt(&self.0, f);
        });
    )+};
    (@to $Name:ident: $($to:ident $primitive:ident),+) => {
        $crate::__limb_impls!($Name: $crate::num_traits::ToPrimitive {$(
            fn $to(&self) -> ::core::option::Option<$primitive> =
                $crate::num_traits::ToPrimitive::$to(&self.0);
        )+});
    };
    (@checked $Name:ident: $($Op:ident $op:ident),+) => {$(
        $crate::__limb_impls!($Name: $crate::num_traits::$Op {
            fn $op(&self, rhs: &Self) -> ::core::option::Option<Self> = self.0.$op(rhs.0).map(Self);
        });
    )+};
    ($Name:ident: $($Trait:path { $($items:tt)* })+) => {$(
        impl $Trait for $Name {
            $crate::__limb_impls!(@items $($items)*);
        }
    )+};
    (@items
        $(type $Type:ident = $Value:ty;)*
        $(const $constant:ident: $Constant:ty = $number:expr;)*
        $(
            $(#[$meta:meta])*
            fn $name:ident $(<$T:ident: $Bound:path>)? ($($arguments:tt)*) -> $Output:ty = $value:expr;
        )*
    ) => {
        $(type $Type = $Value;)*
        $(const $constant: $Constant = $number;)*
        $(
            $(#[$meta])*
            #[inline(always)]
            fn $name $(<$T: $Bound>)? ($($arguments)*) -> $Output {
                $value
            }
        )*
    };
}
