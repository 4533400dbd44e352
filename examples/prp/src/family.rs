//! Families of candidates: linear functions of an index.

use limbforge_hunts::HuntError;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;

/// The function start + step * i.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The value at 0.
    pub start: BigUint,
    /// The difference of two values, at least 1.
    pub step: BigUint,
}

impl Form {
    /// The value at an index.
    #[must_use]
    pub fn value(&self, index: u64) -> BigUint {
        &self.start + &self.step * index
    }
}

/// Forms, of which all values at an index should be prime, for the indices below `count`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    forms: Vec<Form>,
    count: u64,
}

impl Family {
    /// The family of these forms.
    ///
    /// # Errors
    /// [`HuntError::Argument`] if there is no form or no index, a form has values below 3, or one of them is always
    /// divisible by a number, so that there are no primes among its values.
    pub fn new(forms: Vec<Form>, count: u64) -> Result<Self, HuntError> {
        if forms.is_empty() || count == 0 {
            return Err(HuntError::argument("expected a range with candidates, found an empty one"));
        }
        for form in &forms {
            let Form { start, step } = form;
            if *start < BigUint::from(3_u8) {
                return Err(HuntError::argument(format!("expected candidates of at least 3, found {start}")));
            }
            let common = start.gcd(step);
            if common > BigUint::from(1_u8) {
                return Err(HuntError::argument(format!(
                    "all candidates {start} + {step} i are divisible by {common}"
                )));
            }
        }
        Ok(Self { forms, count })
    }

    /// The odd numbers from `first` to below `end`, each plus each of the offsets.
    ///
    /// # Errors
    /// [`HuntError::Argument`] if `first` is below 3, the range has no odd number or more than 2^63, or an offset is
    /// odd, so that one of two numbers would be even.
    pub fn range(first: &BigUint, end: &BigUint, offsets: &[u64]) -> Result<Self, HuntError> {
        if *first < BigUint::from(3_u8) {
            return Err(HuntError::argument(format!("expected a range from 3 on, found {first}")));
        }
        if let Some(odd) = offsets.iter().find(|&&offset| offset % 2 == 1) {
            return Err(HuntError::argument(format!("expected even offsets, found {odd}")));
        }
        let first = first + u32::from(first.is_even());
        let length = if *end > first { end - &first } else { BigUint::ZERO };
        let count = u64::try_from((length + 1_u8) >> 1_u8).ok().filter(|&count| count <= 1 << 63);
        let count = count.ok_or_else(|| HuntError::argument("expected a range of at most 2^64 numbers"))?;
        let form = |offset: &u64| Form { start: &first + offset, step: 2_u8.into() };
        Self::new(offsets.iter().map(form).collect(), count)
    }

    /// The numbers k * b^n + c for k from `first` to `last`, for each of the c.
    ///
    /// # Errors
    /// [`HuntError::Argument`] if the range is empty, or all candidates have a common divisor.
    pub fn powers(power: &BigUint, first: u64, last: u64, constants: &[i64]) -> Result<Self, HuntError> {
        let count = last.checked_sub(first).and_then(|length| length.checked_add(1)).unwrap_or(0);
        let form = |&c: &i64| {
            let start = BigInt::from(power * first) + c;
            let negative =
                || HuntError::argument(format!("expected candidates of at least 3, found {start}"));
            Ok(Form { start: start.to_biguint().ok_or_else(negative)?, step: power.clone() })
        };
        Self::new(constants.iter().map(form).collect::<Result<_, HuntError>>()?, count)
    }

    /// With 2 p + 1 for each form p: Sophie Germain primes.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn with_safe_primes(self) -> Result<Self, HuntError> {
        let safe =
            self.forms.iter().map(|form| Form { start: &form.start * 2_u8 + 1_u8, step: &form.step * 2_u8 });
        let forms = self.forms.iter().cloned().chain(safe).collect();
        Self::new(forms, self.count)
    }

    /// The forms.
    #[must_use]
    pub fn forms(&self) -> &[Form] {
        &self.forms
    }

    /// The number of indices.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The bits of the largest value.
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.forms.iter().map(|form| form.value(self.count - 1).bits()).max().unwrap_or(0)
    }

    /// The largest prime that a sieve of all indices needs: the root of the largest value, if it has 32 bits.
    #[must_use]
    pub fn root(&self) -> u32 {
        let roots = self.forms.iter().map(|form| form.value(self.count - 1).sqrt());
        roots.max().and_then(|root| u32::try_from(root).ok()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_of_odd_numbers() {
        let range = |first: u32, end: u32| Family::range(&first.into(), &end.into(), &[0]);
        let numbers = |first, end| {
            let family = range(first, end).unwrap();
            (0..family.count()).map(|i| family.forms()[0].value(i)).collect::<Vec<_>>()
        };
        assert_eq!(numbers(3, 10), [3_u8, 5, 7, 9].map(BigUint::from));
        assert_eq!(numbers(4, 9), [5_u8, 7].map(BigUint::from));
        assert_eq!(numbers(9, 10), [9_u8].map(BigUint::from));
        for (first, end) in [(2, 10), (4, 5), (5, 5), (7, 3)] {
            assert!(range(first, end).is_err(), "{first} {end}");
        }
        assert!(Family::range(&3_u8.into(), &9_u8.into(), &[0, 3]).is_err());
    }

    #[test]
    fn families_without_primes_are_refused() {
        let error = Family::powers(&30_u8.into(), 1, 10, &[5]).unwrap_err().to_string();
        assert_eq!(error, "all candidates 35 + 30 i are divisible by 5");
        assert!(Family::powers(&30_u8.into(), 10, 9, &[1]).is_err());
        let family = Family::powers(&16_u8.into(), 1, 10, &[-1]).unwrap().with_safe_primes().unwrap();
        assert_eq!(family.forms()[1], Form { start: 31_u8.into(), step: 32_u8.into() });
        assert_eq!((family.bits(), family.root()), (9, 17));
    }
}
