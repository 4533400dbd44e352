//! Methods and operators of [`Expr`], one for each row of the table of operations.

use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};

use super::Expr;
use crate::op::{rows, table};

macro_rules! builders {
    ($($group:literal {$($class:ident $class_doc:literal {$(
        $word:ident
        $(= $(#[$more:meta])* $variant:ident $(($($tuple:tt)*))? $({$($fields:tt)*})?
            $(! $why:ident $when:literal)*)?
        $(for $same:ident)?
        $(as $builder:tt)?: $syntax:ident $operands:tt $([$precedence:literal $sign:literal])?
        -> $result:ident $(+ $flag:ident)*, $page:literal, $summary:literal
        {$text:literal $($ty:ident)? => $value:literal $(, $($edges:tt)*)?}
    )*})*})*) => {$($($(
        builder! {
            $word [$($builder)?] $operands [$($sign)?]
            concat!($summary, ": `", $text, "` is ", $value, $(" in `", stringify!($ty), "`",)? ".")
        }
    )*)*)*};
}

/// The builder of a row by its form in the table.
macro_rules! builder {
    ($word:ident [[]] $operands:tt [$($sign:literal)?] $doc:expr) => {};
    ($word:ident [] $operands:tt [] $doc:expr) => {
        builder! { $word [[$word]] $operands [] $doc }
    };
    ($word:ident [[$method:ident]] ($first:ident $(: $domain:ident)? $(, $arg:ident $(: $domains:ident)?)*) [] $doc:expr) => {
        method! {
            $word $method $first [$($arg)*] $doc,
            concat!(stringify!($word), "(", stringify!($first) $(, ", ", stringify!($arg))*, ")")
        }
    };
    ($word:ident [[$method:ident]] ($a:ident, $b:ident) [$sign:literal] $doc:expr) => {
        method! { $word $method $a [$b] $doc, concat!(stringify!($a), " ", $sign, " ", stringify!($b)) }
    };
    ($word:ident [[$trait:ident::$method:ident]] $operands:tt [$sign:literal] $doc:expr) => {
        operator! { $word $trait $method [Expr, &Expr] }
    };
    ($word:ident [[$trait:ident::$method:ident $number:ident]] $operands:tt [$sign:literal] $doc:expr) => {
        operator! { $word $trait $method Expr [Expr: Expr::from, &Expr: Expr::clone, $number: Expr::literal] }
        operator! { $word $trait $method &Expr [Expr: Expr::from, &Expr: Expr::clone, $number: Expr::literal] }
    };
}

macro_rules! method {
    ($word:ident $method:ident $first:ident [$($arg:ident)*] $doc:expr, $text:expr) => {
        impl Expr {
            #[doc = concat!("`", $text, "`, where `", stringify!($first), "` is `self`: ", $doc)]
            ///
            /// ```
            /// use limbforge_algos::expr::Expr;
            #[doc = concat!(
                "let [", stringify!($first $(, $arg)*), "] = [\"", stringify!($first), "\"",
                $(", \"", stringify!($arg), "\"",)* "].map(Expr::input);"
            )]
            #[doc = concat!(
                "let built = ", stringify!($first), ".", stringify!($method), "(", stringify!($(&$arg),*), ");"
            )]
            #[doc = concat!("assert_eq!(built.to_dag(), Expr::parse(\"", $text, "\")?.to_dag());")]
            /// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
            /// ```
            #[must_use]
            pub fn $method(&self $(, $arg: &Self)*) -> Self {
                Self::of_row(&rows::$word, vec![self.clone() $(, $arg.clone())*])
            }
        }
    };
}

macro_rules! operator {
    ($word:ident $trait:ident $method:ident [$($own:ty),*]) => {$(
        impl $trait for $own {
            type Output = Expr;
            fn $method(self) -> Expr {
                Expr::of_row(&rows::$word, vec![self.to_owned()])
            }
        }
    )*};
    ($word:ident $trait:ident $method:ident $own:ty [$($other:ty: $expr:expr),*]) => {$(
        impl $trait<$other> for $own {
            type Output = Expr;
            fn $method(self, other: $other) -> Expr {
                Expr::of_row(&rows::$word, vec![self.to_owned(), $expr(other)])
            }
        }
    )*};
}

table!(builders);
