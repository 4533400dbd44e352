//! Values of single arguments.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use limbforge::limb::IntType;

use crate::args::parse_bits;

/// The width of all inputs, or the type of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BitsArgument {
    pub(in super::super) name: Option<String>,
    pub(in super::super) bits: u64,
    /// If it is a type.
    pub(in super::super) is_signed: Option<bool>,
}

#[cfg(feature = "gpu")]
impl BitsArgument {
    /// The width of all integers, if it is not that of one input.
    pub(crate) fn of_all(&self) -> Option<u64> {
        self.name.is_none().then_some(self.bits)
    }
}

impl FromStr for BitsArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let Some((name, width)) = text.split_once('=') else {
            return Ok(Self { name: None, bits: parse_bits(text)?, is_signed: None });
        };
        let name = Some(name.to_owned());
        if let Ok(ty) = width.parse::<IntType>() {
            return Ok(Self { name, bits: ty.bits().into(), is_signed: Some(ty.is_signed()) });
        }
        let bits = parse_bits(width).map_err(|expected| format!("{expected}, or a type as in s=u4096"))?;
        Ok(Self { name, bits, is_signed: None })
    }
}

/// A result and its file.
#[derive(Clone, Debug)]
pub(crate) struct OutputArgument {
    pub(in super::super) name: String,
    pub(in super::super) path: PathBuf,
}

pub(super) fn parse_output(text: &str) -> Result<OutputArgument, &'static str> {
    let parts = text.split_once('=').filter(|(name, path)| !name.is_empty() && !path.is_empty());
    let (name, path) = parts.ok_or("expected NAME=FILE, as in factor=f.txt")?;
    Ok(OutputArgument { name: name.to_owned(), path: path.into() })
}

pub(super) fn parse_time(text: &str) -> Result<Duration, &'static str> {
    let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)];
    let split = units.into_iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let (digits, factor) = split.unwrap_or((text, 1000));
    let milliseconds = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    milliseconds.map(Duration::from_millis).ok_or("expected a time in s, m or h, as in 90s, 5m or 1h")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_widths() {
        for (text, seconds) in [("90s", 90), ("90", 90), ("5m", 300), ("2h", 7200), ("1000ms", 1), ("0", 0)] {
            assert_eq!(parse_time(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "s", "-1s", "1d", "1.5h", "99999999999999999999s"] {
            assert!(parse_time(text).is_err(), "{text}");
        }
        let found = |text: &str| {
            text.parse()
                .map(|BitsArgument { name, bits, is_signed }| (name.unwrap_or_default(), bits, is_signed))
        };
        assert_eq!(found("512"), Ok((String::new(), 512, None)));
        assert_eq!(found("s=144344"), Ok(("s".to_owned(), 144_344, None)));
        assert_eq!(found("a=i65"), Ok(("a".to_owned(), 65, Some(true))));
        for text in ["0", "s=", "s=u0", "s=x", "16777217", "u64"] {
            assert!(found(text).is_err(), "{text}");
        }
    }
}
