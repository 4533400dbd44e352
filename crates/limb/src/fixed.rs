//! The common part of [`Uint`](crate::Uint) and [`Int`](crate::Int), implemented for both by macros. Their
//! own modules have the functions in which the sign matters: overflow, quotients and full products.

/// Methods of one expression each, for one type (`Uint: ..`) or for both (`Uint Int: ..`).
macro_rules! methods {
    ($Type:ident: $($(#[$meta:meta])* fn $name:ident $arguments:tt -> $Output:ty = $value:expr;)*) => {
        impl<B: $crate::base::Base, N: generic_array::ArrayLength> $crate::$Type<B, N> {$(
            $(#[$meta])*
            #[inline]
            #[must_use]
            pub fn $name $arguments -> $Output {
                $value
            }
        )*}
    };
    ($First:ident $Second:ident: $($methods:tt)*) => {
        methods! { $First: $($methods)* }
        methods! { $Second: $($methods)* }
    };
}

/// Each `impl Trait { .. }`, or `impl { .. }` without a trait, for both types. `impl [T,]` adds parameters.
macro_rules! both {
    ($($(#[$meta:meta])* impl $([$($P:tt)*])? $($Trait:path)? { $($items:tt)* })*) => {$(
        both!(@one Uint: $(#[$meta])* [$($($P)*)?] [$($Trait)?] $($items)*);
        both!(@one Int: $(#[$meta])* [$($($P)*)?] [$($Trait)?] $($items)*);
    )*};
    (@one $Type:ident: $(#[$meta:meta])* [] [] $($items:tt)*) => {
        $(#[$meta])*
        impl<B: $crate::base::Base, N: generic_array::ArrayLength> $crate::$Type<B, N> { $($items)* }
    };
    (@one $Type:ident: $(#[$meta:meta])* [$($P:tt)*] [$Trait:path] $($items:tt)*) => {
        $(#[$meta])*
        impl<$($P)* B: $crate::base::Base, N: generic_array::ArrayLength> $Trait for $crate::$Type<B, N> {
            $($items)*
        }
    };
}

/// Traits whose functions are one expression each, for one type or for both.
macro_rules! impls {
    ($Type:ident: $($(#[$meta:meta])* $([$($P:tt)*])? $Trait:path { $($items:tt)* })*) => {$(
        impls!(@one $Type: [$(#[$meta])*] [$($($P)*)?] $Trait { $($items)* });
    )*};
    ($First:ident $Second:ident: $($traits:tt)*) => {
        impls! { $First: $($traits)* }
        impls! { $Second: $($traits)* }
    };
    (@one $Type:ident: [$(#[$meta:meta])*] [$($P:tt)*] $Trait:path {
        $(type $Associated:ident = $Value:ty;)*
        $(const $constant:ident: $Constant:ty = $number:expr;)*
        $($(#[$doc:meta])* fn $name:ident $arguments:tt -> $Output:ty = $value:expr;)*
    }) => {
        $(#[$meta])*
        impl<$($P)* B: $crate::base::Base, N: generic_array::ArrayLength> $Trait for $crate::$Type<B, N> {
            $(type $Associated = $Value;)*
            $(const $constant: $Constant = $number;)*
            $(
                $(#[$doc])*
                #[inline]
                fn $name $arguments -> $Output {
                    $value
                }
            )*
        }
    };
}

/// The operator `lhs op rhs`.
macro_rules! operator {
    ($(#[$doc:meta])* [$($P:ident: $Bound:ident)?] $Type:ident: $Op:ident $op:ident,
     <$Rhs:ty> for $Lhs:ty, |$a:ident, $b:ident| $value:expr) => {
        impl<B: Base, N: ArrayLength $(, $P: $Bound)?> $Op<$Rhs> for $Lhs {
            type Output = $Type<B, N>;

            $(#[$doc])*
            #[inline]
            #[track_caller]
            fn $op(self, rhs: $Rhs) -> $Type<B, N> {
                let ($a, $b) = (self, rhs);
                $value
            }
        }
    };
}

/// The assignment `lhs op= rhs`, by the operator of the reference.
macro_rules! assignment {
    ([$($P:ident: $Bound:ident)?] $Type:ident: $Assign:ident $assign:ident, <$Rhs:ty>, $op:ident) => {
        impl<B: Base, N: ArrayLength $(, $P: $Bound)?> $Assign<$Rhs> for $Type<B, N> {
            #[inline]
            #[track_caller]
            fn $assign(&mut self, rhs: $Rhs) {
                *self = (&*self).$op(rhs);
            }
        }
    };
}

/// The operator `op number`, by reference and by value.
macro_rules! unary {
    ($Type:ident: $Op:ident $op:ident, |$a:ident| $value:expr) => {
        impl<B: Base, N: ArrayLength> $Op for &$Type<B, N> {
            type Output = $Type<B, N>;

            #[inline]
            fn $op(self) -> $Type<B, N> {
                let $a = self;
                $value
            }
        }

        impl<B: Base, N: ArrayLength> $Op for $Type<B, N> {
            type Output = Self;

            #[inline]
            fn $op(self) -> Self {
                (&self).$op()
            }
        }
    };
}

mod arithmetic;
mod bits;
mod constant;
mod convert;
mod integer;
mod literal;
mod num;
mod operators;
mod primitive;
mod text;
mod value;

pub(crate) use arithmetic::with_scratch;
pub use integer::FixedInt;
pub use primitive::Primitive;

/// The result of a division, for operators and methods that panic.
///
/// # Panics
/// If the divisor was zero, as `std` operators do.
#[track_caller]
pub(crate) fn divided<T>(result: Result<T, crate::error::DivisionByZero>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}
