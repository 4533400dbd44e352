//! An input of a program as it is written: a file, a number, a range, or numbers made of primes.

use limbforge::algos::program::text::syntax::BUILT_IN;
use limbforge_field::primality::is_prime;
use limbforge_field::primes::{in_range, lcm_to};
use num_bigint::{BigInt, BigUint};

use super::primes::{LCM_MAX, PRIMES_LENGTH, PRIMES_MAX, half_gaps};
use crate::eval::InputArgument;

/// The most integers of a range.
const RANGE_LENGTH: u64 = 1 << 24;

/// An input of a program.
#[derive(Clone, Debug)]
pub(super) struct InputSpec {
    pub(super) name: String,
    pub(super) source: Source,
    /// The specification as it was written, for errors.
    pub(super) text: String,
}

/// The source of an input's integers.
#[derive(Clone, Debug)]
pub(super) enum Source {
    File(InputArgument),
    Number(BigInt),
    /// From the first to the last, both included.
    Range {
        first: BigInt,
        length: u64,
    },
    /// lcm(1, ..., B)
    Lcm(u64),
    /// The primes from the first to the last number, both included.
    Primes(u64, u64),
    /// Half the gaps between them.
    Gaps(u64, u64),
    /// The first prime from a number on.
    Prime(u64),
}

/// `NAME=SPEC`
pub(super) fn parse(text: &str) -> Result<InputSpec, String> {
    let (name, spec) = text.split_once('=').ok_or("expected NAME=SPEC, as in N=n.txt or sigma=1..5000")?;
    if BUILT_IN.iter().any(|(built_in, ..)| *built_in == name) {
        return Err(format!("`{name}` is a function: expected another name"));
    }
    // Name and path are checked together, as those of `eval`.
    let path = spec.strip_prefix('@').unwrap_or(spec);
    let file = InputArgument::parse(&format!("{name}={path}"))?;
    let source = match spec.strip_prefix('@') {
        Some(_) => Source::File(file),
        None => source(spec)?.unwrap_or(Source::File(file)),
    };
    Ok(InputSpec { name: name.to_owned(), source, text: spec.to_owned() })
}

/// A source that is no file. A number is never the name of a file, so that a run does not depend on the files
/// of a folder.
fn source(spec: &str) -> Result<Option<Source>, String> {
    if let Some((kind, rest)) = spec.split_once(':') {
        let up_to = |most| number(rest).filter(|&n| n <= most);
        let source = match kind {
            "lcm" => {
                let bound = up_to(LCM_MAX);
                Source::Lcm(bound.ok_or(format!("expected lcm:B with B from 0 to {LCM_MAX}"))?)
            }
            "prime" => {
                let from = up_to(PRIMES_MAX);
                Source::Prime(from.ok_or(format!("expected prime:A with A from 0 to {PRIMES_MAX}"))?)
            }
            "primes" => {
                let (first, last) = bounds(kind, rest)?;
                Source::Primes(first, last)
            }
            "gaps" => {
                let (first, last) = bounds(kind, rest)?;
                if first < 3 {
                    return Err("expected gaps:A..B with A from 3 on: half of the gap from 2 to 3 is no \
                                integer"
                        .to_owned());
                }
                Source::Gaps(first, last)
            }
            _ => return Ok(None),
        };
        return Ok(Some(source));
    }
    if let Some((first, last)) = spec.split_once("..")
        && let (Some(first), Some(last)) = (integer(first), integer(last))
    {
        let length = u64::try_from(&last - &first + 1_u8).ok().filter(|&length| length > 0);
        let length = length.filter(|&length| length <= RANGE_LENGTH).ok_or(format!(
            "expected a range of 1 to {RANGE_LENGTH} integers from the lower to the higher one, both included, \
             as in 1..5000"
        ))?;
        return Ok(Some(Source::Range { first, length }));
    }
    Ok(integer(spec).map(Source::Number))
}

fn bounds(kind: &str, text: &str) -> Result<(u64, u64), String> {
    let parsed = text.split_once("..").and_then(|(first, last)| Some((number(first)?, number(last)?)));
    let parsed =
        parsed.filter(|&(first, last)| first <= last && last <= PRIMES_MAX && last - first <= PRIMES_LENGTH);
    parsed.ok_or(format!(
        "expected {kind}:A..B with A <= B <= {PRIMES_MAX} and B - A <= {PRIMES_LENGTH}, as in {kind}:1000..50000"
    ))
}

fn number(text: &str) -> Option<u64> {
    u64::try_from(integer(text)?).ok()
}

/// A decimal or, after `0x`, a hexadecimal number.
fn integer(text: &str) -> Option<BigInt> {
    let (is_negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let (digits, radix) = digits.strip_prefix("0x").map_or((digits, 10), |digits| (digits, 16));
    // The parser of numbers takes signs and underscores, too.
    let is_number = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    let magnitude = BigUint::parse_bytes(digits.as_bytes(), radix).filter(|_| is_number)?;
    let value = BigInt::from(magnitude);
    Some(if is_negative { -value } else { value })
}

impl Source {
    /// The integers, unless they are in a file.
    pub(super) fn integers(&self) -> Option<Vec<BigInt>> {
        Some(match self {
            Self::File(_) => return None,
            Self::Number(number) => vec![number.clone()],
            Self::Range { first, length } => (0..*length).map(|i| first + i).collect(),
            Self::Lcm(bound) => vec![lcm_to(*bound).into()],
            Self::Primes(first, last) => in_range(*first..=*last).map(BigInt::from).collect(),
            Self::Gaps(first, last) => half_gaps(*first, *last).into_iter().map(BigInt::from).collect(),
            // There is one before twice the number, by Bertrand's postulate.
            Self::Prime(from) => (*from..).find(|&n| is_prime(n)).map(BigInt::from).into_iter().collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_integers() {
        let integers = |spec: &str| {
            let all = parse(&format!("a={spec}")).unwrap().source.integers()?;
            Some(all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        };
        for (spec, expected) in [
            ("5", "5"),
            ("-0x1F", "-31"),
            ("2..4", "2 3 4"),
            ("-1..1", "-1 0 1"),
            ("7..7", "7"),
            ("lcm:10", "2520"),
            ("primes:8..20", "11 13 17 19"),
            ("gaps:8..20", "1 2 1"),
            ("prime:24", "29"),
            ("prime:29", "29"),
        ] {
            assert_eq!(integers(spec).as_deref(), Some(expected), "{spec}");
        }
        for file in
            ["@5", "./5", "n.txt", "-", "5x", "1..x", "1_0", "+5", "lcm.txt", "keys.parquet:p", "a..b"]
        {
            assert_eq!(integers(file), None, "{file}");
        }
        for wrong in ["5..4", "0..99999999", "lcm:10000001", "lcm:x", "primes:5..4", "gaps:2..9", "prime:-1"]
        {
            assert!(parse(&format!("a={wrong}")).is_err(), "{wrong}");
        }
        for wrong in ["a", "=5", "a=", "gcd=5", "bits=5", "1=5"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
