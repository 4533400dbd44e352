//! From a text to an expression.

use super::parser::{Parsed, Parser};
use super::{Expr, ParseExprError};

impl Expr {
    /// The expression that `text` writes, as in `(a*a + b) * (b + 1) - (a << 3)`.
    ///
    /// From loosest to tightest: comparisons `== != < <= > >=` (which do not chain), `|`, `^`, `&`, `<< >>`
    /// by a number or a value, `+ -`, `* / %`, unary `- ~`, `**` with a number on its right.
    /// [`operations`](crate::expr::operations()) lists all operators and functions. The wide products
    /// `mul_wide` and `sqr_wide` must be the whole expression. Numbers are decimal, or hexadecimal after
    /// `0x`, of at most 2^24 bits. They must fit the type of the evaluation ([`TypeError`](super::TypeError)), except amounts
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
    /// `^` that is probably meant as a power ([`ParseWarning`](super::ParseWarning)).
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
