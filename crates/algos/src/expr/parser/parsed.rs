//! Functions that parse, and a parsed expression with its warnings and the places of its numbers.

use core::ops::Range;

use num_bigint::BigUint;

use super::Parser;
use crate::expr::{Expr, ParseExprError, ParseWarning, Report, TypeError};

impl Expr {
    /// The expression that `text` writes, as in `(a*a + b) * (b + 1) - (a << 3)`.
    ///
    /// From loosest to tightest: comparisons `== != < <= > >=` (which do not chain), `|`, `^`, `&`, `<< >>`
    /// by a number or a value, `+ -`, `* / %`, unary `- ~`, `**` with a number on its right.
    /// [`operations`](crate::expr::operations()) lists all operators and functions. The wide products
    /// `mul_wide` and `sqr_wide` must be the whole expression. Numbers are decimal, or hexadecimal after
    /// `0x`, of at most 2^24 bits. They must fit the type of the evaluation ([`TypeError`]), except amounts
    /// such as numbers of bits to shift by.
    ///
    /// ```
    /// use limbforge_algos::expr::Expr;
    /// let poly = Expr::parse("(a**2 + b) * (b + 1)")?;
    /// assert_eq!(poly.to_dag().inputs().collect::<Vec<_>>(), ["a", "b"]);
    /// assert!(Expr::parse("a +").is_err());
    /// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
    /// ```
    ///
    /// # Errors
    /// [`ParseExprError`] with the place and the expected and found tokens.
    pub fn parse(text: &str) -> Result<Self, ParseExprError> {
        Ok(Self::parse_with_warnings(text, None)?.expr)
    }

    /// As [`parse`](Expr::parse), where every name must be one of `inputs`.
    ///
    /// ```
    /// use limbforge_algos::expr::Expr;
    /// let error = Expr::parse_with_inputs("number + 1", &["numbers"]).unwrap_err();
    /// assert_eq!(error.to_string(), "column 1: unknown variable `number`: did you mean `numbers`?");
    /// ```
    ///
    /// # Errors
    /// As [`parse`](Expr::parse).
    pub fn parse_with_inputs(text: &str, inputs: &[&str]) -> Result<Self, ParseExprError> {
        Ok(Self::parse_with_warnings(text, Some(inputs))?.expr)
    }

    /// As [`parse`](Expr::parse), or [`parse_with_inputs`](Expr::parse_with_inputs), with a warning for each
    /// `^` that is probably meant as a power ([`ParseWarning`]).
    ///
    /// ```
    /// use limbforge_algos::expr::Expr;
    /// let text = "2^61 - 1";
    /// let parsed = Expr::parse_with_warnings(text, None)?;
    /// assert_eq!(parsed.expr.to_dag(), Expr::parse("2 ^ (61 - 1)")?.to_dag());
    /// let report = parsed.warnings[0].report(text).to_string();
    /// assert!(report.starts_with("^ is exclusive or; write ** for powers\n  2^61 - 1\n   ^ "));
    /// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
    /// ```
    ///
    /// # Errors
    /// As [`parse`](Expr::parse).
    pub fn parse_with_warnings(text: &str, inputs: Option<&[&str]>) -> Result<Parsed, ParseExprError> {
        Parser::new(text, inputs).parse()
    }
}

/// An expression from a text, with warnings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parsed {
    /// The expression.
    pub expr: Expr,
    /// Probable mistakes, in order of the text: the first ten.
    pub warnings: Vec<ParseWarning>,
    pub(super) literals: Vec<Literal>,
}

impl Parsed {
    /// A [`TypeError`] of the expression with its place in `text`, which is the text that was parsed.
    ///
    /// ```
    /// use limbforge_algos::expr::Expr;
    /// let text = "(a << 300) + 300";
    /// let parsed = Expr::parse_with_warnings(text, None)?;
    /// let error = parsed.expr.to_dag().result_type("u8".parse().unwrap()).unwrap_err();
    /// let report = parsed.report(text, &error).to_string();
    /// assert!(report.starts_with("the literal 300 does not fit u8: it needs 9 bits\n  (a << 300) + 300\n"));
    /// assert!(report.ends_with("\n               ^^^ expected 0 to 2^8 - 1: use at least 9 bits"));
    /// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
    /// ```
    #[must_use]
    pub fn report(&self, text: &str, error: &TypeError) -> Report {
        let literal = match error {
            TypeError::Literal { value, .. } => {
                let all = || self.literals.iter().filter(|literal| literal.value == *value);
                // A number that fits where it is negated fails where it is not.
                all().find(|literal| !literal.negated).or_else(|| all().next())
            }
            TypeError::WideOperand { .. } | TypeError::WideResult { .. } => None,
        };
        let start = text.len() - text.trim_start().len();
        let whole = start..text.trim_end().len().max(start);
        let span = literal.map_or(whole, |literal| literal.span.clone());
        Report::new(error.title(), text, span, error.help())
    }
}

/// A number of a text that must fit the type.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    pub(super) value: BigUint,
    pub(super) span: Range<usize>,
    pub(super) negated: bool,
}
