//! Numbers as formulas: `10^99 + 349781731`, `3*2**64 - 1`, `0xff`.

use num_bigint::{BigInt, BigUint, Sign};

use crate::HuntError;

/// The largest numbers.
const BITS: u64 = 1 << 20;

/// The number of a formula of decimal and hexadecimal numbers with `+`, `-`, `*` and `^` (or `**`).
///
/// # Errors
/// [`HuntError::Argument`] if the text is no such formula, or its value is negative or has more than 2^20 bits.
pub fn number(text: &str) -> Result<BigUint, HuntError> {
    let wrong = |why: String| HuntError::argument(format!("`{text}`: {why}"));
    let compact: String = text.replace("**", "^").split_whitespace().collect();
    let mut sum = BigInt::ZERO;
    for (sign, term) in terms(&compact) {
        let mut product = BigUint::from(1_u8);
        for factor in term.split('*') {
            product = bounded(&product, &power(factor).map_err(wrong)?).map_err(wrong)?;
        }
        sum += BigInt::from_biguint(sign, product);
    }
    sum.to_biguint().ok_or_else(|| wrong("expected a number that is not negative".to_owned()))
}

/// The terms of a sum with their signs.
fn terms(text: &str) -> Vec<(Sign, &str)> {
    let mut terms = vec![];
    let mut rest = text;
    let mut sign = Sign::Plus;
    while let Some(at) = rest.find(['+', '-']) {
        // A sign in front of all belongs to the first term.
        if at > 0 || !terms.is_empty() {
            terms.push((sign, &rest[..at]));
        }
        sign = if rest[at..].starts_with('-') { Sign::Minus } else { Sign::Plus };
        rest = &rest[at + 1..];
    }
    terms.push((sign, rest));
    terms
}

/// `base^exponent` or a number.
fn power(text: &str) -> Result<BigUint, String> {
    let Some((base, exponent)) = text.split_once('^') else { return plain(text) };
    let base = plain(base)?;
    let exponent = u32::try_from(plain(exponent)?).map_err(|_| too_large())?;
    if base.bits().saturating_sub(1).saturating_mul(exponent.into()) > BITS {
        return Err(too_large());
    }
    Ok(base.pow(exponent))
}

fn plain(text: &str) -> Result<BigUint, String> {
    let (digits, radix) = text.strip_prefix("0x").map_or((text, 10), |digits| (digits, 16));
    let found = BigUint::parse_bytes(digits.as_bytes(), radix).filter(|_| !digits.contains(['+', '_']));
    let found = found.ok_or_else(|| format!("expected a number such as 10^99 + 5, found `{text}`"))?;
    if found.bits() > BITS { Err(too_large()) } else { Ok(found) }
}

fn bounded(a: &BigUint, b: &BigUint) -> Result<BigUint, String> {
    if a.bits() + b.bits() > BITS { Err(too_large()) } else { Ok(a * b) }
}

fn too_large() -> String {
    format!("expected at most {BITS} bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas() {
        let value = |text: &str| number(text).unwrap().to_string();
        assert_eq!(value("10^20 + 39"), "100000000000000000039");
        assert_eq!(value("3*2**64-1"), "55340232221128654847");
        assert_eq!(value(" 0xfF "), "255");
        assert_eq!(value("-5 + 2*3*4 - 1"), "18");
        assert_eq!(value("5-5"), "0");
    }

    #[test]
    fn texts_that_are_none() {
        for text in ["", "x", "1 +", "2^", "^3", "1--2", "0x", "4-5", "2^-1", "1_0", "1e5", "2^2^2"] {
            assert!(matches!(number(text), Err(HuntError::Argument(_))), "{text}");
        }
        for text in ["2^2000000", "3^4000000000", "2^99999999999", "2^1000000*2^1000000"] {
            assert!(number(text).unwrap_err().to_string().contains("at most 1048576 bits"), "{text}");
        }
    }
}
