//! Texts of several assignments.
//!
//! ```text
//! assignments := assignment ((";" | NEWLINE) assignment)*        assignment := NAME "=" comparison
//! ```
//!
//! A line goes on where a parenthesis is open.

use core::ops::Range;

use super::parsed::{Literal, place_of};
use super::{Parser, Token};
use crate::expr::{Expr, ParseErrorKind, ParseExprError, ParseWarning, Report, TypeError};
use crate::lexer::token;
use crate::op::function;

/// A name with its value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Assignment {
    /// The name.
    pub name: String,
    /// The value, in which earlier names are replaced by theirs.
    pub expr: Expr,
    /// Whether a later assignment uses the name.
    pub is_used: bool,
    /// The place of the whole assignment, in bytes of the text.
    pub span: Range<usize>,
}

/// Assignments from a text, with warnings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ParsedAll {
    /// The assignments in their order. Their names differ.
    pub assignments: Vec<Assignment>,
    /// Probable mistakes, in order of the text: the first ten.
    pub warnings: Vec<ParseWarning>,
    literals: Vec<Literal>,
}

impl ParsedAll {
    /// A [`TypeError`] of the value of `assignment` with its place in `text`, which is the text that was
    /// parsed.
    ///
    /// ```
    /// use limbforge_algos::expr::Expr;
    /// let text = "s = a + 300; d = s * s";
    /// let parsed = Expr::parse_all_with_warnings(text, None)?;
    /// let d = &parsed.assignments[1];
    /// let error = d.expr.to_dag().result_type("u8".parse().unwrap()).unwrap_err();
    /// let report = parsed.report(text, d, &error).to_string();
    /// assert!(report.ends_with("\n          ^^^ expected 0 to 2^8 - 1: use at least 9 bits"), "{report}");
    /// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
    /// ```
    #[must_use]
    pub fn report(&self, text: &str, assignment: &Assignment, error: &TypeError) -> Report {
        let span = place_of(&self.literals, error).unwrap_or_else(|| assignment.span.clone());
        Report::new(error.title(), text, span, error.help())
    }
}

impl<'t> Parser<'t> {
    pub(in crate::expr) fn parse_all(mut self) -> Result<ParsedAll, ParseExprError> {
        let text = self.text;
        let spans = statements(text);
        self.names = spans.iter().filter_map(|span| Some((head(&text[span.clone()])?, None))).collect();
        if spans.is_empty() {
            return Err(self.expected("an assignment, as in q = a / b"));
        }
        for span in spans {
            self.text = &text[..span.end];
            (self.at, self.before) = (span.start..span.start, span.start..span.start);
            self.wide.clear();
            self.advance();
            let (name, expr) = self.assignment()?;
            self.names.insert(name, Some(self.assigned.len()));
            self.assigned.push(Assignment { name: name.to_owned(), expr, is_used: false, span });
        }
        let Self { assigned: assignments, warnings, literals, .. } = self;
        Ok(ParsedAll { assignments, warnings, literals })
    }

    fn assignment(&mut self) -> Result<(&'t str, Expr), ParseExprError> {
        let Token::Name(name) = self.token else {
            return Err(self.expected("an assignment, as in q = a / b"));
        };
        let refused = if function(name).is_some() {
            Some(("a name that is not a function", format!("`{name}` is a function")))
        } else if let Some(Some(_)) = self.names.get(name) {
            Some(("a new name", format!("`{name}` is assigned twice")))
        } else {
            None
        };
        let (span, found) = (self.at.clone(), self.token.to_string());
        self.advance();
        if self.token != Token::Stray('=') {
            return Err(self.expected("`=`").with_help("each assignment is NAME = EXPR, as in q = a / b"));
        }
        if let Some((expected, help)) = refused {
            return Err(self.error_at(span, ParseErrorKind::Syntax, expected, found).with_help(help));
        }
        self.advance();
        Ok((name, self.whole()?))
    }
}

/// Whether a text has an assignment, so that it is not one expression.
pub(in crate::expr) fn has_assignments(text: &str) -> bool {
    statements(text).into_iter().any(|span| head(&text[span]).is_some())
}

/// The places of the statements that are not blank, without the blanks around them.
fn statements(text: &str) -> Vec<Range<usize>> {
    let (mut ends, mut depth) = (vec![], 0_usize);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b';' => {
                depth = 0;
                ends.push(at);
            }
            b'\n' if depth == 0 => ends.push(at),
            _ => {}
        }
    }
    ends.push(text.len());
    let mut next = 0;
    let spans = ends.into_iter().map(|end| core::mem::replace(&mut next, end + 1)..end);
    let trimmed = spans.map(|span| {
        let part = &text[span.clone()];
        let start = span.start + part.len() - part.trim_start().len();
        start..start + part.trim().len()
    });
    trimmed.filter(|span| !span.is_empty()).collect()
}

/// The name to which a statement assigns.
fn head(statement: &str) -> Option<&str> {
    let (Token::Name(name), length) = token(statement, core::iter::empty()) else { return None };
    let value = statement[length..].trim_start().strip_prefix('=')?;
    (!value.starts_with('=')).then_some(name)
}
