//! Bounds and numbers of curves for a factor's digits.

use std::sync::LazyLock;

use limbforge_hunts::HuntError;

use crate::rho::Rho;

/// The bounds B1 for factors of so many digits: GMP-ECM's README, table 1, and 2000 for 15 digits.
const BOUNDS: [(u32, u32); 6] =
    [(15, 2_000), (20, 11_000), (25, 50_000), (30, 250_000), (35, 1_000_000), (40, 3_000_000)];

/// Stage 2 goes up to so many times B1: it takes as long as stage 1 then, within a factor of 2.
const RATIO: u64 = 100;

/// ln of what a curve of `-param 3` gains: its order has the chance of a random number that is so many times smaller. From
/// the number of curves that GMP-ECM 7 expects (`ecm -v -param 3 -power 1`).
const LN_GAIN: f64 = 2.045;

static RHO: LazyLock<Rho> = LazyLock::new(Rho::new);

/// The search for factors of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Their decimal digits.
    pub digits: u32,
    /// The bound of stage 1.
    pub b1: u32,
    /// That of stage 2.
    pub b2: u64,
    /// The expected number of curves, after which 37 of 100 factors are not found yet.
    pub curves: u64,
}

/// B1 and B2 for factors of so many digits, from 15 to 40.
///
/// # Errors
/// [`HuntError::Argument`] for other numbers of digits.
pub fn bounds_of(digits: u32) -> Result<Level, HuntError> {
    let row = BOUNDS.iter().find(|(most, _)| digits <= *most).filter(|_| digits > 0);
    let (_, b1) =
        row.ok_or_else(|| HuntError::argument(format!("expected from 1 to 40 digits, found {digits}")))?;
    let b2 = RATIO * u64::from(*b1);
    Ok(Level { digits, b1: *b1, b2, curves: expected_curves(digits, *b1, b2) })
}

/// The levels up to factors of so many digits: 15, 20, ..., and `digits` itself.
///
/// # Errors
/// Those of [`bounds_of`].
pub(crate) fn levels_to(digits: u32) -> Result<Vec<Level>, HuntError> {
    let before = BOUNDS.iter().map(|(row, _)| *row).filter(|row| *row < digits);
    before.chain([digits]).map(bounds_of).collect()
}

/// The number of curves after which a prime of so many digits is expected to be found: the inverse of the chance of one.
#[must_use]
pub fn expected_curves(digits: u32, b1: u32, b2: u64) -> u64 {
    // The middle of the primes of these digits, as GMP-ECM takes it.
    let ln_p = (f64::from(digits) - 0.5) * std::f64::consts::LN_10;
    let chance = RHO.chance(ln_p - LN_GAIN, b1.into(), b2 as f64);
    (1.0 / chance.max(1e-18)).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of curves that GMP-ECM 7.0.5 prints: `ecm -v -param 3 -power 1 B1 B2`.
    #[test]
    fn curves_are_as_many_as_gmp_ecm_expects() {
        for (digits, b1, b2, expected) in [
            (35, 50_000, 5_000_000, 129_752.0),
            (40, 50_000, 5_000_000, 3_629_632.0),
            (35, 250_000, 25_000_000, 10_227.0),
            (40, 250_000, 25_000_000, 153_930.0),
            (50, 250_000, 25_000_000, 5.9e7),
        ] {
            let found = expected_curves(digits, b1, b2) as f64;
            assert!((found / expected - 1.0).abs() < 0.05, "{digits} {b1}: {found}, expected {expected}");
        }
    }

    #[test]
    fn levels_grow_to_the_last() {
        let levels = levels_to(27).unwrap();
        assert_eq!(levels.iter().map(|level| level.digits).collect::<Vec<_>>(), [15, 20, 25, 27]);
        assert_eq!(levels.iter().map(|level| level.b1).collect::<Vec<_>>(), [2000, 11_000, 50_000, 250_000]);
        assert!(levels.is_sorted_by_key(|level| level.b2));
        assert!(levels_to(41).is_err() && levels_to(0).is_err());
        assert_eq!(levels_to(15).unwrap().len(), 1);
    }
}
