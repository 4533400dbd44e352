//! Candidates of a file.

use std::fs;
use std::path::Path;

use limbforge::field::primes;
use limbforge_hunts::{HuntError, number};
use num_bigint::BigUint;
use rayon::prelude::*;

/// The largest prime of the trial division of a file's numbers.
const TRIAL: u32 = 10_000;

/// The numbers of a file: one on each line, as a formula. Empty lines, and what follows `#`, are left out.
///
/// # Errors
/// [`HuntError::File`] if the file cannot be read, [`HuntError::Argument`] with the line if one is no number.
pub fn read_candidates(path: &Path) -> Result<Vec<BigUint>, HuntError> {
    let text = fs::read_to_string(path).map_err(HuntError::file(path))?;
    let mut found = vec![];
    for (line, text) in text.lines().enumerate() {
        let text = text.split('#').next().unwrap_or_default().trim();
        if !text.is_empty() {
            let wrong = |error| HuntError::argument(format!("{}:{}: {error}", path.display(), line + 1));
            found.push(number(text).map_err(wrong)?);
        }
    }
    Ok(found)
}

/// The numbers that are odd, at least 3, and not divisible by a prime below 10000 other than themselves.
#[must_use]
pub fn without_small_factors(numbers: Vec<BigUint>) -> Vec<BigUint> {
    let groups = groups(&primes::up_to(TRIAL));
    numbers.into_par_iter().filter(|n| *n >= BigUint::from(3_u8) && !has_small_factor(n, &groups)).collect()
}

/// Primes whose product has 64 bits, with it.
fn groups(primes: &[u32]) -> Vec<(u64, Vec<u32>)> {
    let mut groups: Vec<(u64, Vec<u32>)> = vec![];
    for &q in primes {
        match groups.last_mut().map(|group| (group.0.checked_mul(q.into()), group)) {
            Some((Some(product), group)) => {
                group.0 = product;
                group.1.push(q);
            }
            _ => groups.push((q.into(), vec![q])),
        }
    }
    groups
}

fn has_small_factor(n: &BigUint, groups: &[(u64, Vec<u32>)]) -> bool {
    groups.iter().any(|(product, primes)| {
        let rest = u64::try_from(n % product).unwrap_or_default();
        primes.iter().any(|&q| rest % u64::from(q) == 0 && *n != BigUint::from(q))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_factors_are_found_and_small_primes_kept() {
        let left = without_small_factors((0_u32..200_000).map(BigUint::from).collect());
        let expected = primes::up_to(199_999);
        assert_eq!(left, expected.into_iter().filter(|&q| q > 2).map(BigUint::from).collect::<Vec<_>>());
    }

    #[test]
    fn a_line_that_is_no_number_is_named() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("n.txt");
        fs::write(&path, "# numbers\n2^64 + 13 # prime\n\nfive\n").unwrap();
        let error = read_candidates(&path).unwrap_err().to_string();
        assert!(error.contains("n.txt:4: `five`"), "{error}");
        fs::write(&path, "2^64 + 13 # prime\n\n15\n").unwrap();
        assert_eq!(read_candidates(&path).unwrap(), [BigUint::from((1_u128 << 64) + 13), 15_u8.into()]);
    }
}
