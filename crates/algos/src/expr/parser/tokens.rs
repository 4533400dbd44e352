//! The next token, and errors at it.

use core::ops::Range;

use super::{Parser, Token};
use crate::expr::lexer::token;
use crate::expr::{ParseErrorKind, ParseExprError};

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, inputs: Option<&'t [&'t str]>) -> Self {
        let (token, at, before) = (Token::End, 0..0, 0..0);
        let (depth, wide, literals, warnings) = <_>::default();
        let mut parser = Self { text, inputs, token, at, before, depth, wide, literals, warnings };
        parser.advance();
        parser
    }

    pub(super) fn advance(&mut self) {
        self.before = self.at.clone();
        let rest = &self.text[self.at.end..];
        let start = self.text.len() - rest.trim_start().len();
        let (token, len) = token(&self.text[start..]);
        self.token = token;
        self.at = start..start + len;
    }

    /// Steps over the sign if it is next.
    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let found = matches!(self.token, Token::Sign(next) if next == sign);
        if found {
            self.advance();
        }
        found
    }

    /// Where a byte is, in characters from 1.
    pub(super) fn column(&self, byte: usize) -> usize {
        self.text[..byte].chars().count() + 1
    }

    /// The next token is not what was expected.
    pub(super) fn expected(&self, expected: &str) -> ParseExprError {
        self.error_at(self.at.clone(), ParseErrorKind::Syntax, expected, self.token.to_string())
    }

    pub(super) fn error_at(
        &self,
        span: Range<usize>,
        kind: ParseErrorKind,
        expected: &str,
        found: String,
    ) -> ParseExprError {
        let (column, expected) = (self.column(span.start), expected.to_owned());
        ParseExprError { kind, column, span, expected, found, help: None }
    }

    /// Something else stands behind a whole expression.
    pub(super) fn unexpected_operator(&self) -> ParseExprError {
        let help = match self.token {
            Token::Stray('=') => Some("`==` compares"),
            Token::Stray('?') => Some("`select(condition, then, otherwise)` chooses"),
            Token::Sign(")") => Some("no `(` is open"),
            Token::Name("mod" | "rem") => Some("`a % b` has the sign of a, `rem_euclid(a, b)` is 0 or more"),
            Token::Name("div") => {
                Some("`a / b` rounds towards 0, `div_euclid(a, b)` to a remainder of 0 or more")
            }
            Token::Name("and" | "or" | "xor") => {
                Some("`&`, `|` and `^` act bit by bit; comparisons are 1 or 0")
            }
            _ => None,
        };
        ParseExprError { help: help.map(str::to_owned), ..self.expected("an operator or the end") }
    }
}
