//! Residues from text.

/// The text is not a residue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseElementError {
    /// The text is not a number.
    #[error("`{text}`: expected a residue in decimal digits, or in hexadecimal ones behind 0x")]
    Digits {
        /// The text.
        text: String,
    },
    /// The number is p or more.
    #[error("`{text}` is not reduced: expected a residue below the modulus {modulus}")]
    Range {
        /// The text.
        text: String,
        /// p.
        modulus: u64,
    },
}

/// Parses a residue below `modulus`, in decimal, or in hexadecimal after `0x`. Signs are refused.
///
/// # Errors
/// [`ParseElementError`] if the text is empty or has other characters, or the number is `modulus` or more.
pub fn parse_residue(text: &str, modulus: u64) -> Result<u64, ParseElementError> {
    let (digits, radix) = text.strip_prefix("0x").map_or((text, 10), |digits| (digits, 16));
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err(ParseElementError::Digits { text: text.to_owned() });
    }
    // The text has only digits, so a parse error means that the number does not fit.
    match u64::from_str_radix(digits, radix) {
        Ok(value) if value < modulus => Ok(value),
        _ => Err(ParseElementError::Range { text: text.to_owned(), modulus }),
    }
}
