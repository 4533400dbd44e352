//! The giant steps and baby steps between two bounds.

use limbforge_hunts::HuntError;
use num_integer::Integer;

/// The steps between two bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// The giant step D: all m D + j and m D - j are looked at for j below D / 2 without a common divisor with D.
    pub step: u32,
    /// The numbers j.
    pub baby: Vec<u32>,
    /// The first m.
    pub first: u32,
    /// The number of giant steps, a multiple of 4.
    pub giants: u32,
}

impl Continuation {
    /// The steps whose m D + j and m D - j are all numbers between the bounds without a common divisor with D, and a few
    /// more; None if `b2` is not above `b1`.
    ///
    /// # Errors
    /// [`HuntError::Argument`] if B1 is below 105, or B2 above 2^40.
    pub fn new(b1: u32, b2: u64) -> Result<Option<Self>, HuntError> {
        if b2 <= b1.into() {
            return Ok(None);
        }
        if b1 < 105 || b2 > 1 << 40 {
            return Err(HuntError::argument(format!(
                "expected B1 from 105 on and B2 up to 2^40 for a stage 2, found {b1}, {b2}"
            )));
        }
        let step = if b1 >= 1155 && b2 >= 1_000_000 { 2310 } else { 210 };
        // From the m whose interval m D - D / 2 to m D + D / 2 has B1 in it to that of B2.
        let first = (b1 + step / 2) / step;
        let last = (b2 + u64::from(step / 2)) / u64::from(step);
        let giants = (last as u32 + 1 - first).next_multiple_of(4);
        let baby = (1..step / 2).filter(|j| j.gcd(&step) == 1).collect();
        Ok(Some(Self { step, baby, first, giants }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All primes between the bounds are some m D + j or m D - j.
    #[test]
    fn no_prime_between_the_bounds_is_missed() {
        for (b1, b2) in [(105, 5000), (2000, 200_000), (1155, 1_000_000), (11_000, 1_100_000), (200, 211)] {
            let plan = Continuation::new(b1, b2).unwrap().unwrap();
            let end = plan.first + plan.giants;
            for q in limbforge::field::primes::in_range(u64::from(b1) + 1..=b2).map(|q| q as u32) {
                let m = (q + plan.step / 2) / plan.step;
                assert!((plan.first..end).contains(&m), "{q}");
                assert!(plan.baby.contains(&q.abs_diff(m * plan.step)), "{q}");
            }
            assert!(u64::from((end - 1) * plan.step) < b2 + u64::from(4 * plan.step), "few more");
        }
        assert_eq!(Continuation::new(2000, 2000).unwrap(), None);
        assert!(Continuation::new(100, 2000).is_err());
    }
}
