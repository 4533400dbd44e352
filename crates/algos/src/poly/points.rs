//! Evaluation and interpolation.

use super::{PolyError, PolyRing};
use crate::invariant::broken_invariant;
use crate::transform::context::Context;

impl<C: Context> PolyRing<C> {
    /// a(x), by Horner's rule.
    #[must_use]
    pub fn evaluate(&self, a: &[C::Element], x: C::Element) -> C::Element {
        let field = self.field;
        a.iter().rev().fold(field.zero(), |sum, &coefficient| field.add(field.mul(sum, x), coefficient))
    }

    /// The polynomial of least degree with these values at these points, by Lagrange's formula in n^2 steps:
    /// the sum of `values[i] / w_i * w(x) / (x - points[i])`, where w is the product of all `x - points[j]`
    /// and `w_i` the value of `w(x) / (x - points[i])` at `points[i]`.
    ///
    /// # Errors
    /// [`PolyError::Values`] if the numbers of values and points differ, [`PolyError::RepeatedPoint`] for
    /// equal points.
    pub fn interpolate(
        &self,
        points: &[C::Element],
        values: &[C::Element],
    ) -> Result<Vec<C::Element>, PolyError> {
        if points.len() != values.len() {
            return Err(PolyError::Values { points: points.len(), values: values.len() });
        }
        let field = self.field;
        let mut product = vec![field.element(1)];
        for &point in points {
            product.insert(0, field.zero());
            for i in 1..product.len() {
                product[i - 1] = field.sub(product[i - 1], field.mul(product[i], point));
            }
        }
        let mut sum = vec![field.zero(); points.len()];
        for (i, (&point, &value)) in points.iter().zip(values).enumerate() {
            let others = self.without_root(&product, point);
            let weight = self.evaluate(&others, point);
            if weight == field.zero() {
                // A second factor is 0 there.
                let same = (0..points.len()).find(|&j| j != i && points[j] == point);
                let same =
                    same.unwrap_or_else(|| broken_invariant("a weight is 0 where a point is repeated"));
                return Err(PolyError::RepeatedPoint { first: i.min(same), second: i.max(same) });
            }
            let factor = field.mul(value, field.inverse(weight));
            sum.iter_mut().zip(&others).for_each(|(x, &y)| *x = field.add(*x, field.mul(y, factor)));
        }
        Ok(self.trim(sum))
    }

    /// `a / (x - root)` for a root of a, by Horner's rule.
    fn without_root(self, a: &[C::Element], root: C::Element) -> Vec<C::Element> {
        let mut quotient = a[1..].to_vec();
        for i in (1..quotient.len()).rev() {
            quotient[i - 1] = self.field.add(quotient[i - 1], self.field.mul(quotient[i], root));
        }
        quotient
    }
}
