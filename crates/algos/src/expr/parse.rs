//! From a text to an expression.

use super::parser::{Parsed, ParsedAll, Parser, has_assignments};
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

    /// The names and values of several assignments, which `;` or ends of lines separate. A name that was
    /// assigned stands for its value in all assignments behind it, so that the values share it; other names
    /// are operands. A line goes on where a parenthesis is open.
    ///
    /// ```
    /// use limbforge_algos::expr::{Dag, Expr};
    /// let named = Expr::parse_all("s = a + b; d = s * s; q = s / b")?;
    /// let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
    /// assert_eq!(names, ["s", "d", "q"]);
    /// let results = [named[1].1.clone(), named[2].1.clone()];
    /// let text = "%0 = input a; %1 = input b; %2 = add %0, %1; %3 = sqr %2; %4 = div %2, %1; roots %3, %4";
    /// assert_eq!(Dag::of_all(&results).to_string(), text);
    /// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
    /// ```
    ///
    /// # Errors
    /// [`ParseExprError`] with the place in the whole text, as of [`parse`](Expr::parse), and for a name that
    /// is assigned twice, used before its assignment, or that of a function.
    pub fn parse_all(text: &str) -> Result<Vec<(String, Self)>, ParseExprError> {
        let parsed = Self::parse_all_with_warnings(text, None)?;
        Ok(parsed.assignments.into_iter().map(|one| (one.name, one.expr)).collect())
    }

    /// As [`parse_all`](Expr::parse_all), with warnings as [`parse_with_warnings`](Expr::parse_with_warnings)
    /// has them, and for each name whether a later assignment uses it. With `inputs`, every name must be one
    /// of them or assigned.
    ///
    /// ```
    /// use limbforge_algos::expr::Expr;
    /// let parsed = Expr::parse_all_with_warnings("s = a + b\nd = s**2", Some(&["a", "b"]))?;
    /// assert_eq!(parsed.assignments.iter().map(|one| one.is_used).collect::<Vec<_>>(), [true, false]);
    /// let error = Expr::parse_all_with_warnings("s = a + b; d = t * t", Some(&["a", "b"])).unwrap_err();
    /// assert_eq!(error.to_string(), "column 16: unknown variable `t`: the inputs are a, b");
    /// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
    /// ```
    ///
    /// # Errors
    /// As [`parse_all`](Expr::parse_all).
    pub fn parse_all_with_warnings(text: &str, inputs: Option<&[&str]>) -> Result<ParsedAll, ParseExprError> {
        Parser::new(text, inputs).parse_all()
    }

    /// Whether a text has an assignment, so that it is one for [`parse_all`](Expr::parse_all) and not for
    /// [`parse`](Expr::parse).
    ///
    /// ```
    /// use limbforge_algos::expr::Expr;
    /// assert!(Expr::has_assignments("q = a / b") && !Expr::has_assignments("a == b"));
    /// ```
    #[must_use]
    pub fn has_assignments(text: &str) -> bool {
        has_assignments(text)
    }
}
