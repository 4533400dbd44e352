//! An expression with what its text says beside it.

use core::ops::Range;

use num_bigint::BigUint;

use crate::expr::{Expr, ParseWarning, Report, TypeError};

/// An expression from a text, with warnings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parsed {
    /// The expression.
    pub expr: Expr,
    /// What may not be meant, in order of the text: the first ten.
    pub warnings: Vec<ParseWarning>,
    pub(super) literals: Literals,
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
    /// assert_eq!(
    ///     report,
    ///     "the literal 300 does not fit u8: it needs 9 bits\n  (a << 300) + 300\n               ^^^ \
    ///      expected 0 to 2^8 - 1: use at least 9 bits"
    /// );
    /// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
    /// ```
    #[must_use]
    pub fn report(&self, text: &str, error: &TypeError) -> Report {
        let place = match error {
            TypeError::Literal { value, .. } => self.literals.find(value),
            TypeError::WideOperand { .. } | TypeError::WideResult { .. } => None,
        };
        let start = text.len() - text.trim_start().len();
        let span = place.unwrap_or(start..text.trim_end().len().max(start));
        Report::new(error.title(), text, span, error.help())
    }
}

/// The numbers of a text that must fit the type, with their places.
#[derive(Clone, Debug, Default)]
pub(super) struct Literals(Vec<Literal>);

#[derive(Clone, Debug)]
struct Literal {
    value: BigUint,
    span: Range<usize>,
    negated: bool,
}

impl Literals {
    pub(super) fn push(&mut self, value: BigUint, span: Range<usize>) {
        self.0.push(Literal { value, span, negated: false });
    }

    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Forgets the numbers from the place `len` on.
    pub(super) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// The number at the place `from`, if there are no others behind it, is negated.
    pub(super) fn negated(&mut self, from: usize) {
        if let [literal] = &mut self.0[from..] {
            literal.negated = true;
        }
    }

    /// Where the number stands: for one that fits only where it is negated, where it is not.
    fn find(&self, value: &BigUint) -> Option<Range<usize>> {
        let all = || self.0.iter().filter(|literal| literal.value == *value);
        let literal = all().find(|literal| !literal.negated).or_else(|| all().next())?;
        Some(literal.span.clone())
    }
}
