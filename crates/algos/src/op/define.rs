//! The types that the table defines: operations, their classes, and the rows.

use std::sync::Arc;

use num_bigint::BigUint;

use super::facts::{domains, names, or};
use super::{Amount, Domain, Example, Flag, Outcome, Syntax, Why, table::table};

/// An operator or a function of the language: a row of the table.
///
/// ```
/// use limbforge_algos::expr::operation;
/// let row = operation("div_exact").unwrap();
/// assert_eq!(row.signature(), "div_exact(a, b)");
/// assert_eq!(row.failures.iter().map(|(why, _)| why.mark()).collect::<Vec<_>>(), ["DIV0", "INEXACT"]);
/// assert_eq!(row.examples[0].to_string(), "div_exact(45, 5) -> 9");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Operation {
    /// The name of a function or the sign of an operator.
    pub name: &'static str,
    /// The name within a graph, as in `add` for `+`.
    pub word: &'static str,
    /// Its syntax.
    pub syntax: Syntax,
    /// The precedence of an operator, from 0 for comparisons.
    pub precedence: u8,
    /// The operation, with all amounts as operands; `None` for `**`, which is squares and products.
    pub op: Option<Op>,
    /// The names of its operands.
    pub operands: &'static [&'static str],
    /// The domains of its operands.
    pub domains: &'static [Domain],
    /// The kind of its result.
    pub result: Outcome,
    /// Its properties.
    pub flags: &'static [Flag],
    /// Its heading.
    pub group: &'static str,
    /// Its value in one line.
    pub summary: &'static str,
    /// The failures of an instance, each with its operands; the first that holds is reported.
    pub failures: &'static [(Why, &'static str)],
    /// Expressions with their values; edge cases come last.
    pub examples: &'static [Example],
    /// The page of `docs/` with its algorithm.
    pub page: &'static str,
}

macro_rules! define {
    ($($group:literal {$($class:ident $class_doc:literal {$(
        $word:ident
        $(= $(#[$more:meta])* $variant:ident
            $(($tuple:ident: $tuple_ty:ident))? $({$($field:ident: $field_ty:ident),*})?
            $(! $why:ident $when:literal)*)?
        $(for $same:ident)?
        $(as $builder:tt)?: $syntax:ident $operands:tt $([$precedence:literal $sign:literal])?
        -> $result:ident $(+ $flag:ident)*, $page:literal, $summary:literal
        {$($text:literal $($ty:ident)? => $value:literal),*}
    )*})*})*) => {
        /// The operation of a node of an expression. All values are integers of one
        /// [`IntType`](limbforge_limb::IntType) of N bits, and every result is exact modulo `2^N`; but a wide
        /// product, which may only be the result of the whole expression, has 2N bits.
        ///
        /// The first failure that holds is reported. [`operations`](super::operations) has examples of edge
        /// cases such as `jacobi(1, 0)`.
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Op {
            /// The named operand.
            Input(Arc<str>),
            /// A constant, which must fit the type ([`TypeError::Literal`](crate::expr::TypeError::Literal)).
            /// `2^(N-1)` fits a signed type only where it is negated.
            Literal(BigUint),
            /// `a * 2^n`. Distances from 2^32 on are 2^32 - 1, which shifts all bits out too.
            Shl(u32),
            /// `floor(a / 2^n)`; of a signed number too.
            Shr(u32),
            $($($($(
                #[doc = concat!("`", stringify!($word), stringify!($operands), "`: ", $summary, ".")]
                $(#[doc = concat!("An instance fails where ", $when, ".")])*
                $(#[$more])*
                $variant $((#[allow(missing_docs)] $tuple_ty))? $({$(
                    #[doc = concat!("The operand `", stringify!($field), "`.")]
                    $field: $field_ty
                ),*})?,
            )?)*)*)*
        }

        /// The class of an operation, and which operation of the class it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Class {
            /// A variable or a constant.
            Leaf,
            /// A shift by a constant number of bits.
            FixedShift(class::FixedShift),
            $($(#[doc = $class_doc] $class(class::$class),)*)*
        }

        /// The operations of each class, for matches that name each of them and no others.
        pub mod class {
            /// Shifts by a constant number of bits.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub enum FixedShift {
                /// [`Op::Shl`](super::Op::Shl)
                Shl(u32),
                /// [`Op::Shr`](super::Op::Shr)
                Shr(u32),
            }
            $($(
                #[doc = $class_doc]
                #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
                pub enum $class {$($(
                    #[doc = concat!("[`Op::", stringify!($variant), "`](super::Op::", stringify!($variant), ")")]
                    $variant,
                )?)*}
            )*)*
        }

        /// The rows by their words.
        pub(crate) mod rows {
            use super::*;
            $($($(
                #[allow(non_upper_case_globals)]
                pub(crate) static $word: Operation = Operation {
                    name: or!(stringify!($word) $(, $sign)?),
                    word: stringify!($word),
                    syntax: Syntax::$syntax,
                    precedence: or!(u8::MAX $(, $precedence)?),
                    op: or!(None
                        $(, Some(Op::$variant $(($tuple_ty::Operand))? $({$($field: $field_ty::Operand),*})?))?
                        $(, Some(Op::$same))?),
                    operands: names!($operands),
                    domains: domains!($operands),
                    result: Outcome::$result,
                    flags: &[$(Flag::$flag),*],
                    group: $group,
                    summary: $summary,
                    failures: &[$($((Why::$why, $when)),*)?],
                    examples: &[$(Example { text: $text, ty: or!("u64" $(, stringify!($ty))?), value: $value }),*],
                    page: $page,
                };
            )*)*)*
        }

        /// All rows in the order of the table.
        pub(super) static ROWS: &[&Operation] = &[$($($(&rows::$word),*),*),*];

        impl Op {
            /// Its class.
            #[must_use]
            pub const fn class(&self) -> Class {
                match self {
                    Self::Input(_) | Self::Literal(_) => Class::Leaf,
                    Self::Shl(bits) => Class::FixedShift(class::FixedShift::Shl(*bits)),
                    Self::Shr(bits) => Class::FixedShift(class::FixedShift::Shr(*bits)),
                    $($($($(Self::$variant { .. } => Class::$class(class::$class::$variant),)?)*)*)*
                }
            }

            /// Its row of the table; variables and constants have none.
            #[must_use]
            pub const fn row(&self) -> Option<&'static Operation> {
                match self {
                    Self::Input(_) | Self::Literal(_) => None,
                    Self::Shl(_) => Some(&rows::shl),
                    Self::Shr(_) => Some(&rows::shr),
                    $($($($(Self::$variant { .. } => Some(or!(&rows::$word, &rows::$word)),)?)*)*)*
                }
            }

            /// The amounts that it holds, in the order of its last operands.
            #[must_use]
            pub fn amounts(&self) -> Vec<&Amount> {
                match self {
                    Self::Input(_) | Self::Literal(_) | Self::Shl(_) | Self::Shr(_) => vec![],
                    $($($($(
                        Self::$variant $(($tuple))? $({$($field),*})? => vec![$($tuple)? $($($field),*)?],
                    )?)*)*)*
                }
            }

            /// As [`amounts`](Self::amounts), to change.
            pub(crate) fn amounts_mut(&mut self) -> Vec<&mut Amount> {
                match self {
                    Self::Input(_) | Self::Literal(_) | Self::Shl(_) | Self::Shr(_) => vec![],
                    $($($($(
                        Self::$variant $(($tuple))? $({$($field),*})? => vec![$($tuple)? $($($field),*)?],
                    )?)*)*)*
                }
            }
        }
    };
}
table!(define);
