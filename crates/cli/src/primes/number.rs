//! A number of up to 64 bits as people write primes.

use std::str::FromStr;

/// A number from 2 to 2^64 - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number(pub(crate) u64);

impl FromStr for Number {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let compact: String = text.chars().filter(|c| !c.is_whitespace() && *c != '_').collect();
        let value = match compact.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => compact.parse().ok().or_else(|| shifted(&compact)),
        };
        value.filter(|&value| value >= 2).map(Self).ok_or(
            "expected a number from 2 to 18446744073709551615, as in 3221225473, 0xc0000001 or 3*2^30+1",
        )
    }
}

/// `k*2^n+1`.
fn shifted(text: &str) -> Option<u64> {
    let (k, n) = text.strip_suffix("+1")?.split_once("*2^")?;
    let (k, n): (u64, u32) = (k.parse().ok()?, n.parse().ok()?);
    (n < 64 && k.leading_zeros() >= n).then(|| k << n)?.checked_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let number = |text: &str| text.parse::<Number>().map(|number| number.0).ok();
        for text in ["3221225473", "0xc0000001", "3*2^30+1", " 3 * 2^30 + 1", "3_221_225_473"] {
            assert_eq!(number(text), Some(3_221_225_473), "{text}");
        }
        assert_eq!(number("18446744073709551615"), Some(u64::MAX));
        assert_eq!(number("1*2^63+1"), Some((1 << 63) + 1));
        for text in
            ["", "0", "1", "-3", "18446744073709551616", "2*2^63+1", "1*2^64+1", "3*2^30", "0x", "3.5", "p"]
        {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
