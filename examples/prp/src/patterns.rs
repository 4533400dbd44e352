//! Patterns of offsets: the densest ones by name, or any list.

use limbforge_hunts::HuntError;

/// Names of constellations and their offsets: the densest patterns of each length that no prime forbids
/// (<https://pzktupel.de/ktpatt_hl.php>).
const NAMED: [(&str, &[u64]); 14] = [
    ("twins", &[0, 2]),
    ("cousins", &[0, 4]),
    ("sexy", &[0, 6]),
    ("triplets", &[0, 2, 6]),
    ("triplets-b", &[0, 4, 6]),
    ("quadruplets", &[0, 2, 6, 8]),
    ("quintuplets", &[0, 2, 6, 8, 12]),
    ("quintuplets-b", &[0, 4, 6, 10, 12]),
    ("sextuplets", &[0, 4, 6, 10, 12, 16]),
    ("septuplets", &[0, 2, 6, 8, 12, 18, 20]),
    ("septuplets-b", &[0, 2, 8, 12, 14, 18, 20]),
    ("octuplets", &[0, 2, 6, 8, 12, 18, 20, 26]),
    ("octuplets-b", &[0, 2, 6, 12, 14, 20, 24, 26]),
    ("octuplets-c", &[0, 6, 8, 14, 18, 20, 24, 26]),
];

/// The offsets of a pattern: a name such as `quadruplets`, or a list such as `0,2,6,8`.
///
/// # Errors
/// [`HuntError::Argument`] if it is neither, or the list does not begin with 0 and grow.
pub fn pattern(text: &str) -> Result<Vec<u64>, HuntError> {
    if let Some((_, offsets)) = NAMED.iter().find(|(name, _)| *name == text) {
        return Ok(offsets.to_vec());
    }
    tuple_offsets(text).ok_or_else(|| {
        let names = NAMED.map(|(name, _)| name).join(", ");
        HuntError::argument(format!(
            "pattern `{text}`: expected offsets that grow from 0, such as 0,2,6, or one of {names}"
        ))
    })
}

/// A list of numbers that grow from 0.
fn tuple_offsets(text: &str) -> Option<Vec<u64>> {
    let offsets: Vec<u64> =
        text.split(',').map(|offset| offset.trim().parse().ok()).collect::<Option<_>>()?;
    (offsets[0] == 0 && offsets.is_sorted_by(|a, b| a < b)).then_some(offsets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Family, Roots};

    #[test]
    fn names_and_lists() {
        assert_eq!(pattern("0, 2,6").unwrap(), pattern("triplets").unwrap());
        for text in ["", "2,4", "0,0", "0,4,2", "quads", "0,-2"] {
            assert!(pattern(text).is_err(), "{text}");
        }
    }

    #[test]
    fn no_prime_forbids_a_named_pattern() {
        for (name, offsets) in NAMED {
            let family = Family::range(&10_001_u32.into(), &90_001_u32.into(), offsets).unwrap();
            assert!(Roots::new(&family, 100).is_ok(), "{name}");
        }
    }
}
