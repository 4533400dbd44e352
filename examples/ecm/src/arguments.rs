//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use limbforge_hunts::{Backend, HuntError, number};
use num_bigint::BigUint;

use crate::plan::expected_curves;
use crate::plan::{Level, bounds_of, levels_to};

/// Factors by elliptic curves, on the GPU or the CPU.
#[derive(Clone, Debug, Parser)]
#[command(name = "ecm", version)]
pub struct Arguments {
    /// The numbers, also as formulas such as 2^137-1.
    #[arg(value_parser = parse)]
    pub numbers: Vec<BigUint>,
    /// A file of numbers, one on each line.
    #[arg(long = "in", value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Counts the curves that find known factors: a file with a number on each line, and behind # its factor. Each is
    /// looked for with the bounds of its digits, as --to or --digits allow.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["numbers", "file", "b1", "curves", "save"])]
    pub known: Option<PathBuf>,
    /// Looks for factors of up to so many digits: level by level, 15, 20, 25 and so on.
    #[arg(long, value_name = "DIGITS", default_value_t = 25)]
    pub to: u32,
    /// Looks for factors of so many digits alone.
    #[arg(long, value_name = "DIGITS", conflicts_with = "to")]
    pub digits: Option<u32>,
    /// The bound of stage 1, in place of levels.
    #[arg(long, value_name = "B1", value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    pub b1: Option<u32>,
    /// The bound of stage 2: 0 for none, 100 B1 without it.
    #[arg(long, value_name = "B2", requires = "b1", value_parser = parse_word)]
    pub b2: Option<u64>,
    /// The number of curves for each composite.
    #[arg(long, value_name = "N")]
    pub curves: Option<u64>,
    /// So many times the expected number of curves of each level.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "curves", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub times: u64,
    /// Curves at once, of all numbers together.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub batch: Option<u32>,
    /// The first sigma; a random one without it.
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=4_000_000_000))]
    pub sigma: Option<u32>,
    /// The device.
    #[arg(long, value_enum, default_value_t)]
    pub backend: Backend,
    /// Appends a line for each curve that stage 1 finds no factor with, for GMP-ECM's `-resume`.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// A folder with the state of the run. The same command goes on from there.
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,
    /// The time between two checkpoints of stage 1, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub every: u64,
}

impl Arguments {
    /// The levels of the search.
    ///
    /// # Errors
    /// [`HuntError::Argument`] if there are no bounds for the digits.
    pub fn levels(&self) -> Result<Vec<Level>, HuntError> {
        let mut levels = match (self.b1, self.digits) {
            (Some(b1), digits) => {
                let b2 = self.b2.unwrap_or(100 * u64::from(b1));
                let digits = digits.unwrap_or(self.to);
                vec![Level { digits, b1, b2, curves: expected_curves(digits, b1, b2) }]
            }
            (None, Some(digits)) => vec![bounds_of(digits)?],
            (None, None) => levels_to(self.to)?,
        };
        for level in &mut levels {
            level.curves = self.curves.unwrap_or(level.curves.saturating_mul(self.times));
        }
        Ok(levels)
    }

    /// The numbers of the command line and of the file.
    ///
    /// # Errors
    /// [`HuntError`] if the file cannot be read, or there is no number.
    pub fn all_numbers(&self) -> Result<Vec<BigUint>, HuntError> {
        let mut numbers = self.numbers.clone();
        if let Some(path) = &self.file {
            let text = std::fs::read_to_string(path).map_err(HuntError::file(path))?;
            let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
            for (line, text) in lines.enumerate().filter(|(_, text)| !text.is_empty()) {
                let wrong = |error| HuntError::argument(format!("{}:{}: {error}", path.display(), line + 1));
                numbers.push(number(text).map_err(wrong)?);
            }
        }
        if numbers.is_empty() {
            return Err(HuntError::argument("expected a number, or --in FILE"));
        }
        Ok(numbers)
    }

    /// The time between two checkpoints.
    pub(crate) const fn interval(&self) -> Duration {
        Duration::from_secs(self.every)
    }
}

fn parse(text: &str) -> Result<BigUint, String> {
    number(text).map_err(|error| error.to_string())
}

fn parse_word(text: &str) -> Result<u64, String> {
    u64::try_from(parse(text)?).map_err(|_| "expected a number of 64 bits".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_one() {
        Arguments::command().debug_assert();
        let parsed = |line: &str| Arguments::try_parse_from(line.split(' '));
        let levels = |line: &str| parsed(line).unwrap().levels().unwrap();
        assert_eq!(levels("ecm 91 --to 20").len(), 2);
        assert_eq!(levels("ecm 2^67-1 --digits 20 --curves 7")[0].curves, 7);
        assert_eq!(levels("ecm 91 --b1 300 --b2 10^5")[0].b2, 100_000);
        for wrong in [
            "ecm x",
            "ecm 9 --b2 5",
            "ecm 9 --b1 1",
            "ecm 9 --sigma 1",
            "ecm 9 --to 20 --digits 20",
            "ecm 9 --known f",
        ] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
        assert!(parsed("ecm").unwrap().all_numbers().is_err());
    }
}
