//! The greatest common divisor with its cofactors.

use crate::poly::PolyError;
use crate::poly::div::div_rem;
use crate::poly::linear::{scale, sub, trimmed};
use crate::poly::mul::product;
use crate::transform::context::Context;

/// A monic greatest common divisor and its cofactors.
#[derive(Clone, Debug, PartialEq)]
pub struct Extended<E> {
    /// The monic greatest common divisor.
    pub gcd: Vec<E>,
    /// s in `s a + t b = gcd`, of a degree below that of `b / gcd` (0 if b is a multiple's divisor of a).
    pub a_factor: Vec<E>,
    /// t in `s a + t b = gcd`, of a degree below that of `a / gcd`, unless b is 0 or divides a.
    pub b_factor: Vec<E>,
}

/// `s a + t b = gcd(a, b)`, by Euclid's algorithm; t follows from s by one division.
///
/// # Errors
/// [`PolyError::BothZero`] if a and b are.
pub fn xgcd<C: Context>(
    field: C,
    a: &[C::Element],
    b: &[C::Element],
) -> Result<Extended<C::Element>, PolyError> {
    let (a, b) = (trimmed(field, a), trimmed(field, b));
    let (mut r, mut next) = (a.to_vec(), b.to_vec());
    let (mut s, mut next_s) = (vec![field.element(1)], Vec::new());
    while !next.is_empty() {
        let (quotient, rest) = div_rem(field, &r, &next)?;
        (r, next) = (next, rest);
        let combined = sub(field, &s, &product(field, &quotient, &next_s));
        (s, next_s) = (next_s, combined);
    }
    let &leading = r.last().ok_or(PolyError::BothZero)?;
    let inverse = field.inverse(leading);
    let (gcd, a_factor) = (scale(field, &r, inverse), scale(field, &s, inverse));
    let b_factor = if b.is_empty() {
        Vec::new()
    } else {
        div_rem(field, &sub(field, &gcd, &product(field, &a_factor, a)), b)?.0
    };
    Ok(Extended { gcd, a_factor, b_factor })
}
