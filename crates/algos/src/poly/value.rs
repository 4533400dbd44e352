//! A polynomial over a field that its type knows.

use core::ops::{Add, Mul, Neg, Sub};

use limbforge_field::TwoAdicField;
use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::{PolyError, PolyRing};
use crate::transform::context::Fixed;

/// A polynomial over F. `+ - *` and unary `-` compute, on values and references.
///
/// ```
/// use limbforge_algos::poly::Poly;
/// use limbforge_field::presets::BabyBear;
///
/// let a = Poly::<BabyBear>::from_integers(&[2, 3, 1]); // (x + 1)(x + 2)
/// let b = Poly::from_integers(&[1, 1]);
/// let (q, r) = a.div_rem(&b)?;
/// assert_eq!((q.to_integers(), r.to_integers()), (vec![2, 1], vec![]));
/// assert_eq!(&q * &b, a);
/// # Ok::<(), limbforge_algos::poly::PolyError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Poly<F> {
    coefficients: Vec<F>,
}

impl<F: TwoAdicField> Poly<F> {
    /// The ring of polynomials over F, which computes with slices of coefficients.
    #[must_use]
    pub const fn ring() -> PolyRing<Fixed<F>> {
        PolyRing::new(Fixed::new())
    }

    /// The polynomial with these coefficients, from low to high.
    #[must_use]
    pub fn new(coefficients: Vec<F>) -> Self {
        Self { coefficients: Self::ring().trim(coefficients) }
    }

    /// The polynomial with these coefficients mod p, from low to high.
    #[must_use]
    pub fn from_integers(coefficients: &[u64]) -> Self {
        Self { coefficients: Self::ring().from_integers(coefficients) }
    }

    /// The coefficients as residues in `0..p`, from low to high.
    #[must_use]
    pub fn to_integers(&self) -> Vec<u64> {
        Self::ring().to_integers(&self.coefficients)
    }

    /// The integer whose digits in base 2^bits are the residues of the coefficients.
    ///
    /// # Errors
    /// [`PolyError::NarrowDigits`] if residues may have more bits.
    pub fn to_integer(&self, bits: u32) -> Result<BigUint, PolyError> {
        Self::ring().to_integer(&self.coefficients, bits)
    }

    /// The polynomial whose coefficients are the digits of the integer in base 2^bits, mod p.
    ///
    /// # Errors
    /// [`PolyError::NarrowDigits`] if residues may have more bits.
    pub fn from_integer(integer: &BigUint, bits: u32) -> Result<Self, PolyError> {
        Ok(Self { coefficients: Self::ring().from_integer(integer, bits)? })
    }

    /// The coefficients from low to high. The last one is not 0; the polynomial 0 has none.
    #[must_use]
    pub fn coefficients(&self) -> &[F] {
        &self.coefficients
    }

    /// The degree, or `None` for 0.
    #[must_use]
    pub const fn degree(&self) -> Option<usize> {
        self.coefficients.len().checked_sub(1)
    }

    /// `(q, r)` with `self = q b + r` and r of a degree below that of b.
    ///
    /// # Errors
    /// [`PolyError::ZeroDivisor`] if b is 0.
    pub fn div_rem(&self, b: &Self) -> Result<(Self, Self), PolyError> {
        let (quotient, remainder) = Self::ring().div_rem(&self.coefficients, &b.coefficients)?;
        Ok((Self { coefficients: quotient }, Self { coefficients: remainder }))
    }

    /// The monic greatest common divisor; 0 for two zero polynomials.
    #[must_use]
    pub fn gcd(&self, b: &Self) -> Self {
        Self { coefficients: Self::ring().gcd(&self.coefficients, &b.coefficients) }
    }

    /// `(g, s, t)` with `s self + t b = g`, the monic greatest common divisor.
    ///
    /// # Errors
    /// [`PolyError::BothZero`] if both are 0.
    pub fn xgcd(&self, b: &Self) -> Result<(Self, Self, Self), PolyError> {
        let found = Self::ring().xgcd(&self.coefficients, &b.coefficients)?;
        Ok(found.map(|coefficients| Self { coefficients }).into())
    }

    /// The multiple with leading coefficient 1; 0 for 0.
    #[must_use]
    pub fn monic(&self) -> Self {
        Self { coefficients: Self::ring().monic(&self.coefficients) }
    }

    /// The derivative, with exponents mod p.
    #[must_use]
    pub fn derivative(&self) -> Self {
        Self { coefficients: Self::ring().derivative(&self.coefficients) }
    }

    /// The value at x.
    #[must_use]
    pub fn evaluate(&self, x: F) -> F {
        Self::ring().evaluate(&self.coefficients, x)
    }

    /// The polynomial of least degree with these values at these points, in n^2 steps.
    ///
    /// # Errors
    /// Those of [`PolyRing::interpolate`].
    pub fn interpolate(points: &[F], values: &[F]) -> Result<Self, PolyError> {
        Ok(Self { coefficients: Self::ring().interpolate(points, values)? })
    }
}

impl<F> AsRef<[F]> for Poly<F> {
    fn as_ref(&self) -> &[F] {
        &self.coefficients
    }
}

impl<F: TwoAdicField> From<Vec<F>> for Poly<F> {
    fn from(coefficients: Vec<F>) -> Self {
        Self::new(coefficients)
    }
}

macro_rules! operators {
    ($($Trait:ident $method:ident),+) => {$(
        impl<F: TwoAdicField> $Trait<&Poly<F>> for &Poly<F> {
            type Output = Poly<F>;

            fn $method(self, b: &Poly<F>) -> Poly<F> {
                Poly { coefficients: Poly::<F>::ring().$method(&self.coefficients, &b.coefficients) }
            }
        }

        impl<F: TwoAdicField> $Trait for Poly<F> {
            type Output = Self;

            fn $method(self, b: Self) -> Self {
                (&self).$method(&b)
            }
        }
    )+};
}

operators!(Add add, Sub sub, Mul mul);

impl<F: TwoAdicField> Neg for &Poly<F> {
    type Output = Poly<F>;

    fn neg(self) -> Poly<F> {
        Poly { coefficients: self.coefficients.iter().map(|&x| -x).collect() }
    }
}

impl<F: TwoAdicField> Neg for Poly<F> {
    type Output = Self;

    fn neg(self) -> Self {
        -&self
    }
}

impl<F: TwoAdicField> Zero for Poly<F> {
    fn zero() -> Self {
        Self { coefficients: Vec::new() }
    }

    fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }
}

impl<F: TwoAdicField> One for Poly<F> {
    fn one() -> Self {
        Self { coefficients: vec![F::ONE] }
    }
}
