//! Greatest common divisors: monic, and 0 only for two zero polynomials.

use super::{PolyError, PolyRing};
use crate::transform::context::Context;

impl<C: Context> PolyRing<C> {
    /// The monic greatest common divisor; 0 for two zero polynomials. Each step removes the leading term of
    /// the polynomial of higher degree by a multiple of the other (Algorithm 8 of the model's paper).
    #[must_use]
    pub fn gcd(&self, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
        let [mut a, mut b] = [a, b].map(|a| self.trimmed(a).to_vec());
        while let (Some(&a_leading), Some(&b_leading)) = (a.last(), b.last()) {
            if a.len() >= b.len() {
                let factor = self.field.mul(a_leading, self.field.inverse(b_leading));
                let shift = a.len() - b.len();
                self.sub_scaled(&mut a[shift..], &b, factor);
                a = self.trim(a);
            } else {
                core::mem::swap(&mut a, &mut b);
            }
        }
        self.monic(if a.is_empty() { &b } else { &a })
    }

    /// `[g, s, t]` with the monic greatest common divisor `g = s a + t b`, by Euclid's algorithm; t follows
    /// from s by one division. The degree of s is below that of `b / g`, and that of t below that of `a / g`,
    /// unless one operand is 0 or divides the other.
    ///
    /// # Errors
    /// [`PolyError::BothZero`] if a and b are 0.
    pub fn xgcd(&self, a: &[C::Element], b: &[C::Element]) -> Result<[Vec<C::Element>; 3], PolyError> {
        let (a, b) = (self.trimmed(a), self.trimmed(b));
        let (mut r, mut next) = (a.to_vec(), b.to_vec());
        let (mut s, mut next_s) = (vec![self.field.element(1)], Vec::new());
        while !next.is_empty() {
            let (quotient, rest) = self.div_rem(&r, &next)?;
            (r, next) = (next, rest);
            let combined = self.sub(&s, &self.mul(&quotient, &next_s));
            (s, next_s) = (next_s, combined);
        }
        let inverse = self.field.inverse(*r.last().ok_or(PolyError::BothZero)?);
        let (g, s) = (self.scale(&r, inverse), self.scale(&s, inverse));
        let t = match b {
            [] => Vec::new(),
            _ => self.div_rem(&self.sub(&g, &self.mul(&s, a)), b)?.0,
        };
        Ok([g, s, t])
    }
}
