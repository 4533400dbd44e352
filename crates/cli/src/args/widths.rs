//! Several widths.

use std::str::FromStr;

use limbforge::limb::IntType;

/// Widths in the order in which they are given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widths(pub Vec<IntType>);

impl FromStr for Widths {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = |item: &str| {
            let most = IntType::MAX_BITS;
            format!(
                "`{item}`: expected I..J for 2^I to 2^J, up to 0..24, or a number of bits from 1 to {most}"
            )
        };
        let mut widths = vec![];
        for item in text.split(',').map(str::trim) {
            let number = |text: &str| text.parse::<u32>().map_err(|_| expected(item));
            let bits = match item.split_once("..") {
                Some((first, last)) => {
                    let (first, last) = (number(first)?, number(last)?);
                    if first > last || last > IntType::MAX_BITS.ilog2() {
                        return Err(expected(item));
                    }
                    (first..=last).map(|k| 1 << k).collect()
                }
                None => vec![number(item)?],
            };
            for bits in bits {
                let ty = IntType::unsigned(bits.into()).map_err(|_| expected(item))?;
                if !widths.contains(&ty) {
                    widths.push(ty);
                }
            }
        }
        Ok(Self(widths))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths() {
        let bits = |text: &str| text.parse::<Widths>().map(|w| w.0.iter().map(|ty| ty.bits()).collect());
        assert_eq!(bits("9..11,131"), Ok(vec![512, 1024, 2048, 131]));
        assert_eq!(bits("512, 9..9"), Ok(vec![512]));
        for wrong in ["", "9..", "..9", "11..9", "9..25", "0", "16777217", "a", "9..10,", "-1"] {
            assert!(bits(wrong).is_err(), "{wrong}");
        }
    }
}
