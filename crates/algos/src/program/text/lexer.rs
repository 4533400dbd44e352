//! Words, numbers and signs of a program.

use super::syntax::Span;
use crate::lexer::{Token, token};
use crate::op::operations;

/// The end of a line, which ends a statement.
pub(super) const LINE: &str = "\n";

/// Words that are no names.
const WORDS: [&str; 25] = [
    "after", "and", "at", "const", "else", "emit", "false", "fn", "for", "if", "in", "let", "limit", "list",
    "mod", "most", "not", "or", "out", "repeat", "require", "true", "var", "where", "while",
];

/// Whether a word may not be the name of a variable.
pub(super) fn is_word(word: &str) -> bool {
    WORDS.contains(&word)
}

/// A token at its place.
pub(super) struct Lexeme<'t> {
    pub(super) token: Token<'t>,
    pub(super) span: Span,
}

/// Operators, brackets, and what separates and ends.
fn signs() -> impl Iterator<Item = &'static str> {
    let others = ["(", ")", "[", "]", "{", "}", ",", ";", ":", "=", "..", LINE];
    operations().filter(|row| !row.is_function()).map(|row| row.name).chain(others)
}

/// All tokens, and [`Token::End`] at last. Within `( )` and `[ ]` lines do not end. The text has fewer than 2^32
/// bytes.
pub(super) fn lexemes(text: &str) -> Vec<Lexeme<'_>> {
    let signs: Vec<&'static str> = signs().collect();
    let (mut at, mut brackets, mut lexemes) = (0, vec![], vec![]);
    loop {
        at += blank(&text[at..]);
        let (token, len) = token(&text[at..], signs.iter().copied());
        let span = Span { start: at as u32, end: (at + len) as u32 };
        at += len;
        let is_end = token == Token::End;
        match token {
            Token::Sign(sign @ ("(" | "[" | "{")) => brackets.push(sign),
            Token::Sign(")" | "]" | "}") => drop(brackets.pop()),
            Token::Sign(LINE) if brackets.last().is_some_and(|sign| *sign != "{") => continue,
            _ => {}
        }
        lexemes.push(Lexeme { token, span });
        if is_end {
            return lexemes;
        }
    }
}

/// Bytes of blanks and comments at the start of a text, up to the end of its line.
fn blank(text: &str) -> usize {
    let rest = text.trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
    let comment = if rest.starts_with('#') { rest.find('\n').unwrap_or(rest.len()) } else { 0 };
    text.len() - rest.len() + comment
}

/// Whether a word has the form of an integer type, as `u64`.
pub(in crate::program) fn is_integer_type(word: &str) -> bool {
    let bits = word.strip_prefix(['u', 'i']).unwrap_or_default();
    !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit())
}
