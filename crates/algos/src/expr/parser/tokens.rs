//! The next token, and errors at it.

use core::ops::Range;

use super::{Parser, Token};
use crate::expr::{ParseErrorKind, ParseExprError};
use crate::lexer::{product_of, token};
use crate::op::operations;

/// Operators, parentheses and commas.
fn signs() -> impl Iterator<Item = &'static str> {
    operations().filter(|row| !row.is_function()).map(|row| row.name).chain(["(", ")", ","])
}

impl<'t> Parser<'t> {
    pub(in crate::expr) fn new(text: &'t str, inputs: Option<&'t [&'t str]>) -> Self {
        let (token, at, before) = (Token::End, 0..0, 0..0);
        let (depth, wide, literals, warnings, assigned, names) = <_>::default();
        let mut parser =
            Self { text, inputs, token, at, before, depth, wide, literals, warnings, assigned, names };
        parser.advance();
        parser
    }

    pub(super) fn advance(&mut self) {
        self.before = self.at.clone();
        let rest = &self.text[self.at.end..];
        let start = self.text.len() - rest.trim_start().len();
        let (token, len) = token(&self.text[start..], signs());
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

    /// The column of a byte, in characters from 1.
    pub(super) fn column(&self, byte: usize) -> usize {
        self.text[..byte].chars().count() + 1
    }

    /// An error at the next token.
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

    /// The error where an expression is followed by another token.
    pub(super) fn unexpected_operator(&self) -> ParseExprError {
        let error = self.expected("an operator or the end");
        let help = match self.token {
            Token::Stray('=') => "`==` compares",
            Token::Stray('?') => "`select(condition, then, otherwise)` chooses",
            Token::Sign(")") => "no `(` is open",
            Token::Name("mod" | "rem") => "`a % b` has the sign of a, `rem_euclid(a, b)` is 0 or more",
            Token::Name("div") => "`a / b` rounds towards 0, `div_euclid(a, b)` to a remainder of 0 or more",
            Token::Name("and" | "or" | "xor") => "`&`, `|` and `^` act bit by bit; comparisons are 1 or 0",
            _ => return error,
        };
        error.with_help(help)
    }

    /// The error where no operand begins with the next token.
    #[cold]
    pub(super) fn no_operand(&self) -> ParseExprError {
        // A sign twice is an operator of another language.
        let doubled = self.text[self.before.clone()] == self.text[self.at.clone()];
        let error = self.expected(match self.token {
            Token::BadNumber(_) => "a number (decimal, or hexadecimal after 0x)",
            Token::LongNumber(_) => "a number of at most 16777216 bits",
            _ => "a number, a variable, a function or `(`",
        });
        match self.token {
            Token::BadNumber(word) => match product_of(word) {
                Some(product) => error.with_help(format!("write {product} for a product")),
                None => error,
            },
            Token::LongNumber(_) => ParseExprError { kind: ParseErrorKind::LongNumber, ..error },
            Token::Stray('!') => error.with_help("`~` flips all bits; `a == 0` is 1 where a is 0"),
            Token::Sign("&" | "|") if doubled => {
                error.with_help("`&` and `|` act bit by bit; comparisons are 1 or 0")
            }
            Token::Sign("/") if doubled => error.with_help("`/` rounds towards 0, `div_floor(a, b)` down"),
            _ => error,
        }
    }
}
