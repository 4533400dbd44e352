//! A parsed expression with its warnings and the places of its numbers.

use core::ops::Range;

use num_bigint::BigUint;

use crate::expr::{Expr, ParseWarning, Report, TypeError};

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
        let start = text.len() - text.trim_start().len();
        let whole = start..text.trim_end().len().max(start);
        let span = place_of(&self.literals, error).unwrap_or(whole);
        Report::new(error.title(), text, span, error.help())
    }
}

/// The place of the number that an error is about.
pub(super) fn place_of(literals: &[Literal], error: &TypeError) -> Option<Range<usize>> {
    let TypeError::Literal { value, .. } = error else { return None };
    let all = || literals.iter().filter(|literal| literal.value == *value);
    // A number that fits where it is negated fails where it is not.
    let found = all().find(|literal| !literal.negated).or_else(|| all().next());
    found.map(|literal| literal.span.clone())
}

/// A number of a text that must fit the type.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    pub(super) value: BigUint,
    pub(super) span: Range<usize>,
    pub(super) negated: bool,
}
