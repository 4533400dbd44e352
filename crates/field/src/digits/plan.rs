//! Digits and points for operands of given widths.

use core::cmp::Reverse;

use num_bigint::BigUint;

use super::{DigitError, PrimeSet, largest_sum};

/// Width limit of operands, which no transform reaches.
const MAX_OPERAND_BITS: u64 = 1 << 40;

/// A sum of `terms` products a*b with one inverse transform. The operands are unsigned; full and low products
/// use the same transforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DigitRequest {
    /// Bits of the first operands, 1 to 2^40.
    pub a_bits: u64,
    /// Bits of the second operands, 1 to 2^40.
    pub b_bits: u64,
    /// t, the number of products added, at least 1.
    pub terms: u64,
}

impl DigitRequest {
    /// One product of two operands of `bits` bits.
    #[must_use]
    pub const fn product(bits: u64) -> Self {
        Self { a_bits: bits, b_bits: bits, terms: 1 }
    }

    fn check(&self) -> Result<(), DigitError> {
        let wrong =
            [self.a_bits, self.b_bits].into_iter().find(|bits| !(1..=MAX_OPERAND_BITS).contains(bits));
        match wrong {
            Some(bits) => Err(DigitError::Operand { bits }),
            None if self.terms == 0 => Err(DigitError::NoTerms),
            None => Ok(()),
        }
    }

    /// Digits of b bits of the first and the second operands.
    fn digits(&self, b: u32) -> [u64; 2] {
        [self.a_bits, self.b_bits].map(|bits| bits.div_ceil(b.into()))
    }

    /// n * t for b-bit digits, n the largest number of products in a coefficient of one term.
    fn all_products(&self, b: u32) -> BigUint {
        let [first, second] = self.digits(b);
        BigUint::from(first.min(second)) * self.terms
    }
}

/// Digits and points of an exact sum of products, made by [`PrimeSet::plan`] or
/// [`PrimeSet::plan_with_digit_bits`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigitPlan {
    request: DigitRequest,
    digit_bits: u32,
    points: u64,
    primes: usize,
}

impl DigitPlan {
    /// b, the bits of a digit.
    #[must_use]
    pub const fn digit_bits(&self) -> u32 {
        self.digit_bits
    }

    /// Digits of the first operands.
    #[must_use]
    pub fn a_digits(&self) -> u64 {
        self.request.digits(self.digit_bits)[0]
    }

    /// Digits of the second operands.
    #[must_use]
    pub fn b_digits(&self) -> u64 {
        self.request.digits(self.digit_bits)[1]
    }

    /// n, the largest number of products in a coefficient of one term.
    #[must_use]
    pub fn products(&self) -> u64 {
        self.a_digits().min(self.b_digits())
    }

    /// Coefficients of the full product.
    #[must_use]
    pub fn coefficients(&self) -> u64 {
        self.a_digits() + self.b_digits() - 1
    }

    /// The largest coefficient, t * n * (2^b - 1)^2. It is below the product of the primes.
    #[must_use]
    pub fn largest_coefficient(&self) -> BigUint {
        largest_sum(&self.request.all_products(self.digit_bits), self.digit_bits)
    }

    /// L, the points of each transform: a power of two, or three times one.
    #[must_use]
    pub const fn points(&self) -> u64 {
        self.points
    }

    /// Number of primes; each transform runs modulo all of them.
    #[must_use]
    pub const fn primes(&self) -> usize {
        self.primes
    }
}

impl PrimeSet {
    /// The plan with the fewest points. Among digit widths with these points it prefers whole words or bytes,
    /// which need no shifts, and then the widest.
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
    /// [`DigitError`] if an operand or the sum is empty or too large, or there are more coefficients than
    /// points.
    pub fn plan(&self, request: &DigitRequest) -> Result<DigitPlan, DigitError> {
        request.check()?;
        let widest = self.widest(request)?;
        let shortest = self.plan_with_digit_bits(request, widest)?;
        let plans = (1..=widest).rev().map_while(|bits| self.plan_with_digit_bits(request, bits).ok());
        let equal = plans.take_while(|plan| plan.points == shortest.points);
        // The first of several equals is the widest.
        Ok(equal.min_by_key(|plan| Reverse(alignment(plan.digit_bits))).unwrap_or(shortest))
    }

    /// The plan with digits of a given width.
    ///
    /// # Errors
    /// [`DigitError`]; [`Inexact`](DigitError::Inexact) if the digits are too wide.
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
        let plan = DigitPlan { request: *request, digit_bits, points: 0, primes: self.primes().len() };
        let coefficients = plan.coefficients();
        match self.shortest_length(coefficients) {
            Some(points) => Ok(DigitPlan { points, ..plan }),
            None => {
                let (set, longest) = (self.name().to_owned(), self.longest_length());
                Err(DigitError::Length { set, digit_bits, coefficients, longest })
            }
        }
    }

    /// The widest exact digits. All narrower digits are exact, too: one more bit makes a product of two
    /// digits more than four times as large, and at most halves the number of digits.
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
