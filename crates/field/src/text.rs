//! Residues from text.

/// A text that is no residue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseElementError {
    /// Not digits.
    #[error("`{text}`: expected a residue in decimal digits, or in hexadecimal ones behind 0x")]
    Digits {
        /// The text that was found.
        text: String,
    },
    /// Not below p.
    #[error("`{text}` is not reduced: expected a residue below the modulus {modulus}")]
    Range {
        /// The text that was found.
        text: String,
        /// p.
        modulus: u64,
    },
}

/// A residue below `modulus`, in decimal or behind `0x` in hexadecimal digits. Signs are refused.
///
/// # Errors
///
/// [`ParseElementError`] where there are other characters, or none, or the number is `modulus` or more.
pub fn parse_residue(text: &str, modulus: u64) -> Result<u64, ParseElementError> {
    let (digits, radix) = text.strip_prefix("0x").map_or((text, 10), |digits| (digits, 16));
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err(ParseElementError::Digits { text: text.to_owned() });
    }
    // With digits only, what does not parse does not fit.
    match u64::from_str_radix(digits, radix) {
        Ok(value) if value < modulus => Ok(value),
        _ => Err(ParseElementError::Range { text: text.to_owned(), modulus }),
    }
}
