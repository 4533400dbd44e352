//! Values of arguments that several commands take.

mod expression;

use std::{ops::RangeInclusive, str::FromStr};

use clap::ValueEnum;
use limbforge::limb::{Base, IntType};
use num_bigint::BigUint;

pub use self::expression::evaluate;

/// The GPU of this number: `gpu` is the first, `gpu:I` that of number I.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GpuArgument(pub usize);

impl FromStr for GpuArgument {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = match text.strip_prefix("gpu") {
            Some("") => Some(0),
            Some(rest) => rest.strip_prefix(':').and_then(|number| number.parse().ok()),
            None => None,
        };
        number.map(Self).ok_or("expected gpu or gpu:I, as in gpu:1")
    }
}

/// The backend of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackendArgument {
    /// A GPU if one exists.
    Auto,
    /// All cores of this machine.
    Cpu,
    Gpu(usize),
}

impl FromStr for BackendArgument {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            _ => match text.parse() {
                Ok(GpuArgument(ordinal)) => Ok(Self::Gpu(ordinal)),
                Err(_) => Err("expected auto, cpu, gpu or gpu:I, as in gpu:1"),
            },
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LimbArgument {
    U32,
    #[default]
    U64,
    U128,
}

/// Evaluates an expression with the name `$B` for the type of a limb.
#[macro_export]
macro_rules! with_limb {
    ($limb:expr, $B:ident => $value:expr) => {
        match $limb {
            $crate::args::LimbArgument::U32 => {
                type $B = u32;
                $value
            }
            $crate::args::LimbArgument::U64 => {
                type $B = u64;
                $value
            }
            $crate::args::LimbArgument::U128 => {
                type $B = u128;
                $value
            }
        }
    };
}

impl LimbArgument {
    pub const fn name(self) -> &'static str {
        with_limb!(self, B => <B as Base>::NAME)
    }
}

pub fn parse_bits(text: &str) -> Result<u64, String> {
    let expected = || format!("expected a number from 1 to {}", IntType::MAX_BITS);
    let bits = text.parse().map_err(|_| expected())?;
    IntType::unsigned(bits).map(|_| bits).map_err(|_| expected())
}

/// An expression whose value is from 2 to 2^64 - 1.
pub fn parse_number(text: &str) -> Result<u64, String> {
    number(text, "from 2 to 18446744073709551615", |value| u64::try_from(value).ok())
}

/// An expression whose value is at least 2.
pub fn parse_large_number(text: &str) -> Result<BigUint, String> {
    number(text, "of at least 2", Some)
}

fn number<T>(text: &str, range: &str, convert: impl FnOnce(BigUint) -> Option<T>) -> Result<T, String> {
    let expected = format!("expected a number {range}, as in 3221225473, 0xc0000001 or 3*2^30+1");
    let value = evaluate(text).map_err(|error| format!("{expected}: {error}"))?;
    Some(value).filter(|value| value.bits() > 1).and_then(convert).ok_or(expected)
}

/// `I..J`, or `I` alone, within a range.
pub fn parse_range(text: &str, within: RangeInclusive<u32>) -> Option<RangeInclusive<u32>> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (first <= last && within.contains(&first) && within.contains(&last)).then_some(first..=last)
}

/// Widths in the order in which they are given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widths(pub Vec<IntType>);

impl FromStr for Widths {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let most = IntType::MAX_BITS;
        let mut widths = vec![];
        for item in text.split(',').map(str::trim) {
            let expected = || {
                format!(
                    "`{item}`: expected I..J for 2^I to 2^J, up to 0..24, or a number of bits from 1 to {most}"
                )
            };
            let bits: Option<Vec<u64>> = if item.contains("..") {
                parse_range(item, 0..=most.ilog2()).map(|powers| powers.map(|k| 1 << k).collect())
            } else {
                item.parse().ok().map(|bits| vec![bits])
            };
            for bits in bits.ok_or_else(expected)? {
                let ty = IntType::unsigned(bits).map_err(|_| expected())?;
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
    fn gpus_by_name() {
        assert_eq!("gpu".parse(), Ok(GpuArgument(0)));
        assert_eq!("gpu:3".parse(), Ok(GpuArgument(3)));
        for text in ["cpu", "gpu:", "gpu:x", "gpu3", "gpu:-1", ""] {
            assert!(text.parse::<GpuArgument>().is_err(), "{text}");
        }
    }

    #[test]
    fn numbers() {
        for text in ["3221225473", "0xc0000001", "3*2^30+1", " 3 * 2**30 + 1", "3_221_225_473", "2^32-2^30+1"]
        {
            assert_eq!(parse_number(text), Ok(3_221_225_473), "{text}");
        }
        assert_eq!(
            (parse_number("18446744073709551615"), parse_number("2^64-1")),
            (Ok(u64::MAX), Ok(u64::MAX))
        );
        for text in ["", "0", "1", "-3", "18446744073709551616", "2^64", "0x", "3.5", "p"] {
            assert!(parse_number(text).is_err(), "{text}");
        }
        assert_eq!(parse_large_number("2^64"), Ok(BigUint::from(1_u128 << 64)));
        for text in ["", "0", "1", "-3", "3-2", "p"] {
            assert!(parse_large_number(text).is_err_and(|why| why.contains("at least 2")), "{text}");
        }
    }

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
