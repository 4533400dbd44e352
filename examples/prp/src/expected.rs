//! The number of finds that the conjecture of Hardy and Littlewood expects (Bateman and Horn, "A heuristic asymptotic
//! formula concerning the distribution of prime numbers", 1962).

use limbforge_hunts::HuntError;
use num_bigint::BigUint;

use crate::family::Family;
use crate::roots::Roots;

/// The product over primes is cut here: the rest changes it by less than 10^-6 for a few forms.
const PRODUCT: u32 = 1_000_000;

/// Parts of a range between which logarithms are taken.
const PARTS: u64 = 256;

/// The density of the finds of a family.
#[derive(Clone, Debug)]
pub struct Density {
    family: Family,
    constant: f64,
}

impl Density {
    /// The density of a family, by the product over primes q of (1 - w(q) / q) / (1 - 1 / q)^k, where w(q) of the
    /// indices modulo q have a value that q divides, for k forms.
    ///
    /// # Errors
    /// Those of [`Roots::new`].
    pub fn new(family: &Family) -> Result<Self, HuntError> {
        let k = family.forms().len() as f64;
        let roots = Roots::new(family, PRODUCT)?;
        let logarithm = roots.counts().map(|(q, count)| {
            let q = f64::from(q);
            (-f64::from(count) / q).ln_1p() - k * (-1.0 / q).ln_1p()
        });
        Ok(Self { family: family.clone(), constant: logarithm.sum::<f64>().exp() })
    }

    /// The constant.
    #[must_use]
    pub const fn constant(&self) -> f64 {
        self.constant
    }

    /// The finds that are expected at the indices from `first` to below `end`.
    #[must_use]
    pub fn expected(&self, first: u64, end: u64) -> f64 {
        let mut sum = 0.0;
        // Parts that double, as logarithms change most where numbers are small.
        let mut from = first;
        while from < end {
            let part = (from + 1).min((end - first).div_ceil(PARTS)).min(end - from);
            sum += part as f64 / self.logarithms(from + part / 2);
            from += part;
        }
        self.constant * sum
    }

    /// The product of the logarithms of all values at an index.
    fn logarithms(&self, index: u64) -> f64 {
        self.family.forms().iter().map(|form| ln(&form.value(index))).product()
    }
}

/// The natural logarithm, at least ln 2.
pub(crate) fn ln(value: &BigUint) -> f64 {
    let shift = value.bits().saturating_sub(64);
    let high = u64::try_from(value >> shift).unwrap_or(u64::MAX);
    ((high.max(2) as f64).ln() + shift as f64 * std::f64::consts::LN_2).max(std::f64::consts::LN_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constant(offsets: &[u64]) -> f64 {
        let family = Family::range(&3_u8.into(), &10_001_u32.into(), offsets).unwrap();
        // One number of two is looked at.
        Density::new(&family).unwrap().constant() / 2.0
    }

    /// 2 C2 = 1.3203236, 2.8582486 and 4.1511808: Hardy and Littlewood, "Partitio numerorum III", as in
    /// <https://mathworld.wolfram.com/k-TupleConjecture.html>.
    #[test]
    fn published_constants() {
        for (offsets, expected) in
            [(&[0][..], 1.0), (&[0, 2], 1.320_323_6), (&[0, 2, 6], 2.858_248_6), (&[0, 2, 6, 8], 4.151_180_8)]
        {
            let found = constant(offsets);
            assert!((found / expected - 1.0).abs() < 2e-6, "{offsets:?}: {found}, expected {expected}");
        }
    }

    /// pi(10^8) - pi(10^6) = 5761455 - 78498 and 440312 - 8169 twins: <https://oeis.org/A006880>,
    /// <https://oeis.org/A007508>.
    #[test]
    fn counts_are_near_to_what_is_expected() {
        for (offsets, count) in [(&[0][..], 5_682_957.0), (&[0, 2], 432_143.0)] {
            let (first, end): (BigUint, BigUint) = (1_000_000_u32.into(), 100_000_000_u32.into());
            let family = Family::range(&first, &end, offsets).unwrap();
            let found = Density::new(&family).unwrap().expected(0, family.count());
            assert!((found / count - 1.0).abs() < 3e-3, "{offsets:?}: {found}, {count}");
        }
    }

    #[test]
    fn logarithms_of_large_numbers() {
        let number = BigUint::from(10_u8).pow(300);
        assert!((ln(&number) / (300.0 * 10_f64.ln()) - 1.0).abs() < 1e-12);
    }
}
