//! By the inverse of the reversed divisor as a power series (Sieveking 1972, Kung 1974).

use super::{QuotientRemainder, Start, start};
use crate::poly::PolyError;
use crate::poly::linear::{sub, trim};
use crate::poly::mul::product;
use crate::transform::context::Context;

/// `(q, r)`. Reversed, `a = q b + r` reads `rev(a) = rev(q) rev(b)` modulo x to the number of terms of q.
///
/// # Errors
/// [`PolyError::ZeroDivisor`] if b is 0.
pub fn div_rem<C: Context>(
    field: C,
    a: &[C::Element],
    b: &[C::Element],
) -> Result<QuotientRemainder<C::Element>, PolyError> {
    let (a, b) = match start(field, a, b)? {
        Start::Done(done) => return Ok(done),
        Start::Steps { a, b, .. } => (a, b),
    };
    let terms = a.len() - b.len() + 1;
    let reversed = |a: &[C::Element]| -> Vec<C::Element> { a.iter().rev().take(terms).copied().collect() };
    let inverse = series_inverse(field, &reversed(b), terms);
    let mut quotient = product(field, &reversed(&a), &inverse);
    quotient.resize(terms, field.zero());
    quotient.reverse();
    let multiple = product(field, &quotient, b);
    let below = |a: &[C::Element]| a[..a.len().min(b.len() - 1)].to_vec();
    let remainder = sub(field, &below(&a), &below(&multiple));
    Ok((trim(field, quotient), remainder))
}

/// `1 / a mod x^terms`, for a with a constant term that is not 0: `g (2 - a g)` has twice as many terms right
/// as g.
#[must_use]
pub fn series_inverse<C: Context>(field: C, a: &[C::Element], terms: usize) -> Vec<C::Element> {
    let constant = a.first().copied().unwrap_or(field.zero());
    let mut inverse = vec![field.inverse(constant)];
    while inverse.len() < terms {
        let right = inverse.len();
        let next = (2 * right).min(terms);
        let cut = |a: &[C::Element]| a[..a.len().min(next)].to_vec();
        // a g is 1 + x^right e: what is wrong with g is -g e.
        let product_with = product(field, &cut(a), &inverse);
        let error = product_with.get(right..product_with.len().min(next)).unwrap_or_default();
        let correction = product(field, error, &inverse);
        inverse.resize(next, field.zero());
        for (x, &e) in inverse[right..].iter_mut().zip(&correction) {
            *x = field.neg(e);
        }
    }
    inverse
}
