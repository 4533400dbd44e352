//! Words, numbers and signs of texts: those of expressions and those of programs.

use core::fmt;

use limbforge_limb::{IntType, convert, text};
use num_bigint::BigUint;

/// A word or sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token<'t> {
    Name(&'t str),
    Number(BigUint),
    Sign(&'static str),
    /// A word that starts like a number and is none.
    BadNumber(&'t str),
    /// A number of more bits than any type, of so many characters.
    LongNumber(usize),
    /// A character that no token starts with.
    Stray(char),
    End,
}

/// Characters of a word that an error shows.
const SHOWN: usize = 40;

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(word) | Self::BadNumber(word) if word.len() > SHOWN => {
                // Words are ASCII.
                write!(f, "`{}...`", &word[..SHOWN])
            }
            Self::Name(word) | Self::BadNumber(word) => write!(f, "`{word}`"),
            Self::Number(value) if value.bits() > 128 => write!(f, "a number of {} bits", value.bits()),
            Self::Number(value) => write!(f, "`{value}`"),
            Self::LongNumber(characters) => write!(f, "a number of {characters} characters"),
            Self::Sign(sign) => write!(f, "`{sign}`"),
            // Escaped, a quote would not be what was written.
            Self::Stray(quote @ ('\'' | '"')) => write!(f, "`{quote}`"),
            Self::Stray(char) => write!(f, "`{}`", char.escape_default()),
            Self::End => f.write_str("the end of the expression"),
        }
    }
}

/// The first token of `text` and its length in bytes. `text` does not start with a blank. Of several signs
/// that it starts with, the longest one counts.
pub(crate) fn token(text: &str, signs: impl Iterator<Item = &'static str>) -> (Token<'_>, usize) {
    let Some(first) = text.chars().next() else { return (Token::End, 0) };
    if first.is_ascii_alphanumeric() || first == '_' {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        let word = &text[..end];
        return (if first.is_ascii_digit() { number(word) } else { Token::Name(word) }, end);
    }
    let longest = signs.filter(|sign| text.starts_with(sign)).max_by_key(|sign| sign.len());
    longest.map_or((Token::Stray(first), first.len_utf8()), |sign| (Token::Sign(sign), sign.len()))
}

/// Whether a word that is a number is written in decimal digits.
pub(crate) fn is_decimal(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && !word.starts_with("0x") && !word.starts_with("0X")
}

/// Decimal, or hexadecimal after `0x`; `_` may stand between digits.
fn number(word: &str) -> Token<'_> {
    // Bits of a digit, rounded up.
    let (digits, radix, bits) = if is_decimal(word) { (word, 10, 3.33) } else { (&word[2..], 16, 4.0) };
    let is_digit = |byte: u8| (byte as char).is_digit(radix);
    if !digits.starts_with(|c: char| c.is_digit(radix))
        || !digits.bytes().all(|byte| is_digit(byte) || byte == b'_')
    {
        return Token::BadNumber(word);
    }
    let digits: Vec<u8> =
        digits.bytes().filter(|&byte| byte != b'_').skip_while(|&byte| byte == b'0').collect();
    let needed = (digits.len() as f64 * bits) as u64 + 1;
    // Checked before the number is computed; rounding makes less than one part in 256.
    if needed > u64::from(IntType::MAX_BITS) + u64::from(IntType::MAX_BITS) / 256 {
        return Token::LongNumber(word.len());
    }
    let mut words = vec![0_u64; needed.div_ceil(64) as usize];
    if !digits.is_empty() && text::parse_radix(&digits, radix, &mut words).is_err() {
        return Token::BadNumber(word);
    }
    let value = convert::to_biguint(&words);
    if value.bits() > IntType::MAX_BITS.into() { Token::LongNumber(word.len()) } else { Token::Number(value) }
}

/// A word of digits and letters as a product, as in `2*x` for `2x`.
pub(crate) fn product_of(word: &str) -> Option<String> {
    let at = word.find(|c: char| !c.is_ascii_digit())?;
    let (number, name) = word.split_at(at);
    let is_hex = number == "0" && name.starts_with(['x', 'X']);
    (!is_hex && name.len() < 20 && number.len() < 20).then(|| format!("{number}*{name}"))
}
