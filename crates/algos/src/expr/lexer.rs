//! Words and signs of the expression language.

use core::fmt;

use num_bigint::BigUint;

/// A word or sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Name(&'t str),
    Number(BigUint),
    Sign(&'static str),
    /// A word that starts like a number and is none.
    BadNumber(&'t str),
    /// A character that no token starts with.
    Stray(char),
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(word) | Self::BadNumber(word) => write!(f, "`{word}`"),
            Self::Number(value) if value.bits() > 128 => write!(f, "a number of {} bits", value.bits()),
            Self::Number(value) => write!(f, "`{value}`"),
            Self::Sign(sign) => write!(f, "`{sign}`"),
            Self::Stray(char) => write!(f, "`{}`", char.escape_default()),
            Self::End => f.write_str("the end of the expression"),
        }
    }
}

/// Longer signs before their prefixes.
const SIGNS: [&str; 19] =
    ["<<", ">>", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "<", ">", "(", ")"];

/// The first token of `text` and its length in bytes. `text` does not start with a blank.
pub(super) fn token(text: &str) -> (Token<'_>, usize) {
    let Some(first) = text.chars().next() else { return (Token::End, 0) };
    if first.is_ascii_alphanumeric() || first == '_' {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        let word = &text[..end];
        let token = if first.is_ascii_digit() {
            number(word).map_or(Token::BadNumber(word), Token::Number)
        } else {
            Token::Name(word)
        };
        return (token, end);
    }
    if first == ',' {
        return (Token::Sign(","), 1);
    }
    SIGNS
        .iter()
        .find(|sign| text.starts_with(**sign))
        .map_or((Token::Stray(first), first.len_utf8()), |sign| (Token::Sign(sign), sign.len()))
}

/// Decimal, or hexadecimal after `0x`; `_` may stand between digits.
fn number(word: &str) -> Option<BigUint> {
    let (digits, radix) = match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (word, 10),
    };
    BigUint::parse_bytes(digits.as_bytes(), radix)
}
