//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};
use limbforge_hunts::{Backend, HuntError, number};
use num_bigint::BigUint;

use crate::family::Family;
use crate::patterns::pattern;
use crate::table::Format;
use crate::tester::Test;

/// Hunts for primes: a sieve on the CPU, base-2 tests on the GPU or the CPU.
#[derive(Clone, Debug, Parser)]
#[command(name = "prp", version)]
pub struct Arguments {
    /// The candidates.
    #[command(subcommand)]
    pub mode: Mode,
    /// The device of the tests.
    #[arg(long, value_enum, default_value_t, global = true)]
    pub backend: Backend,
    /// The test of what the sieve leaves.
    #[arg(long, value_enum, default_value = "fermat", global = true)]
    pub test: Test,
    /// Every find has to pass the test of Baillie, Pomerance, Selfridge and Wagstaff, too; gaps always do this.
    #[arg(long, global = true)]
    pub verify: bool,
    /// The largest prime of the sieve.
    #[arg(long, value_name = "LIMIT", global = true)]
    pub sieve: Option<u32>,
    /// The columns of the finds.
    #[arg(long, value_enum, default_value_t, global = true)]
    pub format: Format,
    /// The file of the finds, in place of standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "state", global = true)]
    pub out: Option<PathBuf>,
    /// A folder with the finds and the state of the hunt. The same command goes on from there.
    #[arg(long, value_name = "DIR", global = true)]
    pub state: Option<PathBuf>,
    /// The time between two states, in seconds: what is lost if a hunt is killed.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "3", global = true)]
    pub every: Duration,
    /// Shows progress even if standard error is not a terminal.
    #[arg(long, global = true)]
    pub progress: bool,
}

/// The candidates of a hunt.
#[derive(Clone, Debug, Subcommand)]
pub enum Mode {
    /// The primes from FIRST to below END.
    Range {
        /// Such as 10^300.
        #[arg(value_parser = parse)]
        first: BigUint,
        /// Such as 10^300+100000, or +100000 for so many numbers.
        #[arg(value_parser = parse_end)]
        end: End,
    },
    /// Gaps between neighbouring primes: those larger than all before, or those of at least MIN.
    Gaps {
        /// The beginning of the range.
        #[arg(value_parser = parse)]
        first: BigUint,
        /// Its end, or +LENGTH.
        #[arg(value_parser = parse_end)]
        end: End,
        /// The smallest gap.
        #[arg(long = "min", value_name = "MIN")]
        least: Option<u64>,
    },
    /// Numbers p of a range for which p plus each offset of a pattern is prime.
    Tuples {
        /// The beginning of the range.
        #[arg(value_parser = parse)]
        first: BigUint,
        /// Its end, or +LENGTH.
        #[arg(value_parser = parse_end)]
        end: End,
        /// Offsets such as 0,2,6,8, or a name: twins, triplets, quadruplets, quintuplets, sextuplets, ...
        #[arg(long, value_parser = parse_pattern)]
        pattern: Pattern,
    },
    /// Numbers k * BASE^POWER + c for the k of a range, prime for each c.
    Form {
        /// The base.
        #[arg(long, default_value_t = 2)]
        base: u64,
        /// The exponent.
        #[arg(long)]
        power: u32,
        /// The range of k, both ends included, such as 1..1000000.
        #[arg(long, value_parser = parse_k)]
        k: Range,
        /// One number, or several, such as -1,1 for twins.
        #[arg(long = "c", value_delimiter = ',', allow_hyphen_values = true, default_value = "-1")]
        constants: Vec<i64>,
        /// 2 p + 1 has to be prime for each p, too: Sophie Germain primes.
        #[arg(long)]
        safe: bool,
    },
    /// The numbers of a file, one on each line.
    File {
        /// Its name.
        path: PathBuf,
    },
}

/// The end of a range.
#[derive(Clone, Debug)]
pub enum End {
    /// This number.
    At(BigUint),
    /// So many numbers behind the first one.
    Length(BigUint),
}

impl End {
    fn of(&self, first: &BigUint) -> BigUint {
        match self {
            Self::At(end) => end.clone(),
            Self::Length(length) => first + length,
        }
    }
}

/// Offsets of a tuple.
#[derive(Clone, Debug)]
pub struct Pattern(pub Vec<u64>);

/// A first and a last number.
#[derive(Clone, Copy, Debug)]
pub struct Range(pub u64, pub u64);

impl Mode {
    /// The family of the candidates; None for those of a file.
    ///
    /// # Errors
    /// Those of [`Family`].
    pub fn family(&self) -> Result<Option<Family>, HuntError> {
        Ok(Some(match self {
            Self::Range { first, end } | Self::Gaps { first, end, .. } => {
                Family::range(first, &end.of(first), &[0])?
            }
            Self::Tuples { first, end, pattern } => Family::range(first, &end.of(first), &pattern.0)?,
            Self::Form { base, power, k, constants, safe } => {
                // Bounds the power before it is computed.
                let power = number(&format!("{base}^{power}"))?;
                let family = Family::powers(&power, k.0, k.1, constants)?;
                if *safe { family.with_safe_primes()? } else { family }
            }
            Self::File { .. } => return Ok(None),
        }))
    }
}

fn parse(text: &str) -> Result<BigUint, String> {
    number(text).map_err(|error| error.to_string())
}

fn parse_end(text: &str) -> Result<End, String> {
    text.strip_prefix('+').map_or_else(|| parse(text).map(End::At), |length| parse(length).map(End::Length))
}

fn parse_pattern(text: &str) -> Result<Pattern, String> {
    pattern(text).map(Pattern).map_err(|error| error.to_string())
}

fn parse_k(text: &str) -> Result<Range, String> {
    let range = text.split_once("..").and_then(|(first, last)| Some((word(first)?, word(last)?)));
    let (first, last) = range.ok_or("expected a range such as 1..1000000")?;
    Ok(Range(first, last))
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected seconds from 0.001 to 86400".to_owned())
}

/// A number of 64 bits, also as a formula.
fn word(text: &str) -> Option<u64> {
    u64::try_from(number(text).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_one() {
        Arguments::command().debug_assert();
        let parsed = |line: &str| Arguments::try_parse_from(line.split(' '));
        let family = |line: &str| parsed(line).unwrap().mode.family().unwrap().unwrap();
        assert_eq!(family("prp range 10^30 +101").count(), 50);
        assert_eq!(family("prp tuples 10^30+1 10^30+5 --pattern triplets").forms().len(), 3);
        assert_eq!(family("prp form --power 100 --k 1..2^20 --c -1,1 --safe").forms().len(), 4);
        for wrong in
            ["prp range 5", "prp form --power 3 --k 5", "prp tuples 3 9 --pattern 1", "prp range -1 5"]
        {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
