//! From the width of operands to digits and points.

use core::cmp::Reverse;

use num_bigint::BigUint;

use super::error::DigitError;
use super::prime_set::PrimeSet;
use super::{largest_sum, wrap_is_dropped};

/// Widest operands: what fits the number of points of any transform.
const MAX_OPERAND_BITS: u64 = 1 << 40;

/// A sum of `terms` products a*b that is transformed back once. Unsigned operands; full and low products take the same
/// transforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DigitRequest {
    /// Bits of the first operands, 1 to 2^40.
    pub a_bits: u64,
    /// Bits of the second operands, 1 to 2^40.
    pub b_bits: u64,
    /// t: products that are added, 1 or more.
    pub terms: u64,
}

impl DigitRequest {
    /// One product of two operands of as many bits.
    #[must_use]
    pub const fn product(bits: u64) -> Self {
        Self { a_bits: bits, b_bits: bits, terms: 1 }
    }

    /// The same for a sum of products.
    #[must_use]
    pub const fn with_terms(self, terms: u64) -> Self {
        Self { terms, ..self }
    }

    fn check(&self) -> Result<(), DigitError> {
        for bits in [self.a_bits, self.b_bits] {
            if !(1..=MAX_OPERAND_BITS).contains(&bits) {
                return Err(DigitError::Operand { bits });
            }
        }
        if self.terms == 0 { Err(DigitError::NoTerms) } else { Ok(()) }
    }

    /// n of digits of b bits: products that a coefficient of one term sums up, at most.
    fn products(&self, digit_bits: u32) -> u64 {
        self.a_bits.min(self.b_bits).div_ceil(digit_bits.into())
    }

    /// n * t.
    fn all_products(&self, digit_bits: u32) -> BigUint {
        BigUint::from(self.products(digit_bits)) * self.terms
    }

    /// Coefficients of the full product of digits of b bits.
    fn coefficients(&self, digit_bits: u32) -> u64 {
        self.a_bits.div_ceil(digit_bits.into()) + self.b_bits.div_ceil(digit_bits.into()) - 1
    }
}

/// Digits and points by which a sum of products is exact. Only [`PrimeSet::plan`] and
/// [`PrimeSet::plan_with_digit_bits`] make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigitPlan {
    request: DigitRequest,
    digit_bits: u32,
    points: u64,
    primes: usize,
}

impl DigitPlan {
    /// What the plan is for.
    #[must_use]
    pub const fn request(&self) -> DigitRequest {
        self.request
    }

    /// b.
    #[must_use]
    pub const fn digit_bits(&self) -> u32 {
        self.digit_bits
    }

    /// Digits of the first operands.
    #[must_use]
    pub fn a_digits(&self) -> u64 {
        self.request.a_bits.div_ceil(self.digit_bits.into())
    }

    /// Digits of the second operands.
    #[must_use]
    pub fn b_digits(&self) -> u64 {
        self.request.b_bits.div_ceil(self.digit_bits.into())
    }

    /// n: products that a coefficient of one term sums up, at most.
    #[must_use]
    pub fn products(&self) -> u64 {
        self.request.products(self.digit_bits)
    }

    /// Coefficients of the full product, none of which wraps.
    #[must_use]
    pub fn coefficients(&self) -> u64 {
        self.request.coefficients(self.digit_bits)
    }

    /// t * n * (2^b - 1)^2, the largest coefficient; below the product of the primes.
    #[must_use]
    pub fn largest_coefficient(&self) -> BigUint {
        largest_sum(&self.request.all_products(self.digit_bits), self.digit_bits)
    }

    /// L: points of each transform, a power of two or three times one.
    #[must_use]
    pub const fn points(&self) -> u64 {
        self.points
    }

    /// Primes modulo each of which all transforms are made.
    #[must_use]
    pub const fn primes(&self) -> usize {
        self.primes
    }
}

impl PrimeSet {
    /// The plan with the fewest points. Of the widths that have these, one of whole words or bytes is preferred, because
    /// such digits need no shifts; then the widest.
    ///
    /// ```
    /// use limbforge_field::digits::{DigitRequest, PrimeSet};
    /// let set = PrimeSet::new("5x28", &[268_582_913, 268_664_833, 268_730_369, 268_779_521, 268_861_441])?;
    /// let plan = set.plan(&DigitRequest::product(1 << 18))?;
    /// assert_eq!((plan.digit_bits(), plan.a_digits(), plan.points()), (64, 4096, 8192));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DigitError`]: operands that are none, a sum of too many products, or more coefficients than points.
    pub fn plan(&self, request: &DigitRequest) -> Result<DigitPlan, DigitError> {
        request.check()?;
        let widest = self.widest(request)?;
        let shortest = self.plan_with_digit_bits(request, widest)?;
        let plans = (1..=widest).rev().map_while(|bits| self.plan_with_digit_bits(request, bits).ok());
        let equal = plans.take_while(|plan| plan.points == shortest.points);
        // The first of equal ones is the widest.
        Ok(equal.min_by_key(|plan| Reverse(alignment(plan.digit_bits))).unwrap_or(shortest))
    }

    /// The plan with digits of a given width.
    ///
    /// # Errors
    /// [`DigitError`], of which [`Inexact`](DigitError::Inexact) if the digits are too wide.
    pub fn plan_with_digit_bits(
        &self,
        request: &DigitRequest,
        digit_bits: u32,
    ) -> Result<DigitPlan, DigitError> {
        request.check()?;
        if digit_bits == 0 {
            return Err(DigitError::NoDigitBits);
        }
        self.check_digits(digit_bits, request.all_products(digit_bits))?;
        let coefficients = request.coefficients(digit_bits);
        let points = self.shortest_length(coefficients);
        match points.filter(|&points| wrap_is_dropped(coefficients, points, &(0..coefficients))) {
            Some(points) => {
                Ok(DigitPlan { request: *request, digit_bits, points, primes: self.primes().len() })
            }
            None => Err(DigitError::Length {
                set: self.name().to_owned(),
                digit_bits,
                coefficients,
                longest: self.longest_length(),
            }),
        }
    }

    /// The widest exact digits. Wider digits are fewer, but a bit more makes a product of two more than four times as large
    /// and at most halves their number, so that all narrower digits are exact too.
    fn widest(&self, request: &DigitRequest) -> Result<u32, DigitError> {
        let longest = request.a_bits.max(request.b_bits);
        let start = self.max_digit_bits(&request.terms.into()).min(longest.min(u64::from(u32::MAX)) as u32);
        let exact = |&bits: &u32| self.check_digits(bits, request.all_products(bits)).is_ok();
        match (1..=start).rev().find(exact) {
            Some(bits) => Ok(bits),
            None => self.check_digits(1, request.all_products(1)).map(|()| 1),
        }
    }
}

/// Whole 64-bit words best, then 32, 16 and 8 bits, then any.
fn alignment(digit_bits: u32) -> u32 {
    match digit_bits.trailing_zeros() {
        zeros @ 3.. => zeros.min(6),
        _ => 0,
    }
}
