//! From values to the polynomial.

use crate::transform::context::Context;

use super::PolyError;
use super::linear::{evaluate, trim};
use crate::invariant::broken_invariant;

/// The polynomial of the least degree that has these values at these points, by Lagrange's formula in n^2
/// steps: the sum of `values[i] / w_i * w(x) / (x - points[i])` with w the product of all `x - points[j]`,
/// `w_i` the value of the quotient there.
pub(super) fn interpolate<C: Context>(
    field: C,
    points: &[C::Element],
    values: &[C::Element],
) -> Result<Vec<C::Element>, PolyError> {
    if points.len() != values.len() {
        return Err(PolyError::Values { points: points.len(), values: values.len() });
    }
    let mut product = vec![field.element(1)];
    for &point in points {
        product.push(field.zero());
        for i in (0..product.len()).rev() {
            let above = if i > 0 { product[i - 1] } else { field.zero() };
            product[i] = field.sub(above, field.mul(product[i], point));
        }
    }
    let mut sum = vec![field.zero(); points.len()];
    for (i, (&point, &value)) in points.iter().zip(values).enumerate() {
        let others = without_root(field, &product, point);
        let weight = evaluate(field, &others, point);
        if weight == field.zero() {
            // A second factor is 0 there.
            let same = (0..points.len()).find(|&j| j != i && points[j] == point);
            let same = same.unwrap_or_else(|| broken_invariant("a weight is 0 where a point is repeated"));
            return Err(PolyError::RepeatedPoint { first: i.min(same), second: i.max(same) });
        }
        let factor = field.mul(value, field.inverse(weight));
        sum.iter_mut().zip(&others).for_each(|(x, &y)| *x = field.add(*x, field.mul(y, factor)));
    }
    Ok(trim(field, sum))
}

/// `a / (x - root)` for a root of a, by Horner's rule from the leading coefficient down.
fn without_root<C: Context>(field: C, a: &[C::Element], root: C::Element) -> Vec<C::Element> {
    let mut quotient = a[1..].to_vec();
    for i in (0..quotient.len().saturating_sub(1)).rev() {
        quotient[i] = field.add(quotient[i], field.mul(quotient[i + 1], root));
    }
    quotient
}
