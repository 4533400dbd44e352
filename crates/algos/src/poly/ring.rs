//! Polynomials over any field, as slices of coefficients.

use num_bigint::BigUint;

use super::div::QuotientRemainder;
use super::gcd::extended::Extended;
use super::{PolyError, div, gcd, linear, mul, pack, points};
use crate::transform::context::Context;

/// The polynomials over a field, which may be known at run time. Coefficients go from low to high; arguments
/// may end with zeros, results do not.
///
/// ```
/// use limbforge_algos::poly::PolyRing;
/// use limbforge_field::DynField;
///
/// let ring = PolyRing::new(DynField::new(97)?);
/// // (x + 1)(x + 2) and (x + 1)(x + 3)
/// let (a, b) = (ring.from_integers(&[2, 3, 1]), ring.from_integers(&[3, 4, 1]));
/// assert_eq!(ring.to_integers(&ring.gcd(&a, &b)), [1, 1]);
/// let (q, r) = ring.div_rem(&a, &b)?;
/// assert_eq!((ring.to_integers(&q), ring.to_integers(&r)), (vec![1], vec![96, 96]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct PolyRing<C> {
    field: C,
}

impl<C: Context> PolyRing<C> {
    /// The polynomials over this field.
    #[must_use]
    pub const fn new(field: C) -> Self {
        Self { field }
    }

    /// The field.
    #[must_use]
    pub const fn field(&self) -> C {
        self.field
    }

    /// The polynomial with these coefficients mod p.
    #[must_use]
    pub fn from_integers(&self, coefficients: &[u64]) -> Vec<C::Element> {
        linear::trim(self.field, coefficients.iter().map(|&x| self.field.element(x)).collect())
    }

    /// The coefficients as residues in `0..p`.
    #[must_use]
    pub fn to_integers(&self, a: &[C::Element]) -> Vec<u64> {
        linear::trimmed(self.field, a).iter().map(|&x| self.field.value(x)).collect()
    }

    /// The coefficients up to the last one that is not 0.
    #[must_use]
    pub fn trimmed<'a>(&self, a: &'a [C::Element]) -> &'a [C::Element] {
        linear::trimmed(self.field, a)
    }

    /// `a + b`.
    #[must_use]
    pub fn add(&self, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
        linear::add(self.field, a, b)
    }

    /// `a - b`.
    #[must_use]
    pub fn sub(&self, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
        linear::sub(self.field, a, b)
    }

    /// `factor * a`.
    #[must_use]
    pub fn scale(&self, a: &[C::Element], factor: C::Element) -> Vec<C::Element> {
        linear::scale(self.field, a, factor)
    }

    /// `a * b`.
    #[must_use]
    pub fn mul(&self, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
        mul::product(self.field, a, b)
    }

    /// `(q, r)` with `a = q b + r` and r of a degree below that of b.
    ///
    /// # Errors
    /// [`PolyError::ZeroDivisor`] if b is 0.
    pub fn div_rem(
        &self,
        a: &[C::Element],
        b: &[C::Element],
    ) -> Result<QuotientRemainder<C::Element>, PolyError> {
        div::div_rem(self.field, a, b)
    }

    /// The monic greatest common divisor; 0 for two polynomials 0.
    #[must_use]
    pub fn gcd(&self, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
        gcd::gcd(self.field, a, b)
    }

    /// The monic greatest common divisor with s and t, `s a + t b = gcd`.
    ///
    /// # Errors
    /// [`PolyError::BothZero`] if a and b are.
    pub fn xgcd(&self, a: &[C::Element], b: &[C::Element]) -> Result<Extended<C::Element>, PolyError> {
        gcd::extended::xgcd(self.field, a, b)
    }

    /// The multiple of a with the leading coefficient 1; 0 for 0.
    #[must_use]
    pub fn monic(&self, a: &[C::Element]) -> Vec<C::Element> {
        linear::monic(self.field, a)
    }

    /// a', with exponents mod p.
    #[must_use]
    pub fn derivative(&self, a: &[C::Element]) -> Vec<C::Element> {
        linear::derivative(self.field, a)
    }

    /// a(x).
    #[must_use]
    pub fn evaluate(&self, a: &[C::Element], x: C::Element) -> C::Element {
        linear::evaluate(self.field, a, x)
    }

    /// The polynomial of the least degree with these values at these points, in n^2 steps.
    ///
    /// # Errors
    /// [`PolyError::Values`] if there are not as many values as points, [`PolyError::RepeatedPoint`] for
    /// equal points.
    pub fn interpolate(
        &self,
        points: &[C::Element],
        values: &[C::Element],
    ) -> Result<Vec<C::Element>, PolyError> {
        points::interpolate(self.field, points, values)
    }

    /// The integer whose digits in base 2^bits are the residues of the coefficients.
    ///
    /// # Errors
    /// [`PolyError::NarrowDigits`] if residues may have more bits.
    pub fn to_integer(&self, a: &[C::Element], bits: u32) -> Result<BigUint, PolyError> {
        pack::to_integer(self.field, a, bits)
    }

    /// The polynomial whose coefficients are the digits of the integer in base 2^bits, mod p.
    ///
    /// # Errors
    /// [`PolyError::NarrowDigits`] if residues may have more bits.
    pub fn from_integer(&self, integer: &BigUint, bits: u32) -> Result<Vec<C::Element>, PolyError> {
        pack::from_integer(self.field, integer, bits)
    }
}
