//! Polynomials over any field, as slices of coefficients: conversions and operations of linear cost.

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
    pub(super) field: C,
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
        self.trim(coefficients.iter().map(|&x| self.field.element(x)).collect())
    }

    /// The coefficients as residues in `0..p`.
    #[must_use]
    pub fn to_integers(&self, a: &[C::Element]) -> Vec<u64> {
        self.trimmed(a).iter().map(|&x| self.field.value(x)).collect()
    }

    /// The coefficients up to the last nonzero one.
    #[must_use]
    pub fn trimmed<'a>(&self, a: &'a [C::Element]) -> &'a [C::Element] {
        let len = a.iter().rposition(|&x| x != self.field.zero()).map_or(0, |last| last + 1);
        &a[..len]
    }

    /// [`trimmed`](Self::trimmed) in place.
    pub(super) fn trim(self, mut a: Vec<C::Element>) -> Vec<C::Element> {
        a.truncate(self.trimmed(&a).len());
        a
    }

    /// `a + b`.
    #[must_use]
    pub fn add(&self, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
        let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
        let mut sum = long.to_vec();
        sum.iter_mut().zip(short).for_each(|(x, &y)| *x = self.field.add(*x, y));
        self.trim(sum)
    }

    /// `a - b`.
    #[must_use]
    pub fn sub(&self, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
        let mut difference = a.to_vec();
        difference.resize(a.len().max(b.len()), self.field.zero());
        difference.iter_mut().zip(b).for_each(|(x, &y)| *x = self.field.sub(*x, y));
        self.trim(difference)
    }

    /// `factor * a`.
    #[must_use]
    pub fn scale(&self, a: &[C::Element], factor: C::Element) -> Vec<C::Element> {
        self.trim(a.iter().map(|&x| self.field.mul(x, factor)).collect())
    }

    /// `a -= factor * b` up to the length of the shorter one.
    #[inline]
    pub(super) fn sub_scaled(self, a: &mut [C::Element], b: &[C::Element], factor: C::Element) {
        for (x, &y) in a.iter_mut().zip(b) {
            *x = self.field.sub(*x, self.field.mul(y, factor));
        }
    }

    /// The multiple of a with leading coefficient 1; 0 for 0.
    #[must_use]
    pub fn monic(&self, a: &[C::Element]) -> Vec<C::Element> {
        let a = self.trimmed(a);
        a.last().map_or_else(Vec::new, |&leading| self.scale(a, self.field.inverse(leading)))
    }

    /// a', with exponents mod p.
    #[must_use]
    pub fn derivative(&self, a: &[C::Element]) -> Vec<C::Element> {
        let terms = a.iter().enumerate().skip(1);
        self.trim(terms.map(|(i, &x)| self.field.mul(x, self.field.element(i as u64))).collect())
    }
}
