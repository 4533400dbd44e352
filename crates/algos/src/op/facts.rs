//! The types of the columns of the table: syntax, operands, result, examples.

use core::fmt;

/// The syntax of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Syntax {
    /// `-a`
    Prefix,
    /// `a + b`
    Infix,
    /// `gcd(a, b)`
    Function,
}

/// The result of an operation on operands of N bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// An integer of the operands' type.
    Value,
    /// 0 or 1.
    Truth,
    /// A number from 0 to N.
    Count,
    /// An integer of 2N bits, the result of the whole expression.
    Wide,
    /// An integer of N bits. Operands and result are unsigned, in signed types too.
    Unsigned,
}

/// The outcome in a few words.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Value => "an integer of the type",
            Self::Truth => "0 or 1",
            Self::Count => "a number from 0 to N, the bits of the type",
            Self::Wide => "an integer of twice the bits",
            Self::Unsigned => "an integer of the type; all bits are read as unsigned",
        })
    }
}

/// The operands for which an operation has a result worth a test. Random expressions keep most operands
/// within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Domain {
    /// All numbers of the type.
    Any,
    /// All but 0.
    NonZero,
    /// Odd numbers.
    Odd,
    /// 0 and positive numbers.
    NotNegative,
    /// Positive numbers, small and odd ones first.
    Degree,
    /// Multiples of the last operand.
    Multiple,
    /// Unsigned numbers below the last operand.
    Below,
    /// Numbers of bits ([`Amount`](super::Amount)): the last operands of an operation.
    Amount,
    /// Numbers from 0 to 2^32 - 1, written in the expression.
    Exponent,
}

/// A property that some operations have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Flag {
    /// The two operands may be exchanged.
    Commutative,
    /// The work grows with the cube of the width or faster.
    Slow,
    /// The operands are written in reverse order, as `a > b` for `b < a`.
    Swapped,
}

/// An expression without variables and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Example {
    /// The expression.
    pub text: &'static str,
    /// The type of its operands, such as `u64`.
    pub ty: &'static str,
    /// The value in decimal digits, or `!` and the mark of the failure.
    pub value: &'static str,
}

/// `gcd(12, 18) -> 6`, and the type unless it is `u64`.
impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, ty, value } = self;
        write!(f, "{text} -> {value}")?;
        if *ty == "u64" { Ok(()) } else { write!(f, " ({ty})") }
    }
}

/// The first, or the second if it is there.
macro_rules! or {
    ($default:expr) => {
        $default
    };
    ($default:expr, $given:expr) => {
        $given
    };
}

macro_rules! names {
    (($($name:ident $(: $domain:ident)?),*)) => {
        &[$(stringify!($name)),*]
    };
}

macro_rules! domains {
    (($($name:ident $(: $domain:ident)?),*)) => {
        &[$($crate::op::facts::or!(Domain::Any $(, Domain::$domain)?)),*]
    };
}

pub(super) use {domains, names, or};
