//! Methods and operators of [`Value`], one for each row of the table of operations, and those of programs.

use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};

use super::operand::Operand;
use super::value::Value;
use crate::op::table;

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
        builder! { $word [$($builder)?] $operands [$($sign)?] $summary }
    )*)*)*};
}

/// The builder of a row by its form in the table.
macro_rules! builder {
    ($word:ident [[]] $operands:tt [$($sign:literal)?] $summary:literal) => {};
    ($word:ident [] $operands:tt [] $summary:literal) => {
        builder! { $word [[$word]] $operands [] $summary }
    };
    ($word:ident [[$method:ident]] ($first:ident $(: $domain:ident)? $(, $arg:ident $(: $domains:ident)?)*) []
        $summary:literal) => {
        impl Value {
            method! {
                $method $first [$($arg)*] concat!(stringify!($word), "(", stringify!($first) $(, ", ", stringify!($arg))*, ")")
                $summary, own => own.call(
                    stringify!($word),
                    &[$($arg.written(&own.writer)),*],
                )
            }
        }
    };
    ($word:ident [[$method:ident]] ($a:ident, $b:ident) [$sign:literal] $summary:literal) => {
        impl Value {
            method! {
                $method $a [$b] concat!(stringify!($a), " ", $sign, " ", stringify!($b)) $summary, own =>
                own.computed(&format!(concat!("{} ", $sign, " {}"), own.written, $b.written(&own.writer)))
            }
        }
    };
    ($word:ident [[$trait:ident::$method:ident]] $operands:tt [$sign:literal] $summary:literal) => {
        operator! { $trait $method $sign [Value, &Value] }
    };
    ($word:ident [[$trait:ident::$method:ident $number:ident]] $operands:tt [$sign:literal] $summary:literal) => {
        operator! { $trait $method $sign Operand [Value, &Value] }
    };
}

macro_rules! method {
    ($method:ident $first:ident [$($arg:ident)*] concat!($($text:expr),*) $summary:literal, $own:ident => $value:expr) => {
        #[doc = concat!("`", $($text,)* "`, where `", stringify!($first), "` is `self`: ", $summary, ".")]
        ///
        /// ```
        /// use limbforge_algos::program::builder::ProgramBuilder;
        /// let p = ProgramBuilder::new();
        #[doc = concat!(
            "let [", stringify!($first $(, $arg)*), "] = [\"", stringify!($first), "\"",
            $(", \"", stringify!($arg), "\"",)* "].map(|name| p.input(name));"
        )]
        #[doc = concat!(
            "let program = p.finish([(\"x\", ", stringify!($first), ".", stringify!($method), "(",
            stringify!($(&$arg),*), "))])?;"
        )]
        #[doc = concat!("assert!(program.to_string().contains(\"let _1 = ", $($text,)* "\\n\"));")]
        /// # Ok::<(), limbforge_algos::program::ProgramError>(())
        /// ```
        #[must_use]
        pub fn $method(&self $(, $arg: impl Operand)*) -> Value {
            let $own = self;
            $value
        }
    };
}

macro_rules! operator {
    ($trait:ident $method:ident $sign:literal [$($own:ty),*]) => {$(
        impl $trait for $own {
            type Output = Value;
            fn $method(self) -> Value {
                self.computed(&format!(concat!($sign, "{}"), self.written))
            }
        }
    )*};
    ($trait:ident $method:ident $sign:literal Operand [$($own:ty),*]) => {$(
        impl<T: Operand> $trait<T> for $own {
            type Output = Value;
            fn $method(self, other: T) -> Value {
                self.computed(&format!(concat!("{} ", $sign, " {}"), self.written, other.written(&self.writer)))
            }
        }
    )*};
}

table!(builders);

impl Value {
    method! {
        int x [] concat!("int(", "x", ")") "the number of a residue, from 0 to n - 1", own =>
        own.call("int", &[])
    }
    method! {
        key x [] concat!("key(", "x", ")") "the number of x 2^(32 W), for a modulus of W words of 32 bits", own =>
        own.call("key", &[])
    }
    method! {
        bit_length k [] concat!("bit_length(", "k", ")") "the bits of |k| without leading zeros, as a `u32`", own =>
        own.call("bit_length", &[])
    }
    method! {
        bit k [i] concat!("bit(", "k, i", ")") "bit i of k as a `bool`; false beyond the highest one", own =>
        own.call("bit", &[i.written(&own.writer)])
    }
    method! {
        jacobi_symbol x [] concat!("jacobi(", "x", ")") "the Jacobi symbol (x / n) of a residue mod n, an `i64`", own =>
        own.call("jacobi", &[])
    }
}
