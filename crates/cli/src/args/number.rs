//! Numbers on the command line.

mod expression;

use std::str::FromStr;

use num_bigint::BigUint;

pub use self::expression::{ExpressionError, MAX_BITS, evaluate};

/// A number from 2 to 2^64 - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub u64);

impl FromStr for Number {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = |found: &str| {
            format!(
                "expected a number from 2 to 18446744073709551615, as in 3221225473, 0xc0000001 or 3*2^30+1{found}"
            )
        };
        let value = evaluate(text).map_err(|error| expected(&format!(": {error}")))?;
        u64::try_from(value).ok().filter(|&value| value >= 2).map(Self).ok_or_else(|| expected(""))
    }
}

/// A number of at least 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LargeNumber(pub BigUint);

impl FromStr for LargeNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = |why: &str| {
            format!("expected a number of at least 2, as in 3221225473, 0xc0000001 or 3*2^30+1{why}")
        };
        let value = evaluate(text).map_err(|error| expected(&format!(": {error}")))?;
        if value.bits() < 2 { Err(expected("")) } else { Ok(Self(value)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let number = |text: &str| text.parse::<Number>().map(|number| number.0).ok();
        for text in ["3221225473", "0xc0000001", "3*2^30+1", " 3 * 2**30 + 1", "3_221_225_473", "2^32-2^30+1"]
        {
            assert_eq!(number(text), Some(3_221_225_473), "{text}");
        }
        assert_eq!((number("18446744073709551615"), number("2^64-1")), (Some(u64::MAX), Some(u64::MAX)));
        for text in ["", "0", "1", "-3", "18446744073709551616", "2^64", "0x", "3.5", "p"] {
            assert_eq!(number(text), None, "{text}");
        }
        assert_eq!("2^64".parse(), Ok(LargeNumber(BigUint::from(1_u128 << 64))));
        for text in ["", "0", "1", "-3", "3-2", "p"] {
            assert!(text.parse::<LargeNumber>().is_err_and(|why| why.contains("at least 2")), "{text}");
        }
    }
}
