//! The table of operators and functions: the parser, the help of the program, the pages and the tests read
//! it.

mod arithmetic;
mod bits;
mod division;
mod modular;
mod roots;

use core::fmt;

use super::Op;
use crate::cpu::Why;

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
    /// How it is written.
    pub syntax: Syntax,
    /// What it computes, with all amounts as operands; `None` for `**`, which is squares and products.
    pub op: Option<Op>,
    /// The names of its operands.
    pub operands: &'static [&'static str],
    /// What its result is.
    pub result: Outcome,
    /// The operations that it stands among.
    pub group: &'static str,
    /// One line on its value.
    pub summary: &'static str,
    /// Why an instance may have no result, and for which operands; the first that holds is reported.
    pub failures: &'static [(Why, &'static str)],
    /// Expressions with their values; those of operands at the edges come last.
    pub examples: &'static [Example],
    /// The page of `docs/` with its algorithm.
    pub page: &'static str,
}

/// How an operation is written.
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

/// What the result of an operation is, for operands of N bits.
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
    /// An integer of N bits. The bits of operands and result are read as unsigned numbers, in signed types
    /// too.
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

/// An expression without variables and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Example {
    /// The expression.
    pub text: &'static str,
    /// The type that it is evaluated in, as in `u64`.
    pub ty: &'static str,
    /// The value in decimal digits, or `!` and the mark of why there is none.
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

impl Operation {
    /// How it is written, with the names of its operands.
    #[must_use]
    pub fn signature(&self) -> String {
        match (self.syntax, self.operands) {
            (Syntax::Prefix, [a]) => format!("{}{a}", self.name),
            (Syntax::Infix, [a, b]) => format!("{a} {} {b}", self.name),
            (_, operands) => format!("{}({})", self.name, operands.join(", ")),
        }
    }

    /// Whether it is a function, and its name taken.
    #[must_use]
    pub const fn is_function(&self) -> bool {
        matches!(self.syntax, Syntax::Function)
    }
}

/// All operators and functions, those of a group together.
///
/// ```
/// use limbforge_algos::expr::operations;
/// assert!(operations().any(|row| row.signature() == "a << n"));
/// assert!(operations().filter(|row| row.is_function()).count() >= 46);
/// ```
pub fn operations() -> impl Iterator<Item = &'static Operation> {
    [arithmetic::ROWS, bits::ROWS, division::ROWS, modular::ROWS, roots::ROWS].into_iter().flatten()
}

/// The operator or function of this name, the one with two operands if there are two.
#[must_use]
pub fn operation(name: &str) -> Option<&'static Operation> {
    let named = || operations().filter(|row| row.name == name);
    named().find(|row| row.syntax == Syntax::Infix).or_else(|| named().next())
}

pub(super) fn functions() -> impl Iterator<Item = &'static Operation> {
    operations().filter(|row| row.is_function())
}

pub(super) fn function(name: &str) -> Option<&'static Operation> {
    functions().find(|row| row.name == name)
}

/// Binary operators by precedence, loosest first; an operator associates to the left.
pub(super) static LEVELS: [&[(&str, Op)]; 5] = [
    &[("|", Op::Or)],
    &[("^", Op::Xor)],
    &[("&", Op::And)],
    &[("+", Op::Add), ("-", Op::Sub)],
    &[("*", Op::Mul), ("/", Op::Div), ("%", Op::Rem)],
];

/// The level above which shifts stand, which take no sum or product on their right without parentheses.
pub(super) const SHIFT_LEVEL: usize = 3;

/// Rows of a group: name, syntax, operation, operands, result, page, summary; then failures and examples.
macro_rules! rows {
    ($($group:literal {$(
        $name:literal $syntax:ident $op:expr, [$($operand:literal),*] -> $result:ident, $page:literal, $summary:literal,
        $(fails [$($why:ident $when:literal),*],)?
        examples [$($text:literal $ty:literal $value:literal),* $(,)?];
    )*})*) => {
        pub(super) static ROWS: &[crate::expr::Operation] = &[$($(
            crate::expr::Operation {
                name: $name,
                syntax: crate::expr::Syntax::$syntax,
                op: $op,
                operands: &[$($operand),*],
                result: crate::expr::Outcome::$result,
                group: $group,
                summary: $summary,
                failures: &[$($((crate::cpu::Why::$why, $when)),*)?],
                examples: &[$(crate::expr::Example { text: $text, ty: $ty, value: $value }),*],
                page: $page,
            },
        )*)*];
    };
}
use rows;
