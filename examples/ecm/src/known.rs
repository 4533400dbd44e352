//! Composites with known factors: how many curves find them, and how many are expected to.

mod report;

use std::path::Path;

use limbforge_hunts::{HuntError, Signals, number};
use num_bigint::BigUint;

pub use self::report::{COLUMNS, summary};
use crate::arguments::Arguments;
use crate::composite::Number;
use crate::plan::{Level, bounds_of, expected_curves, levels_to};
use crate::run::run;

/// The first sigma, unless another one is asked for: the same command needs the same curves.
const SIGMA: u32 = 1000;

/// A composite and a prime factor of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The composite.
    pub composite: BigUint,
    /// Its factor.
    pub factor: BigUint,
    /// Where they come from.
    pub source: String,
}

impl Known {
    /// The decimal digits of the factor.
    #[must_use]
    pub fn digits(&self) -> u32 {
        self.factor.to_string().len() as u32
    }
}

/// What a search has found of a known factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    /// The composite and its factor.
    pub known: Known,
    /// The expected number of curves for the digits of the factor.
    pub expected: u64,
    /// The first curve that has found the factor, counted from 1, and how; None if no curve has.
    pub found: Option<(u64, String)>,
    /// The curves that were allowed.
    pub most: u64,
}

/// The composites of a file: on each line a number, and behind # its factor and any text.
///
/// # Errors
/// [`HuntError`] if the file cannot be read, or a line has no number with a prime factor that divides it.
pub fn read(path: &Path) -> Result<Vec<Known>, HuntError> {
    let text = std::fs::read_to_string(path).map_err(HuntError::file(path))?;
    let mut all = vec![];
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with('#')) {
        let known = of_line(line)
            .map_err(|why| HuntError::argument(format!("{}:{}: {why}", path.display(), i + 1)))?;
        all.extend(known);
    }
    if all.is_empty() {
        return Err(HuntError::argument(format!("{}: expected composites", path.display())));
    }
    Ok(all)
}

/// The composite of a line; None on an empty one.
fn of_line(line: &str) -> Result<Option<Known>, String> {
    let (composite, rest) = line.split_once('#').unwrap_or((line, ""));
    if composite.trim().is_empty() {
        return Ok(None);
    }
    let (factor, source) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
    let parsed = |text: &str| number(text.trim()).map_err(|error| error.to_string());
    let known = Known { composite: parsed(composite)?, factor: parsed(factor)?, source: source.to_owned() };
    let (is_prime, rest) = (Number::new(&known.factor), &known.composite % &known.factor);
    if !is_prime.composites.is_empty() || is_prime.primes.len() != 1 {
        return Err(format!("expected a prime, found {}", known.factor));
    }
    if rest != BigUint::ZERO || known.composite == known.factor {
        return Err(format!("expected a divisor of the number, found {}", known.factor));
    }
    Ok(Some(known))
}

/// Searches for the known factors with the bounds of their digits, those of the same bounds side by side, until each is
/// found or has had `--times` times its expected number of curves. Gives each group to `each`. False if a signal came.
///
/// # Errors
/// Those of [`run`].
pub fn census(
    arguments: &Arguments,
    all: &[Known],
    signals: &Signals,
    mut each: impl FnMut(&[Census]),
) -> Result<bool, HuntError> {
    let levels = match arguments.digits {
        Some(digits) => vec![bounds_of(digits)?],
        None => levels_to(arguments.to)?,
    };
    for level in levels {
        let has_bounds = |known: &&Known| {
            known.digits() <= level.digits && bounds_of(known.digits()).is_ok_and(|own| own.b1 == level.b1)
        };
        let group: Vec<&Known> = all.iter().filter(has_bounds).collect();
        if group.is_empty() {
            continue;
        }
        match of_level(arguments, level, &group, signals)? {
            Some(found) => each(&found),
            None => return Ok(false),
        }
    }
    Ok(true)
}

/// The search for factors with the same bounds; None if a signal came.
fn of_level(
    arguments: &Arguments,
    level: Level,
    group: &[&Known],
    signals: &Signals,
) -> Result<Option<Vec<Census>>, HuntError> {
    let sigma = arguments.sigma.unwrap_or(SIGMA);
    let arguments = Arguments {
        numbers: group.iter().map(|known| known.composite.clone()).collect(),
        file: None,
        known: None,
        digits: Some(level.digits),
        sigma: Some(sigma),
        state: arguments.state.as_ref().map(|folder| folder.join(format!("level-{}", level.digits))),
        ..arguments.clone()
    };
    let most = arguments.levels()?.first().map_or(0, |level| level.curves);
    let Some(numbers) = run(&arguments, signals)? else { return Ok(None) };
    let census = |(known, number): (&&Known, &Number)| {
        let factor = number.primes.iter().find(|factor| factor.prime == known.factor);
        let found = factor.and_then(|factor| Some((curve_of(&factor.how, sigma)?, factor.how.clone())));
        let expected = expected_curves(known.digits(), level.b1, level.b2);
        Census { known: (*known).clone(), expected, found, most }
    };
    Ok(Some(group.iter().zip(&numbers).map(census).collect()))
}

/// The number of a curve from 1 on, by its sigma and the first one.
fn curve_of(how: &str, first: u32) -> Option<u64> {
    let sigma: u32 = how.strip_prefix("sigma 3:")?.split(' ').next()?.parse().ok()?;
    Some(u64::from(sigma.checked_sub(first)?) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_checked() {
        let known = of_line("1000003 * 1000033 # 1000003 two primes").unwrap().unwrap();
        assert_eq!(known.composite, BigUint::from(1_000_003_u64 * 1_000_033));
        assert_eq!((known.digits(), known.source.as_str()), (7, "two primes"));
        assert_eq!(of_line("  # nothing"), Ok(None));
        for (line, why) in [
            ("91", "found ``"),
            ("91 # 91 x", "expected a prime, found 91"),
            ("91 # 11 x", "expected a divisor of the number, found 11"),
            ("7 # 7 x", "expected a divisor of the number, found 7"),
        ] {
            let error = of_line(line).unwrap_err();
            assert!(error.contains(why), "{line}: {error}");
        }
    }

    #[test]
    fn curves_are_counted_from_the_first_sigma() {
        assert_eq!(curve_of("sigma 3:1005 B1=50000 B2=5000000", 1000), Some(6));
        assert_eq!(curve_of("", 1000), None);
        assert_eq!(curve_of("sigma 3:5 B1=50", 1000), None);
    }
}
