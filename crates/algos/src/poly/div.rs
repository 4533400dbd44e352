//! Euclidean division: `a = q b + r` with r of a degree below that of b, for b other than 0.

use super::{PolyError, PolyRing};
use crate::transform::context::Context;

/// Terms of the divisor and of the quotient from which on Newton's inverse is faster, for words of 32 and 64
/// bits, with a transform over the field and without.
const NEWTON: usize = 576;

/// `(q, r)`, or [`PolyError::ZeroDivisor`].
pub type Division<E> = Result<(Vec<E>, Vec<E>), PolyError>;

/// The operands of a division without zeros at the end.
struct Operands<'b, E> {
    /// The dividend, reduced in place to the remainder.
    a: Vec<E>,
    b: &'b [E],
    /// The inverse of b's leading coefficient.
    inverse: E,
    /// As long as the quotient; all 0.
    quotient: Vec<E>,
}

impl<C: Context> PolyRing<C> {
    /// `(q, r)` by the faster of [`div_rem_naive`](Self::div_rem_naive) and
    /// [`div_rem_newton`](Self::div_rem_newton).
    ///
    /// # Errors
    /// [`PolyError::ZeroDivisor`] if b is 0.
    pub fn div_rem(&self, a: &[C::Element], b: &[C::Element]) -> Division<C::Element> {
        let (a, b) = (self.trimmed(a), self.trimmed(b));
        let terms = (a.len() + 1).saturating_sub(b.len());
        if b.len().min(terms) < NEWTON { self.div_rem_naive(a, b) } else { self.div_rem_newton(a, b) }
    }

    fn operands<'b>(
        self,
        a: &[C::Element],
        b: &'b [C::Element],
    ) -> Result<Operands<'b, C::Element>, PolyError> {
        let (a, b) = (self.trimmed(a).to_vec(), self.trimmed(b));
        let &leading = b.last().ok_or(PolyError::ZeroDivisor)?;
        let quotient = vec![self.field.zero(); (a.len() + 1).saturating_sub(b.len())];
        Ok(Operands { a, b, inverse: self.field.inverse(leading), quotient })
    }

    /// `(q, r)`, one term of the quotient at a time over all of b (Algorithm 1 of the model's paper).
    ///
    /// # Errors
    /// [`PolyError::ZeroDivisor`] if b is 0.
    pub fn div_rem_naive(&self, a: &[C::Element], b: &[C::Element]) -> Division<C::Element> {
        let Operands { mut a, b, inverse, mut quotient } = self.operands(a, b)?;
        for i in (0..quotient.len()).rev() {
            let factor = self.field.mul(a[i + b.len() - 1], inverse);
            if factor != self.field.zero() {
                self.sub_scaled(&mut a[i..], b, factor);
            }
            quotient[i] = factor;
        }
        a.truncate(b.len() - 1);
        Ok((quotient, self.trim(a)))
    }

    /// `(q, r)` by the inverse of the reversed divisor as a power series (Sieveking 1972, Kung 1974):
    /// reversed, `a = q b + r` is `rev(a) = rev(q) rev(b)` modulo x to the number of terms of q.
    ///
    /// # Errors
    /// [`PolyError::ZeroDivisor`] if b is 0.
    pub fn div_rem_newton(&self, a: &[C::Element], b: &[C::Element]) -> Division<C::Element> {
        let Operands { a, b, quotient, .. } = self.operands(a, b)?;
        let terms = quotient.len();
        let reversed =
            |a: &[C::Element]| -> Vec<C::Element> { a.iter().rev().take(terms).copied().collect() };
        let mut quotient = self.mul(&reversed(&a), &self.series_inverse(&reversed(b), terms));
        quotient.resize(terms, self.field.zero());
        quotient.reverse();
        let multiple = self.mul(&quotient, b);
        let [a, multiple] = [&a, &multiple].map(|a| &a[..a.len().min(b.len() - 1)]);
        let remainder = self.sub(a, multiple);
        Ok((self.trim(quotient), remainder))
    }

    /// `1 / a mod x^terms` for a nonzero constant term: `g (2 - a g)` doubles the number of correct terms of
    /// g.
    fn series_inverse(self, a: &[C::Element], terms: usize) -> Vec<C::Element> {
        let constant = a.first().map_or(self.field.zero(), |&constant| self.field.inverse(constant));
        let mut inverse = vec![constant];
        while inverse.len() < terms {
            let right = inverse.len();
            let next = (2 * right).min(terms);
            // a g is 1 + x^right e: the error of g is -g e.
            let product = self.mul(&a[..a.len().min(next)], &inverse);
            let error = product.get(right..product.len().min(next)).unwrap_or_default();
            let correction = self.mul(error, &inverse);
            inverse.resize(next, self.field.zero());
            for (x, &e) in inverse[right..].iter_mut().zip(&correction) {
                *x = self.field.neg(e);
            }
        }
        inverse
    }
}
