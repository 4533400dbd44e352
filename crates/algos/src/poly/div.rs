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
    /// [`div_rem_newton`](Self::div_rem_newton). [`div_rem_optimised`](Self::div_rem_optimised) saves memory
    /// traffic, of which the caches of a CPU leave little.
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

    /// `(q, r)`, s terms of the quotient at a time from the highest terms of a and b; then their multiples of b
    /// are subtracted from one block of 2s coefficients of a after another (Algorithm 3). `s` of 0 counts as 1.
    ///
    /// # Errors
    /// [`PolyError::ZeroDivisor`] if b is 0.
    pub fn div_rem_optimised(&self, a: &[C::Element], b: &[C::Element], s: usize) -> Division<C::Element> {
        let Operands { mut a, b, inverse, mut quotient } = self.operands(a, b)?;
        let mut left = quotient.len();
        while left > 0 {
            let steps = s.clamp(1, left);
            left -= steps;
            let factors = &mut quotient[left..left + steps];
            let (low, head) = a[..left + steps + b.len() - 1].split_at_mut(left + b.len() - 1);
            self.head_steps(head, b, factors, inverse);
            self.update(low, b, factors, left, 2 * s.max(1));
        }
        a.truncate(b.len() - 1);
        Ok((quotient, self.trim(a)))
    }

    /// The terms of the quotient, highest first, from the head of a: the terms that these steps remove.
    fn head_steps(
        self,
        head: &mut [C::Element],
        b: &[C::Element],
        factors: &mut [C::Element],
        inverse: C::Element,
    ) {
        for k in (0..head.len()).rev() {
            factors[k] = self.field.mul(head[k], inverse);
            // Term k vanishes; those below it meet the terms of b below its leading one.
            let reach = k.min(b.len() - 1);
            self.sub_scaled(&mut head[k - reach..k], &b[b.len() - 1 - reach..b.len() - 1], factors[k]);
        }
    }

    /// `low -= factors[k] * x^(first + k) * b` for all k, block by block.
    fn update(
        self,
        low: &mut [C::Element],
        b: &[C::Element],
        factors: &[C::Element],
        first: usize,
        block: usize,
    ) {
        let start = first.min(low.len());
        for (i, terms) in low[start..].chunks_mut(block).enumerate() {
            let at = start + i * block;
            for (k, &factor) in factors.iter().enumerate().filter(|&(_, &factor)| factor != self.field.zero())
            {
                // Term j of the block is term at + j of a, which meets term at + j - first - k of b.
                let (skip, from) = ((first + k).saturating_sub(at), at.saturating_sub(first + k));
                if skip < terms.len() && from < b.len() {
                    self.sub_scaled(&mut terms[skip..], &b[from..], factor);
                }
            }
        }
    }

    /// `(q, r)` by the inverse of the reversed divisor as a power series (Sieveking 1972, Kung 1974): reversed,
    /// `a = q b + r` is `rev(a) = rev(q) rev(b)` modulo x to the number of terms of q.
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

    /// `1 / a mod x^terms` for a nonzero constant term: `g (2 - a g)` doubles the number of correct terms of g.
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
